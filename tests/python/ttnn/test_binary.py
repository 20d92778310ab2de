# SPDX-License-Identifier: Apache-2.0
"""Functions of two or three tensors, element by element, compared with numpy."""

import numpy as np
import pytest
import ttnn
from golden import DTYPES, assert_rounded, tensor_of

RNG = np.random.default_rng(4)
A = RNG.standard_normal((33, 40)) * 4
B = RNG.standard_normal((33, 40)) * 4
C = RNG.standard_normal((33, 40)) * 4
A[0, :6] = B[0, :6] = [0, 1, -1, 2, 2.5, -7]
A[1, :4], B[1, :4] = [0, 0, 3, -3], [1, 0, 0, 0]
WHOLE = {"gcd", "lcm"}
POSITIVE = {"xlogy", "pow", "power"}


def remainder(a, b):
    return a - b * np.floor(a / b)


# {name: (formula in float64, further arguments)}
CASES = {
    "add": (np.add, ()),
    "subtract": (np.subtract, ()),
    "sub": (np.subtract, ()),
    "multiply": (np.multiply, ()),
    "mul": (np.multiply, ()),
    "rsub": (lambda a, b: b - a, ()),
    "divide": (np.divide, ()),
    "div": (np.divide, ()),
    "floor_div": (lambda a, b: np.floor(a / b), ()),
    "remainder": (remainder, ()),
    "fmod": (lambda a, b: a - b * np.trunc(a / b), ()),
    "div_no_nan": (lambda a, b: np.where(b == 0, 0, a / b), ()),
    "pow": (np.power, ()),
    "power": (np.power, ()),
    "maximum": (np.maximum, ()),
    "minimum": (np.minimum, ()),
    "squared_difference": (lambda a, b: (a - b) * (a - b), ()),
    "addalpha": (lambda a, b, alpha: a + alpha * b, (0.5,)),
    "subalpha": (lambda a, b, alpha: a - alpha * b, (0.5,)),
    "hypot": (lambda a, b: np.sqrt(a * a + b * b), ()),
    "atan2": (np.arctan2, ()),
    "ldexp": (lambda a, b: a * 2**b, ()),
    "logaddexp": (lambda a, b: np.log(np.exp(a) + np.exp(b)), ()),
    "logaddexp2": (lambda a, b: np.log2(2**a + 2**b), ()),
    "xlogy": (lambda a, b: np.where(a == 0, 0, a * np.log(b)), ()),
    "prelu": (lambda a, b: np.where(a < 0, a * b, a), ()),
    "gcd": (lambda a, b: np.gcd(a.astype(int), b.astype(int)), ()),
    "lcm": (lambda a, b: np.lcm(a.astype(int), b.astype(int)), ()),
    "eq": (np.equal, ()),
    "ne": (np.not_equal, ()),
    "lt": (np.less, ()),
    "le": (np.less_equal, ()),
    "gt": (np.greater, ()),
    "ge": (np.greater_equal, ()),
    "logical_and": (lambda a, b: (a != 0) & (b != 0), ()),
    "logical_or": (lambda a, b: (a != 0) | (b != 0), ()),
    "logical_xor": (lambda a, b: (a != 0) ^ (b != 0), ()),
    "isclose": (lambda a, b, r, t: np.abs(a - b) <= t + r * np.abs(b), (0.1, 0.2)),
}
# Functions that tests of their own compare.
ELSEWHERE = (
    "add_ subtract_ multiply_ divide_ mac lerp addcmul addcdiv where polyval allclose bias_gelu "
    "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift"
).split()


def inputs_of(name, dtype):
    a, b = (np.abs(A), np.abs(B)) if name in POSITIVE else (A, B)
    a, b = (np.round(a), np.round(b)) if name in WHOLE else (a, b)
    return (*tensor_of(a, dtype), *tensor_of(b, dtype))


