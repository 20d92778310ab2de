# SPDX-License-Identifier: Apache-2.0
"""Modules of ttnn as tt-mlir writes them; their functions run on the device or compute constants."""

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


# ===--------------------------------------------------------------------------=== #
# Convolutions

CONVOLUTION = """
func.func @main(%x: tensor<1x1x84x4xELEMENT>, %w: tensor<8xCHANNELSxKHxKWxELEMENT>, %b: tensor<1x1x1x8xELEMENT>)
    -> tensor<1x1xROWSx8xELEMENT> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %b, %d) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<CONFIG>,
      dilation = array<i32: DILATION>, groups = GROUPS : i32, in_channels = 4 : i32, input_height = 7 : i32,
      input_width = 6 : i32, kernel_size = array<i32: KH, KW>, out_channels = 8 : i32, padding = array<i32: PADDING>,
      stride = array<i32: STRIDE>}>
      : (tensor<1x1x84x4xELEMENT>, tensor<8xCHANNELSxKHxKWxELEMENT>, tensor<1x1x1x8xELEMENT>, !ttnn.device)
      -> tensor<1x1xROWSx8xELEMENT>
  return %0 : tensor<1x1xROWSx8xELEMENT>
}
"""


def convolution(x, w, bias, groups, stride, padding, dilation):
    """Computes a convolution in plain loops; x is (batch, rows, columns, channels)."""
    x = np.pad(x.astype(np.float64), ((0, 0), padding[:2], padding[2:], (0, 0)))
    counts = [(x.shape[d + 1] - (w.shape[d + 2] - 1) * dilation[d] - 1) // stride[d] + 1 for d in (0, 1)]
    result = np.zeros((x.shape[0], *counts, w.shape[0])) + bias
    for r, c, i, j in np.ndindex(*counts, *w.shape[2:]):
        place = x[:, r * stride[0] + i * dilation[0], c * stride[1] + j * dilation[1]]
        for out in range(w.shape[0]):
            first = out // (w.shape[0] // groups) * w.shape[1]
            result[:, r, c, out] += place[:, first:first + w.shape[1]] @ w[out, :, i, j]
    return result


@pytest.mark.parametrize("kernel, groups, stride, padding, dilation, config", [
    ((3, 2), 1, (1, 1), (0, 0), (1, 1), "weights_dtype = f32"),
    ((3, 2), 1, (2, 1), (1, 2), (1, 1), "activation = <op_type = relu>, deallocate_activation = true"),
    ((3, 3), 2, (1, 1), (1, 0, 2, 1), (2, 1), 'activation = "relu"'),
    ((1, 1), 4, (2, 2), (0, 0), (1, 1), "weights_dtype = f32")])
@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_convolutions(kernel, groups, stride, padding, dilation, config, element):
    rng = np.random.default_rng(0)
    margins = padding if len(padding) == 4 else (padding[0],) * 2 + (padding[1],) * 2
    x, w, b = (np.round(rng.uniform(-2, 2, shape) * 8).astype(np.float32) / 8
               for shape in ((2, 7, 6, 4), (8, 4 // groups, *kernel), (8,)))
    wanted = convolution(x, w, b, groups, stride, margins, dilation)
    wanted = np.maximum(wanted, 0) if "relu" in config else wanted
    text = CONVOLUTION
    for key, value in dict(ELEMENT=element, KH=kernel[0], KW=kernel[1], CHANNELS=4 // groups, GROUPS=groups,
                           CONFIG=config, ROWS=wanted.size // 8).items():
        text = text.replace(key, str(value))
    for key, value in dict(DILATION=dilation, PADDING=padding, STRIDE=stride).items():
        text = text.replace(key, ", ".join(map(str, value)))
    found = ttl.load_mlir(text).main(x.reshape(1, 1, 84, 4), w, b.reshape(1, 1, 1, 8)).reshape(wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-5 if element == "f32" else 2**-8, atol=1e-5)


def filled(text):
    """Returns the text with every placeholder set: a convolution whose window has one place."""
    values = dict(ELEMENT="f32", KH=1, KW=1, CHANNELS=4, GROUPS=1, CONFIG="weights_dtype = f32", ROWS=84,
                  DILATION="1, 1", PADDING="0, 0", STRIDE="1, 1")
    for key, value in values.items():
        text = text.replace(key, str(value))
    return text


@pytest.mark.parametrize("change, message", [
    (("kernel_size = array<i32: KH, KW>", "kernel_size = array<i32: 9, 9>"),
     "has a kernel of 9 rows, but the padded image has 7"),
    (("array<i32: STRIDE>", "array<i32: 0, 1>"), "needs the attribute 'stride', such as array<i32: 1, 1>"),
    (("groups = GROUPS", "groups = 4"), "needs weights of shape 8x1x1x1, found"),
    (("groups = GROUPS", "groups = 3"), "has 3 groups, which do not divide 4 and 8 channels"),
    (("batch_size = 2", "batch_size = 3"), "needs 504 elements in the image, found"),
    (("batch_size = 2 : i32, ", ""), "needs the attribute 'batch_size', a positive integer"),
    (("out_channels = 8", "out_channels = 4"), "needs 336 elements in the result"),
    (("CONFIG", "activation = <op_type = reluu>"), "has an activation without a counterpart in ttir: 'reluu'"),
])
def test_wrong_convolutions(change, message):
    text = CONVOLUTION.replace(*change)
    with pytest.raises(ttl.CompileError) as error:
        ttl.load_mlir(filled(text))
    assert message in str(error.value) and error.value.line == 5


def test_a_convolution_without_weights():
    weights = "tensor<8xCHANNELSxKHxKWxELEMENT>, tensor<1x1x1x8xELEMENT>, "
    head, _, tail = CONVOLUTION.replace("(%x, %w, %b, %d)", "(%x, %d)").rpartition(weights)
    with pytest.raises(ttl.CompileError, match="needs an image, weights and at most a bias"):
        ttl.load_mlir(filled(head + tail))
