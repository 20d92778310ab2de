# SPDX-License-Identifier: Apache-2.0
"""ttnn.set_backend("compiled") runs functions of ttnn as kernels. Results must be those of golden functions."""

import pathlib
import sys
import warnings

import numpy as np
import pytest
import ttl
import ttnn
from ttnn import compiled

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import SUCCESS, ttl_jit  # noqa: E402


@pytest.fixture
def kernels():
    """Selects the backend "compiled". A call that has no kernel, and so runs as golden function, is an error."""
    with ttnn.set_backend("compiled"), warnings.catch_warnings():
        warnings.simplefilter("error", ttl.EngineWarning)
        yield


def tensor(*shape, dtype=ttnn.float32, seed=0, low=-2.0, high=2.0):
    values = np.random.default_rng((seed, *shape)).uniform(low, high, shape)
    return ttnn.from_numpy(values.astype(np.float32), dtype=dtype, device=ttnn.open_device(device_id=0))


def whole(*shape, seed=0, dtype=ttnn.int32):
    values = np.random.default_rng((seed, *shape)).integers(0 if dtype == ttnn.uint32 else -9, 10, shape)
    return ttnn.from_numpy(values, dtype=dtype, device=ttnn.open_device(device_id=0))


def check(function, *args, tolerance=2e-6, **kwargs):
    """Compares the result of a call that runs as kernels with that of the golden function."""
    found = function(*args, **kwargs)
    with ttnn.set_backend("golden"):
        wanted = function(*args, **kwargs)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape and found.layout == wanted.layout
    assert found.memory_config() == wanted.memory_config()
    if found.dtype == ttnn.bfloat16:
        tolerance = 2.0 ** -8
    np.testing.assert_allclose(found.to_numpy(), wanted.to_numpy(), rtol=tolerance, atol=tolerance)
    return found


# ===--------------------------------------------------------------------------=== #
# The choice


def test_the_choice():
    assert ttnn.get_backend() == "golden"
    with ttnn.set_backend("compiled") as chosen:
        assert ttnn.get_backend() == "compiled" and repr(chosen) == "<ttnn backend compiled, before: golden>"
        with ttnn.set_backend("golden"):
            assert ttnn.get_backend() == "golden"
        assert ttnn.get_backend() == "compiled"
    assert ttnn.get_backend() == "golden"
    ttnn.set_backend("compiled")
    assert ttnn.get_backend() == "compiled"
    ttnn.set_backend("golden")


@pytest.mark.parametrize("name", ["fast", None, 3])
def test_wrong_names(name):
    with pytest.raises(ValueError, match=r"expected 'golden' or 'compiled'"):
        ttnn.set_backend(name)


# ===--------------------------------------------------------------------------=== #
# Values

POSITIVE = {"log", "sqrt", "rsqrt", "reciprocal", "cbrt"}
SMALL = {"asin", "acos", "atanh", "tan"}
ONE_TENSOR = sorted(name for name in compiled.names() if name in ttnn.unary.__all__ and name not in (
    "bitwise_not", "clamp", "clip"))


@pytest.mark.parametrize("name", ONE_TENSOR)
@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16])
def test_functions_of_one_tensor(kernels, name, dtype):
    low = 0.1 if name in POSITIVE else -0.9 if name in SMALL or name == "log1p" else -2.0
    x = tensor(33, 40, dtype=dtype, low=low, high=0.9 if name in SMALL else 2.0)
    check(getattr(ttnn, name), x)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "maximum", "minimum", "eq", "ne", "lt",
                                  "le", "gt", "ge", "logical_and", "logical_or", "logical_xor", "atan2", "rsub",
                                  "squared_difference"])
def test_functions_of_two_tensors(kernels, name):
    function = getattr(ttnn, name)
    a, b = tensor(2, 33, 40), tensor(33, 1, seed=1)
    check(function, a, b)
    check(function, a, 0.3)
    check(function, tensor(4, 8, dtype=ttnn.bfloat16), tensor(4, 8))
    if name not in ("divide", "atan2"):
        check(function, whole(4, 33), whole(1, 33, seed=1))
        check(function, whole(4, 33, dtype=ttnn.uint32), 3)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift"])
def test_bits(kernels, name):
    check(getattr(ttnn, name), whole(4, 33), whole(4, 33, seed=1, dtype=ttnn.int32) if "shift" not in name else 3)


def test_three_operands(kernels):
    a, b, c = (tensor(4, 33, seed=n, low=0.5) for n in range(3))
    check(ttnn.where, ttnn.gt(a, 1.0), b, c)
    check(ttnn.where, ttnn.gt(a, 1.0), 2.0, -1.0)
    for name in ("mac", "lerp"):
        check(getattr(ttnn, name), a, b, c)
    for name in ("addcmul", "addcdiv"):
        check(getattr(ttnn, name), a, b, c, value=0.5)
    check(ttnn.addalpha, a, b, 0.3)
    check(ttnn.subalpha, a, b, 0.3)