def test_every_function_is_compared():
    from ttnn import binary

    assert set(binary.__all__) == set(CASES) | set(ELSEWHERE)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_values(name, dtype):
    a, x, b, y = inputs_of(name, dtype)
    formula, arguments = CASES[name]
    with np.errstate(all="ignore"):
        exact = formula(x, y, *arguments)
    if name in ("remainder", "fmod"):  # the formula loses digits that ttnn keeps
        result = getattr(ttnn, name)(a, b).to_numpy()
        np.testing.assert_allclose(result, exact, rtol=0, atol=2e-6 if dtype is DTYPES[0] else 0.07)
        return
    result = getattr(ttnn, name)(a, b, *arguments)
    assert result.dtype is dtype
    assert_rounded(result, exact)


@pytest.mark.parametrize("shapes", [((33, 40), (40,)), ((33, 1), (1, 40)), ((1,), (3, 5)),
                                    ((2, 1, 5), (3, 1)), ((), (3,))])
def test_shapes_are_broadcast(shapes):
    (a, x), (b, y) = (tensor_of(RNG.standard_normal(shape)) for shape in shapes)
    assert_rounded(ttnn.add(a, b), x + y)
    assert_rounded(ttnn.where(a, b, 2.0), np.where(x != 0, y, 2.0))


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "pow", "maximum", "ge"])
def test_numbers_are_operands(name):
    a, x = tensor_of(np.abs(A))
    function, formula = getattr(ttnn, name), CASES[name][0]
    with np.errstate(all="ignore"):
        assert_rounded(function(a, 0.1), formula(x, np.float64(np.float32(0.1))))
        assert_rounded(function(2, a), formula(2.0, x))


def test_numpy_scalars_are_numbers():
    a = ttnn.ones((2, 3))
    for scalar in (np.float32(2), np.float64(2), np.int64(2), True + True):
        np.testing.assert_array_equal((scalar * a).to_numpy(), (a * scalar).to_numpy())
        assert (scalar * a).to_numpy()[0, 0] == 2


