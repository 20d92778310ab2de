# SPDX-License-Identifier: Apache-2.0
"""Functions of the elements of two or three tensors, or of tensors and numbers. Shapes are
broadcast: starting with the last dimension, extents must be equal or 1."""

import numpy as np

from .activations import activate
from .operands import (
    REQUIRED,
    check_tensor,
    compute,
    define,
    finish,
    is_tensor,
    signature_of,
)
from .unary import FUNCTIONS

__all__ = []

_BEFORE_A = ("input_tensor_a_activations", "lhs_activations", "input_tensor_a_activation")
_BEFORE_B = ("input_tensor_b_activations", "rhs_activations", "input_tensor_b_activation")
_AFTER = ("activations", "post_activations")


def _take(options, names):
    """Removes the options with these names, which mean the same, from `options`. Returns the first value
    that is not None; None if there is none."""
    found = [options.pop(name) for name in names if name in options]
    return next((each for each in found if each is not None), None)


def _activated(function, options):
    """Returns the function with the activations of the options applied to its operands and its result."""
    first, second, last = (_take(options, each) for each in (_BEFORE_A, _BEFORE_B, _AFTER))
    if first is None and second is None and last is None:
        return function
    return lambda a, b, *rest: activate(
        function(activate(a, first), activate(b, second), *rest), last
    )


def _first_tensor(name, *values):
    for value in values:
        if is_tensor(value):
            return value
    return check_tensor(values[0], f"ttnn.{name}(): input_tensor_a")


def elementwise(name, function, a, b, options, integers=True, extra=None):
    """Applies a function to two operands, at least one of which is a tensor; returns a tensor."""
    options = dict(options)
    like = _first_tensor(name, a, b)
    operands = {"input_tensor_a": a, "input_tensor_b": b, **(extra or {})}
    array = compute(name, _activated(function, options), operands, integers)
    return finish(name, like, array, options)


def _define(name, function, summary, parameters, integers):
    def body(given):
        extra = {key: given[key] for key in parameters}
        a, b = given["input_tensor_a"], given["input_tensor_b"]
        return elementwise(name, function, a, b, given["options"], integers, extra)

    names = {"input_tensor_a": REQUIRED, "input_tensor_b": REQUIRED, **parameters}
    define(globals(), name, signature_of(names), body, summary)


def _any(name, function, summary, **parameters):
    """Defines a function for floats and integers."""
    _define(name, function, summary, parameters, integers=True)


def _floats(name, function, summary, **parameters):
    """Defines a function for floats."""
    _define(name, function, summary, parameters, integers=False)


# ===--------------------------------------------------------------------------=== #
# Arithmetic
# ===--------------------------------------------------------------------------=== #


def _floor_divide(a, b):
    """Returns a / b rounded down. For a division by 0 it returns 0 for integers, an infinity or
    NaN for floats."""
    return np.floor_divide(a, b) if a.dtype.kind == "i" else np.floor(a / b)


_any("add", np.add, "a + b")
_any("subtract", np.subtract, "a - b")
_any("sub", np.subtract, "a - b")
_any("multiply", np.multiply, "a * b")
_any("mul", np.multiply, "a * b")
_any("rsub", lambda a, b: b - a, "b - a")
_floats("divide", np.divide, "a / b")
_any("floor_div", _floor_divide, "The largest integer that is not above a / b.")
_any("remainder", lambda a, b: np.mod(a, b), "a - b * floor(a / b)")
_any("fmod", lambda a, b: np.fmod(a, b), "a - b * trunc(a / b)")
_floats("div_no_nan", lambda a, b: np.where(b == 0, 0, a / b), "a / b, or 0 if b is 0.")
_floats("pow", np.power, "a to the power of b.")
_any("maximum", np.maximum, "The larger one of a and b.")
_any("minimum", np.minimum, "The smaller one of a and b.")
_any("squared_difference", lambda a, b: (a - b) ** 2, "(a - b) * (a - b)")
_floats("addalpha", lambda a, b, alpha: a + b * alpha, "a + b * alpha", alpha=REQUIRED)
_floats("subalpha", lambda a, b, alpha: a - b * alpha, "a - b * alpha", alpha=REQUIRED)
_floats("hypot", np.hypot, "sqrt(a * a + b * b)")
_floats("atan2", np.arctan2, "The angle of the point (b, a).")
_floats("ldexp", lambda a, b: a * np.exp2(b), "a * 2 to the power of b.")
_floats("logaddexp", np.logaddexp, "log(exp(a) + exp(b))")
_floats("logaddexp2", np.logaddexp2, "log2(exp2(a) + exp2(b))")
_floats("xlogy", lambda a, b: np.where(a == 0, np.where(np.isnan(b), b, 0), a * np.log(b)),
        "a * log(b), or 0 if a is 0.")