def test_limits(kernels):
    x = tensor(4, 33)
    check(ttnn.clamp, x, min=-0.5, max=1.0)
    check(ttnn.clamp, x, max=1.0)
    check(ttnn.clip, x, min=tensor(4, 33, seed=1))
    check(ttnn.leaky_relu, x, negative_slope=0.2)


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod", "var", "std"])
@pytest.mark.parametrize("dim", [None, 0, -1, (0, 2)])
def test_reductions(kernels, name, dim):
    check(getattr(ttnn, name), tensor(3, 5, 40, low=0.5, high=1.5), dim=dim, tolerance=2e-5)
    check(getattr(ttnn, name), tensor(3, 5, 40, low=0.5, high=1.5), dim=dim, keepdim=True, tolerance=2e-5)


def test_argmax(kernels):
    check(ttnn.argmax, tensor(4, 50), dim=1)
    check(ttnn.argmax, tensor(4, 50))


def test_products(kernels):
    a, b = tensor(2, 33, 40), tensor(40, 20, seed=1)
    check(ttnn.matmul, a, b, tolerance=1e-4)
    check(ttnn.matmul, a, a, transpose_b=True, tolerance=1e-4)
    check(ttnn.matmul, a, b, activation="relu", tolerance=1e-4)
    check(ttnn.linear, a, b, bias=tensor(20, seed=2), activation="gelu", tolerance=1e-4)
    check(ttnn.addmm, tensor(33, 20), tensor(33, 40), b, alpha=0.5, beta=2.0, tolerance=1e-4)
    half = tensor(33, 40, dtype=ttnn.bfloat16)
    check(ttnn.matmul, half, half, transpose_a=True)


def convolution(x, w, bias=None, **kwargs):
    """Returns the result of conv2d for 2 images of 7x6 elements with 4 channels."""
    numbers = dict(in_channels=4, out_channels=8, batch_size=2, input_height=7, input_width=6, kernel_size=(3, 2))
    found = ttnn.conv2d(input_tensor=x, weight_tensor=w, bias_tensor=bias, return_output_dim=True,
                        return_weights_and_bias=True, **{**numbers, **kwargs})
    assert found[1][0] * found[1][1] * 2 == found[0].shape[2] and found[2][0] is w
    return found[0]


@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16])
@pytest.mark.parametrize("case", [
    dict(), dict(stride=(2, 1), padding=(1, 2)), dict(dilation=(2, 1), padding=(1, 0, 2, 1)),
    dict(groups=2, kernel_size=(1, 3)), dict(groups=4, stride=2, padding=1), dict(kernel_size=(1, 1))])