def test_the_first_tensor_decides():
    device = ttnn.open_device()
    a = ttnn.ones((2, 3), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    b = ttnn.full((2, 3), 1 + 2.0**-10)
    result = a + b
    assert result.dtype is ttnn.bfloat16 and result.device() is device
    assert result.layout is ttnn.ROW_MAJOR_LAYOUT
    assert (b + a).dtype is ttnn.float32 and (b + a).to_numpy()[0, 0] == np.float32(2 + 2.0**-10)
    assert ttnn.add(a, b, dtype=ttnn.float32).to_numpy()[0, 0] == np.float32(2 + 2.0**-10)


def test_activations_are_rounded_with_the_result():
    a, x = tensor_of(A, ttnn.bfloat16)
    b, y = tensor_of(B, ttnn.bfloat16)
    relu = ttnn.UnaryOpType.RELU
    leaky = ttnn.UnaryWithParam(ttnn.UnaryOpType.LEAKY_RELU, 0.5)
    with np.errstate(all="ignore"):
        assert_rounded(ttnn.add(a, b, activations=[relu]), np.maximum(x + y, 0))
        assert_rounded(ttnn.add(a, b, activations=["relu", "sqrt"]), np.sqrt(np.maximum(x + y, 0)))
        assert_rounded(ttnn.multiply(a, b, input_tensor_a_activations=[ttnn.UnaryOpType.EXP]),
                       np.exp(x) * y)
        assert_rounded(ttnn.add(a, b, post_activations=[leaky]),
                       np.where(x + y < 0, (x + y) / 2, x + y))
    with pytest.raises(ValueError, match="activation 'rel': expected a ttnn.UnaryOpType"):
        ttnn.add(a, b, activations=["rel"])


@pytest.mark.parametrize("on_device", [False, True])
def test_in_place(on_device):
    device = ttnn.open_device() if on_device else None
    for name in ("add", "subtract", "multiply", "divide"):
        (a, x), (b, y) = tensor_of(A, device=device), tensor_of(B)
        with np.errstate(all="ignore"):
            assert getattr(ttnn, f"{name}_")(a, b) is a
            assert_rounded(a, CASES[name][0](x, y))


def test_in_place_changes_shared_memory():
    values = np.ones((4, 4), np.float32)
    ttnn.add_(ttnn.from_numpy(values), 1)
    np.testing.assert_array_equal(values, np.full((4, 4), 2, np.float32))


def test_three_operands():
    (a, x), (b, y), (c, z) = tensor_of(A), tensor_of(B), tensor_of(C)
    with np.errstate(all="ignore"):
        assert_rounded(ttnn.mac(a, b, c), x * y + z)
        assert_rounded(ttnn.lerp(a, b, c), x + z * (y - x))
        assert_rounded(ttnn.lerp(a, b, 0.25), x + 0.25 * (y - x))
        assert_rounded(ttnn.addcmul(a, b, c, value=0.5), x + 0.5 * y * z)
        assert_rounded(ttnn.addcdiv(a, b, c), x + y / z)


def test_where():
    (a, x), (b, y) = tensor_of(A), tensor_of(B, ttnn.bfloat16)
    condition = ttnn.gt(a, 0)
    assert_rounded(ttnn.where(condition, a, b), np.where(x > 0, x, y))
    assert ttnn.where(condition, b, a).dtype is ttnn.bfloat16
    assert_rounded(ttnn.where(condition, 1.0, 0.0), x > 0)


def test_polynomial_and_gelu_of_a_sum():
    a, x = tensor_of(A)
    assert_rounded(ttnn.polyval(a, [2.0, 0.5, -1.0]), 2 * x * x + 0.5 * x - 1)
    np.testing.assert_array_equal(ttnn.bias_gelu(a, 0.0).to_numpy(), ttnn.gelu(a).to_numpy())


def test_allclose_is_a_bool():
    a, b = ttnn.ones((4, 4)), ttnn.full((4, 4), 1.001)
    assert ttnn.allclose(a, b, rtol=0.01) is True
    assert ttnn.allclose(a, b) is False
    nan = ttnn.full((2,), float("nan"))
    assert ttnn.allclose(nan, nan, equal_nan=True) and not ttnn.allclose(nan, nan)


def test_rounding_of_division():
    (a, x), (b, y) = tensor_of(A), tensor_of(B)
    with np.errstate(all="ignore"):
        assert_rounded(ttnn.div(a, b, round_mode="floor"), np.floor(x / y))
        assert_rounded(ttnn.div(a, b, rounding_mode="trunc"), np.trunc(x / y))
    with pytest.raises(ValueError, match="round_mode='up'"):
        ttnn.div(a, b, round_mode="up")


def test_bits_need_integers():
    for name in ("and", "or", "xor", "left_shift", "right_shift"):
        with pytest.raises(TypeError, match="can only be used with tensors of integers"):
            getattr(ttnn, f"bitwise_{name}")(ttnn.ones((2,)), 1)
    with pytest.raises(TypeError, match="can only be used with tensors of integers"):
        ttnn.bitwise_not(ttnn.ones((2,)))


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda a: ttnn.add(a, "1"), TypeError, "input_tensor_b: expected .*found str"),
        (lambda a: ttnn.add(1, 2), TypeError, "input_tensor_a: expected a ttnn.Tensor, found int"),
        (lambda a: ttnn.add(a, ttnn.ones((3,))), ValueError, r"\(2,\) and \(3,\) cannot be broad"),
        (lambda a: ttnn.add(a), TypeError, "missing .*'input_tensor_b'"),
        (lambda a: a + np.ones(2), TypeError, "from_numpy"),
        (lambda a: a < "x", TypeError, "not supported"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call(ttnn.ones((2,)))
