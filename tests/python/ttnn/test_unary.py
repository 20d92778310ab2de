# SPDX-License-Identifier: Apache-2.0
"""Functions of one tensor, element by element, compared with numpy."""

import math

import numpy as np
import pytest
import ttnn
from golden import DTYPES, assert_rounded, tensor_of

RNG = np.random.default_rng(3)
ANY = np.concatenate([RNG.standard_normal(90) * 3, [0.0, -0.0, 1, -1, 2.5, -2.5, 0.5, 6, 30, -30]])
POSITIVE = np.abs(ANY) + 0.01
UNIT = np.clip(ANY / 8, -0.99, 0.99)
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0, -0.0, 1])


def each(function):
    return np.vectorize(function, otypes=[np.float64])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def erf(x):
    return each(math.erf)(x)


# {name: (formula in float64, inputs, arguments)}
CASES = {
    "abs": (np.abs, ANY, ()),
    "neg": (np.negative, ANY, ()),
    "sign": (np.sign, ANY, ()),
    "square": (lambda x: x * x, ANY, ()),
    "identity": (lambda x: x, ANY, ()),
    "reciprocal": (lambda x: 1 / x, ANY, ()),
    "sqrt": (np.sqrt, ANY, ()),
    "rsqrt": (lambda x: x**-0.5, POSITIVE, ()),
    "cbrt": (lambda x: np.sign(x) * np.abs(x) ** (1 / 3), ANY, ()),
    "floor": (np.floor, ANY, ()),
    "ceil": (np.ceil, ANY, ()),
    "trunc": (np.trunc, ANY, ()),
    "frac": (lambda x: np.fmod(x, 1), ANY, ()),
    "round": (lambda x, n: np.round(x, n), ANY, (2,)),
    "deg2rad": (lambda x: x * np.pi / 180, ANY, ()),
    "rad2deg": (lambda x: x * 180 / np.pi, ANY, ()),
    "exp": (np.exp, ANY, ()),
    "exp2": (lambda x: 2**x, ANY, ()),
    "expm1": (np.expm1, ANY, ()),
    "log": (np.log, ANY, ()),
    "log2": (np.log2, POSITIVE, ()),
    "log10": (np.log10, POSITIVE, ()),
    "log1p": (np.log1p, POSITIVE, ()),
    "sin": (np.sin, ANY, ()),
    "cos": (np.cos, ANY, ()),
    "tan": (np.tan, ANY, ()),
    "sinh": (np.sinh, ANY, ()),
    "cosh": (np.cosh, ANY, ()),
    "tanh": (np.tanh, ANY, ()),
    "asin": (np.arcsin, UNIT, ()),
    "acos": (np.arccos, UNIT, ()),
    "atan": (np.arctan, ANY, ()),
    "asinh": (np.arcsinh, ANY, ()),
    "acosh": (np.arccosh, POSITIVE + 1, ()),
    "atanh": (np.arctanh, UNIT, ()),
    "erf": (erf, ANY, ()),
    "erfc": (each(math.erfc), ANY, ()),
    "lgamma": (each(math.lgamma), POSITIVE, ()),
    "i0": (np.i0, ANY, ()),
    "logit": (lambda x, eps: np.log(x) - np.log1p(-x), (UNIT + 1) / 2, (1e-6,)),
    "relu": (lambda x: np.maximum(x, 0), ANY, ()),
    "relu6": (lambda x: np.minimum(np.maximum(x, 0), 6), ANY, ()),
    "relu_max": (lambda x, hi: np.minimum(np.maximum(x, 0), hi), ANY, (2.0,)),
    "relu_min": (lambda x, lo: np.maximum(x, lo), ANY, (0.5,)),
    "leaky_relu": (lambda x, slope: np.where(x < 0, slope * x, x), ANY, (0.25,)),
    "sigmoid": (sigmoid, ANY, ()),
    "sigmoid_accurate": (sigmoid, ANY, ()),
    "log_sigmoid": (lambda x: np.log(sigmoid(x)), UNIT, ()),
    "hardsigmoid": (lambda x: np.maximum(0, np.minimum(1, (x + 3) / 6)), ANY, ()),
    "hardswish": (lambda x: x * np.maximum(0, np.minimum(1, (x + 3) / 6)), ANY, ()),
    "hardtanh": (lambda x, lo, hi: np.clip(x, lo, hi), ANY, (-0.5, 2.0)),
    "hardshrink": (lambda x, limit: np.where(abs(x) <= limit, 0, x), ANY, (1.0,)),
    "softshrink": (lambda x, d: np.where(x > d, x - d, np.where(x < -d, x + d, 0)), ANY, (1.0,)),
    "silu": (lambda x: x * sigmoid(x), ANY, ()),
    "swish": (lambda x: x * sigmoid(x), ANY, ()),
    "mish": (lambda x: x * np.tanh(np.logaddexp(x, 0)), ANY, ()),
    "gelu": (lambda x: x * 0.5 * (1 + erf(x / np.sqrt(2))), ANY, ()),
    "softsign": (lambda x: x / (1 + np.abs(x)), ANY, ()),
    "softplus": (lambda x, b, t: np.where(b * x > t, x, np.log(1 + np.exp(b * x)) / b), UNIT,
                 (2.0, 1.0)),
    "tanhshrink": (lambda x: x - np.tanh(x), ANY, ()),
    "elu": (lambda x, a: np.where(x > 0, x, a * np.expm1(x)), ANY, (0.5,)),
    "celu": (lambda x, a: np.maximum(x, 0) + np.minimum(0, a * np.expm1(x / a)), ANY, (0.5,)),
    "selu": (lambda x, s, a: s * np.where(x > 0, x, a * np.expm1(x)), ANY, (1.5, 0.5)),
    "threshold": (lambda x, t, v: np.where(x > t, x, v), ANY, (0.5, -4.0)),
    "heaviside": (lambda x, v: np.where(x > 0, 1, np.where(x < 0, 0, v)), ANY, (0.5,)),
    "isnan": (np.isnan, SPECIAL, ()),
    "isinf": (np.isinf, SPECIAL, ()),
    "isposinf": (np.isposinf, SPECIAL, ()),
    "isneginf": (np.isneginf, SPECIAL, ()),
    "isfinite": (np.isfinite, SPECIAL, ()),
    "signbit": (np.signbit, ANY, ()),
    "logical_not": (lambda x: x == 0, ANY, ()),
    "eqz": (lambda x: x == 0, ANY, ()),
    "nez": (lambda x: x != 0, ANY, ()),
    "ltz": (lambda x: x < 0, ANY, ()),
    "lez": (lambda x: x <= 0, ANY, ()),
    "gtz": (lambda x: x > 0, ANY, ()),
    "gez": (lambda x: x >= 0, ANY, ()),
    "fill": (lambda x, v: np.full_like(x, v), ANY, (2.5,)),
    "rdiv": (lambda x, v: v / x, ANY, (3.0,)),
    "rpow": (lambda x, base: base**x, ANY, (2.0,)),
    "clamp": (lambda x, lo, hi: np.clip(x, lo, hi), ANY, (-1.0, 2.0)),
    "clip": (lambda x, lo, hi: np.clip(x, lo, hi), ANY, (-1.0, 2.0)),
    "relu_": (lambda x: np.maximum(x, 0), ANY, ()),
    "exp_": (np.exp, ANY, ()),
    "sqrt_": (np.sqrt, POSITIVE, ()),
    "tril": (lambda x, k: np.tril(x, k), ANY.reshape(10, 10), (1,)),
    "triu": (lambda x, k: np.triu(x, k), ANY.reshape(10, 10), (-1,)),
    "glu": (lambda x, d: np.split(x, 2, d)[0] * sigmoid(np.split(x, 2, d)[1]), ANY, (0,)),
    "reglu": (lambda x, d: np.split(x, 2, d)[0] * np.maximum(np.split(x, 2, d)[1], 0), ANY, (0,)),
    "geglu": (lambda x, d: np.split(x, 2, d)[0] * CASES["gelu"][0](np.split(x, 2, d)[1]), ANY,
              (0,)),
    "swiglu": (lambda x, d: np.split(x, 2, d)[0] * CASES["silu"][0](np.split(x, 2, d)[1]), ANY,
               (0,)),
}