_floats("bias_gelu", lambda a, b: FUNCTIONS["gelu"](a + b), "gelu(a + b)")
_floats("prelu", lambda a, b: np.where(a < 0, a * b, a), "a, or a * b if a is negative.")
_any("gcd", lambda a, b: np.gcd(a.astype(np.int64), np.int64(b)), "The greatest common divisor.")
_any("lcm", lambda a, b: np.lcm(a.astype(np.int64), np.int64(b)), "The least common multiple.")

# ===--------------------------------------------------------------------------=== #
# Comparisons and logic: 1 for true, 0 for false
# ===--------------------------------------------------------------------------=== #

_any("eq", np.equal, "1 if a == b, else 0.")
_any("ne", np.not_equal, "1 if a != b, else 0.")
_any("lt", np.less, "1 if a < b, else 0.")
_any("le", np.less_equal, "1 if a <= b, else 0.")
_any("gt", np.greater, "1 if a > b, else 0.")
_any("ge", np.greater_equal, "1 if a >= b, else 0.")
_any("logical_and", np.logical_and, "1 if neither a nor b is 0, else 0.")
_any("logical_or", np.logical_or, "1 if a or b is not 0, else 0.")
_any("logical_xor", np.logical_xor, "1 if exactly one of a and b is not 0, else 0.")


def isclose(input_tensor_a, input_tensor_b, rtol=1e-05, atol=1e-08, equal_nan=False, **options):
    """Returns 1 where |a - b| <= atol + rtol * |b|, otherwise 0.

    The operands are tensors or numbers, at least one of them a tensor; their shapes are broadcast.
    Raises a TypeError for other arguments, and a ValueError for shapes that cannot be broadcast.

    Example:

        y = ttnn.isclose(x, x)
    """
    def function(a, b):
        return np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)

    return elementwise("isclose", function, input_tensor_a, input_tensor_b, options)