def test_convolutions(kernels, case, dtype):
    x = tensor(1, 1, 2 * 7 * 6, 4, dtype=dtype)
    w = tensor(8, 4 // case.get("groups", 1), *case.get("kernel_size", (3, 2)), dtype=dtype, low=-0.1, high=0.1)
    bias = tensor(1, 1, 1, 8, dtype=dtype)
    check(convolution, x, w, bias, conv_config=ttnn.Conv2dConfig(activation="relu"), **case)
    check(convolution, x, w, **case)


def test_normalisation(kernels):
    x = tensor(2, 33, 64)
    check(ttnn.softmax, x, dim=-1)
    check(ttnn.softmax, x, dim=1)
    for name in ("layer_norm", "rms_norm"):
        function = getattr(ttnn, name)
        check(function, x, epsilon=1e-5, tolerance=1e-5)
        check(function, x, weight=tensor(1, 64, seed=1), bias=tensor(64, seed=2), residual_input_tensor=x,
              tolerance=1e-5)


def test_attention(kernels):
    q, k, v = tensor(1, 4, 33, 16), tensor(1, 2, 33, 16, seed=1), tensor(1, 2, 33, 16, seed=2)
    function = ttnn.transformer.scaled_dot_product_attention
    check(function, q, k, v, tolerance=1e-4)
    check(function, q, k, v, is_causal=False, scale=0.5, tolerance=1e-4)
    check(function, q, k, v, is_causal=False, attn_mask=tensor(1, 1, 33, 33, seed=3), tolerance=1e-4)


def test_operators_and_methods(kernels):
    x = tensor(32, 32)
    check(lambda t: (t + 1) * t - 2.0 / (t * t + 1), x, tolerance=1e-5)
    check(lambda t: -t @ t, x, tolerance=1e-4)
    check(lambda t: t.exp().sum(dim=0), x, tolerance=1e-5)
    check(lambda t: abs(t) < 1, x)


def test_options(kernels):
    x = tensor(33, 40)
    check(ttnn.add, x, x, dtype=ttnn.bfloat16)
    check(ttnn.add, x, x, layout=ttnn.ROW_MAJOR_LAYOUT)
    check(ttnn.add, x, x, memory_config=ttnn.L1_MEMORY_CONFIG)
    check(ttnn.add, x, x, activations=["relu"], input_tensor_a_activations=[ttnn.UnaryOpType.EXP])
    output = ttnn.zeros((33, 40))
    assert ttnn.add(x, x, output_tensor=output) is output
    assert np.array_equal(output.to_numpy(), 2 * x.to_numpy())


def test_functions_in_place(kernels):
    x = tensor(33, 40)
    before = x.to_numpy().copy()
    assert ttnn.multiply_(x, 2.0) is x and np.array_equal(x.to_numpy(), before * 2)
    assert ttnn.relu_(x) is x and np.array_equal(x.to_numpy(), np.maximum(before * 2, 0))


# ===--------------------------------------------------------------------------=== #
# Kernels


def test_calls_of_one_signature_use_the_same_kernels(kernels):
    ttnn.add(tensor(7, 9), tensor(7, 9))
    count = len(compiled._functions)
    ttnn.add(tensor(7, 9, seed=1), tensor(7, 9, seed=2))
    assert len(compiled._functions) == count
    ttnn.add(tensor(7, 10), tensor(7, 10))
    with ttl.options(engine="interp"):
        ttnn.add(tensor(7, 9), tensor(7, 9))
    assert len(compiled._functions) == count + 2


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_engines_give_the_same_bits(kernels, engine):
    x = tensor(33, 40)
    with ttl.options(engine=engine):
        found = ttnn.softmax(ttnn.matmul(x, x, transpose_b=True))
    assert found.fingerprint() == ttnn.softmax(ttnn.matmul(x, x, transpose_b=True)).fingerprint()


# ===--------------------------------------------------------------------------=== #
# Golden functions


@pytest.mark.parametrize("call, reason", [
    (lambda x: ttnn.isinf(x), "the compiler has no op for it"),
    (lambda x: ttnn.sum(x, scalar=2.0), "its kernel has no factor, scalar="),
    (lambda x: ttnn.exp(ttnn.typecast(x, ttnn.bfloat8_b)), "kernels have no elements of bfloat8_b"),
    (lambda x: ttnn.div(x, 2.0, rounding_mode="floor"), "its kernel has no rounding mode"),
])
def test_what_has_no_counterpart_says_so_once(call, reason):
    x = tensor(32, 32)
    with ttnn.set_backend("compiled"), warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        first, second = call(x), call(x)
    assert np.array_equal(first.to_numpy(), second.to_numpy())
    assert [str(each.message).partition(": ")[2] for each in found] == [reason]
    assert found[0].category is ttl.EngineWarning and found[0].filename == __file__


@pytest.mark.parametrize("call, error", [
    (lambda x: ttnn.add(x, tensor(3, 3)), r"ttnn.add\(\): shapes .* cannot be broadcast"),
    (lambda x: ttnn.transformer.scaled_dot_product_attention(x, x, x), r"expected \(batch, heads, length, width\)"),
    (lambda x: ttnn.matmul(x, tensor(3, 3)), "do not fit"),
    (lambda x: ttnn.add(1.0, 2.0), "expected a ttnn.Tensor"),
    (lambda x: ttnn.add(x), "missing a required argument"),
    (lambda x: ttnn.add(x, x, speed=3), "has no option 'speed'"),
    (lambda x: ttnn.sum(x, dim=7), "the tensor has 2 dimensions"),
    (lambda x: ttnn.exp(whole(4, 4)), "only floats are supported"),
    (lambda x: convolution(x, x), "input_tensor has shape"),
    (lambda x: convolution(x, x, groups=3), "groups=3 does not divide"),
])
def test_errors_are_those_of_the_golden_functions(kernels, call, error):
    with pytest.raises((TypeError, ValueError), match=error):
        call(tensor(4, 8))


PROGRAM = """
import numpy as np
import ttnn
ttnn.set_backend("compiled")
x = ttnn.from_numpy(np.ones((32, 32), np.float32), device=ttnn.open_device(device_id=0))
print((x + x).to_numpy().sum(), ttnn.isinf(x).to_numpy().sum())
"""


def test_statistics(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    done = ttl_jit("run", str(path), "--stats")
    assert done.returncode == SUCCESS and done.stdout == "2048.0 0.0\n"
    assert "ttnn, calls that ran as kernels: add 1" in done.stderr
    assert "ttnn, golden function: isinf 1, the compiler has no op for it" in done.stderr
    assert "kernel ttnn_add_0_add: grid 1x1" in done.stderr
