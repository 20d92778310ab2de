# SPDX-License-Identifier: Apache-2.0
"""Modules of ttnn as tt-mlir writes them, and modules with functions for the device and for constants."""

import pathlib
import sys

import numpy as np
import pytest
import ttl

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import SUCCESS, ttl_jit  # noqa: E402

PERCEPTRON = pathlib.Path(__file__).with_name("ttnn_perceptron.mlir")


def test_a_module_of_the_backend_of_ttnn():
    model = ttl.load_mlir(PERCEPTRON)
    assert list(model.functions) == ["main"]
    x, w, b = (model.main.random_argument(n) for n in range(3))
    wanted = np.maximum(x.astype(np.float64) @ -w + b, 0).sum(axis=1, keepdims=True) / 2
    np.testing.assert_allclose(model.main(x, w, b), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_the_command_runs_it(engine):
    done = ttl_jit("run", str(PERCEPTRON), f"--engine={engine}", "--check=all")
    assert done.returncode == SUCCESS, done.stderr
    assert "main: result 0, tensor<32x1xf32>: hash f3ab898b" in done.stdout


ONE = """
func.func @main(%x: tensor<4x8xf32>) -> TYPE {
  %0 = OP : (tensor<4x8xf32>) -> TYPE
  return %0 : TYPE
}
"""
X = np.arange(32, dtype=np.float32).reshape(4, 8) / 8 - 1


@pytest.mark.parametrize("op, kind, wanted", [
    ('"ttnn.pow_scalar"(%x) <{rhs = 2.0 : f32}>', "tensor<4x8xf32>", X ** 2),
    ('"ttnn.typecast"(%x) <{dtype = #ttcore.supportedDataTypes<si32>}>', "tensor<4x8xsi32>", np.trunc(X)),
    ('"ttnn.prod"(%x) <{dim_arg = 1 : si64, keep_dim = false}>', "tensor<4xf32>", np.prod(X, 1)),
    ('"ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = true}>', "tensor<4x1xui32>", [[7]] * 4),
    ('"ttnn.repeat"(%x) <{repeat_dims = #ttnn.shape<2x1>}>', "tensor<8x8xf32>", np.tile(X, (2, 1))),
    ('"ttnn.softmax"(%x) <{dimension = 1 : si32, numericStable = true}>', "tensor<4x8xf32>",
     np.exp(X) / np.exp(X).sum(1, keepdims=True)),
    ('"ttnn.clamp_scalar"(%x) <{min = 0.0 : f32, max = 1.0 : f32}>', "tensor<4x8xf32>", np.clip(X, 0, 1)),
    ('"ttnn.slice_static"(%x) <{begins = [0 : i32, 2 : i32], ends = [4 : i32, 8 : i32], step = [1 : i32, 2 : i32]}>',
     "tensor<4x3xf32>", X[:, 2:8:2]),
    ('"ttnn.permute"(%x) <{permutation = array<i64: 1, 0>, pad_value = 0.0 : f32}>', "tensor<8x4xf32>", X.T),
    ('"ttnn.mean"(%x) <{dim_arg = [0 : i32], keep_dim = false}>', "tensor<8xf32>", X.mean(0)),
    ('"ttnn.assign"(%x)', "tensor<4x8xf32>", X),
])
def test_ops(op, kind, wanted):
    found = ttl.load_mlir(ONE.replace("OP", op).replace("TYPE", kind)).main(X)
    assert np.shape(wanted) == found.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


ATTENTION = """
func.func @main(%q: tensor<1x4x33x16xf32>, %k: tensor<1x2x33x16xf32>, %v: tensor<1x2x33x16xf32>)
    -> tensor<1x4x33x16xf32> {
  %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %v)
    <{is_causal = CAUSAL, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}>
    : (tensor<1x4x33x16xf32>, tensor<1x2x33x16xf32>, tensor<1x2x33x16xf32>) -> tensor<1x4x33x16xf32>
  return %0 : tensor<1x4x33x16xf32>
}
"""


@pytest.mark.parametrize("causal", [False, True])
def test_attention(causal):
    main = ttl.load_mlir(ATTENTION.replace("CAUSAL", str(causal).lower())).main
    q, k, v = (main.random_argument(n).astype(np.float64) for n in range(3))
    k, v = np.repeat(k, 2, axis=1), np.repeat(v, 2, axis=1)
    scores = q @ k.swapaxes(-1, -2) / 4
    scores = np.where(np.tri(33) == 0, -np.inf, scores) if causal else scores
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    wanted = weights / weights.sum(-1, keepdims=True) @ v
    np.testing.assert_allclose(main(*(main.random_argument(n) for n in range(3))), wanted, rtol=1e-4, atol=1e-5)


def test_an_op_without_a_counterpart_is_an_error_at_its_line():
    with pytest.raises(ttl.CompileError) as error:
        ttl.load_mlir(ONE.replace("OP", '"ttnn.sigmod"(%x)').replace("TYPE", "tensor<4x8xf32>"))
    assert "'ttnn.sigmod' op has no counterpart in ttir; did you mean sigmoid?" in str(error.value)
    assert error.value.line == 3