def allclose(input_tensor_a, input_tensor_b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Returns whether |a - b| <= atol + rtol * |b| for all elements, as a Python bool.

    The operands are tensors or numbers, at least one of them a tensor; their shapes are broadcast.
    Raises a TypeError for other arguments, and a ValueError for shapes that cannot be broadcast.

    Example:

        assert ttnn.allclose(x, x)
    """
    close = isclose(input_tensor_a, input_tensor_b, rtol, atol, equal_nan)
    return bool(close.to_numpy().all())


# ===--------------------------------------------------------------------------=== #
# Bits of integers
# ===--------------------------------------------------------------------------=== #


def _bits(name, function, summary):
    def of_integers(a, b):
        if getattr(a, "dtype", np.dtype(int)).kind == "f":
            raise TypeError(f"ttnn.{name}() can only be used with tensors of integers; convert "
                            "the tensor with ttnn.typecast")
        return function(a, b)

    _any(name, of_integers, summary)


_bits("bitwise_and", np.bitwise_and, "The bits that are set in both a and b.")
_bits("bitwise_or", np.bitwise_or, "The bits that are set in a or b.")
_bits("bitwise_xor", np.bitwise_xor, "The bits that are set in exactly one of a and b.")
_bits("bitwise_left_shift", np.left_shift, "a with its bits moved up by b.")
_bits("bitwise_right_shift", np.right_shift, "a with its bits moved down by b.")

# ===--------------------------------------------------------------------------=== #
# Division with a choice of rounding
# ===--------------------------------------------------------------------------=== #

_ROUNDINGS = {None: np.divide, "floor": lambda a, b: np.floor(a / b),
              "trunc": lambda a, b: np.trunc(a / b)}


def div(input_tensor_a, input_tensor_b, accurate_mode=False, round_mode=None, rounding_mode=None,
        **options):
    """Returns a / b. With round_mode "floor" or "trunc", the result is rounded to a whole number.

    The operands are tensors or numbers, at least one of them a tensor; their shapes are broadcast.
    Raises a TypeError for other arguments, and a ValueError for shapes that cannot be broadcast.

    Example:

        y = ttnn.div(x, 2.0, rounding_mode="floor")
    """
    mode = rounding_mode if round_mode is None else round_mode
    if mode not in _ROUNDINGS:
        raise ValueError(f"ttnn.div(): round_mode={mode!r}: expected None, 'floor' or 'trunc'")
    return elementwise("div", _ROUNDINGS[mode], input_tensor_a, input_tensor_b, options, False)


power = globals()["pow"]


# ===--------------------------------------------------------------------------=== #
# In place
# ===--------------------------------------------------------------------------=== #


def _in_place(name):
    def body(given):
        tensor = check_tensor(given["input_tensor_a"], f"ttnn.{name}_(): input_tensor_a")
        options = {**given["options"], "output_tensor": tensor}
        return globals()[name](tensor, given["input_tensor_b"], **options)

    names = {"input_tensor_a": REQUIRED, "input_tensor_b": REQUIRED}
    summary = f"{name}, written to the first tensor."
    define(globals(), f"{name}_", signature_of(names), body, summary)


for _name in ("add", "subtract", "multiply", "divide"):
    _in_place(_name)


# ===--------------------------------------------------------------------------=== #
# Three operands
# ===--------------------------------------------------------------------------=== #


def _three(name, function, summary, **parameters):
    def body(given):
        operands = {key: value for key, value in given.items() if key != "options"}
        like = check_tensor(given["input_tensor_a"], f"ttnn.{name}(): input_tensor_a")
        array = compute(name, function, operands, integers=True)
        return finish(name, like, array, given["options"])

    names = dict.fromkeys(("input_tensor_a", "input_tensor_b", "input_tensor_c"), REQUIRED)
    define(globals(), name, signature_of({**names, **parameters}), body, summary)


_three("mac", lambda a, b, c: a * b + c, "a * b + c")
_three("lerp", lambda a, b, c: a + c * (b - a), "a + c * (b - a)")
_three("addcmul", lambda a, b, c, value: a + value * b * c, "a + value * b * c", value=1.0)
_three("addcdiv", lambda a, b, c, value: a + value * b / c, "a + value * b / c", value=1.0)


def where(predicate, true_value, false_value, **options):
    """Returns true_value where the predicate is not 0, otherwise false_value.

    The predicate is a tensor; the values are tensors or numbers. Their shapes are broadcast.
    Raises a TypeError for other arguments, and a ValueError for shapes that cannot be broadcast.

    Example:

        y = ttnn.where(ttnn.gt(x, 0.5), x, 0.0)
    """
    check_tensor(predicate, "ttnn.where(): predicate")
    operands = dict(true_value=true_value, false_value=false_value, predicate=predicate)
    like = next(each for each in operands.values() if is_tensor(each))

    def function(a, b, chosen):
        return np.where(chosen != 0, a, b)

    return finish("where", like, compute("where", function, operands, integers=True), options)


def polyval(input_tensor, coeffs, **options):
    """Returns the value of a polynomial at each element of a tensor. coeffs has its coefficients, the
    one of the highest power first.

    Raises a TypeError for an argument that is no tensor, or a tensor of integers.

    Example:

        y = ttnn.polyval(x, [1.0, 0.0, 2.0])
    """
    tensor = check_tensor(input_tensor, "ttnn.polyval(): input_tensor")
    array = compute("polyval", lambda x: np.polyval(coeffs, x), {"input_tensor": tensor}, False)
    return finish("polyval", tensor, array, options)


__all__ += ["allclose", "div", "isclose", "polyval", "power", "where"]