def test_every_function_is_compared():
    """Each function has a formula here, or is compared through the tile function of the same name in
    tests/python/frontend/test_block_functions.py."""
    from ttl import _api
    from ttnn import unary

    compared = set(CASES) | {"bitwise_not"} | {name for name, *_ in _api.TILE_FUNCTIONS}
    assert set(CASES) <= set(unary.__all__) <= compared


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_values(name, dtype):
    formula, inputs, arguments = CASES[name]
    tensor, values = tensor_of(inputs, dtype)
    with np.errstate(all="ignore"):
        exact = formula(values, *arguments)
    result = getattr(ttnn, name)(tensor, *arguments)
    assert result.dtype is dtype and result.layout is tensor.layout
    assert (result is tensor) == name.endswith("_")
    assert_rounded(result, exact)


@pytest.mark.parametrize("name", ["exp", "gelu", "relu", "softplus", "silu", "sqrt", "isnan"])
def test_special_values_are_no_errors(name):
    torch = pytest.importorskip("torch")
    functions = {"gelu": torch.nn.functional.gelu, "softplus": torch.nn.functional.softplus,
                 "silu": torch.nn.functional.silu}
    expected = functions.get(name, getattr(torch, name, None))(torch.from_numpy(SPECIAL)).numpy()
    result = getattr(ttnn, name)(tensor_of(SPECIAL)[0]).to_numpy()
    np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_results_stay_where_the_tensor_is():
    device = ttnn.open_device()
    tensor = ttnn.ones((3, 5), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    result = ttnn.exp(tensor)
    assert result.device() is device and result.layout is ttnn.ROW_MAJOR_LAYOUT
    assert result.dtype is ttnn.bfloat16 and result.shape == (3, 5)
    assert ttnn.exp(tensor, dtype=ttnn.float32).dtype is ttnn.float32
    assert ttnn.exp(tensor, memory_config=ttnn.DRAM_MEMORY_CONFIG).shape == (3, 5)


@pytest.mark.parametrize("on_device", [False, True])
def test_output_tensor_is_written(on_device):
    tensor, values = tensor_of(ANY)
    output = ttnn.zeros(ANY.shape, device=ttnn.open_device() if on_device else None)
    assert ttnn.exp(tensor, output_tensor=output) is output
    assert_rounded(output, np.exp(values))
    with pytest.raises(ValueError, match=r"output_tensor has shape \(3,\)"):
        ttnn.exp(tensor, output_tensor=ttnn.zeros((3,)))


def test_clamp_with_one_limit_and_with_tensors():
    tensor, values = tensor_of(ANY)
    assert_rounded(ttnn.clamp(tensor, min=0.5), np.maximum(values, 0.5))
    assert_rounded(ttnn.clamp(tensor, max=0.5), np.minimum(values, 0.5))
    low = ttnn.full(ANY.shape, -1.0)
    assert_rounded(ttnn.clamp(tensor, low, 1.0), np.clip(values, -1, 1))
    with pytest.raises(ValueError, match="expected min=, max= or both"):
        ttnn.clamp(tensor)


def test_parameters_by_name_and_default():
    tensor, values = tensor_of(ANY)
    assert_rounded(ttnn.leaky_relu(tensor, negative_slope=0.5), np.maximum(values, values / 2))
    assert_rounded(ttnn.gelu(tensor, fast_and_approximate_mode=False), CASES["gelu"][0](values))
    assert_rounded(ttnn.exp(tensor, False), np.exp(values))
    assert_rounded(ttnn.round(tensor), np.round(values))
    assert_rounded(tensor.exp(), np.exp(values))


def test_double_precision_is_rounded_once():
    """(1 + 2^-12)^2 needs 25 bits, so float32 must round it. A later conversion to bfloat16 rounds again."""
    tensor = ttnn.full((2,), 1 + 2.0**-12)
    assert ttnn.square(tensor).to_numpy()[0] == np.float32(1 + 2.0**-11)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: ttnn.exp(np.ones(3)), TypeError, r"exp\(\): input_tensor: .* ndarray; convert"),
        (lambda: ttnn.exp(None), TypeError, "expected a ttnn.Tensor, found None"),
        (lambda: ttnn.exp(), TypeError, r"ttnn.exp\(\): missing .*'input_tensor'"),
        (lambda: ttnn.exp(ttnn.ones((2,)), colour=1), TypeError, "has no option 'colour'"),
        (lambda: ttnn.threshold(ttnn.ones((2,)), 1), TypeError, "missing .*'value'"),
        (lambda: ttnn.glu(ttnn.ones((3,))), ValueError, "must have an even extent"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()
