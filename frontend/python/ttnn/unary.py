# SPDX-License-Identifier: Apache-2.0
"""Functions that are applied to each element of one tensor."""

import math

import numpy as np

from .operands import (
    REQUIRED,
    axis_of,
    check_tensor,
    compute,
    define,
    finish,
    integer_of,
    signature_of,
    write,
)

__all__ = []

# Name -> function of an array and its parameters. Used by activations= and UnaryOpType.
FUNCTIONS = {}
# Names of the functions that accept tensors of integers.
INTEGRAL = set()


def _define(name, function, summary, parameters, integers):
    def body(given):
        tensor = check_tensor(given["input_tensor"], f"ttnn.{name}(): input_tensor")
        options = given["options"]
        operands = {key: value for key, value in given.items() if key in chosen}
        array = compute(name, function, {"input_tensor": tensor, **operands}, integers)
        return finish(name, tensor, array, options)

    chosen = {key for key in parameters if key not in _WITHOUT_EFFECT}
    signature = signature_of({"input_tensor": REQUIRED, **parameters})
    define(globals(), name, signature, body, summary)
    FUNCTIONS[name] = function
    if integers:
        INTEGRAL.add(name)


# Parameters that select how a device computes. They do not change results on the host.
_WITHOUT_EFFECT = ("fast_and_approximate_mode", "vector_mode")


def _floats(name, function, summary, **parameters):
    """Defines a function for floats."""
    _define(name, function, summary, parameters, integers=False)


def _any(name, function, summary, **parameters):
    """Defines a function for floats and integers."""
    _define(name, function, summary, parameters, integers=True)


def _per_element(function):
    """Converts a function of one Python float to a function of arrays. Where the function raises an error,
    the result is an infinity, or NaN if the element is NaN."""

    def guarded(x):
        try:
            return function(x)
        except (ValueError, OverflowError):
            return math.nan if math.isnan(x) else math.inf

    vectorised = np.frompyfunc(guarded, 1, 1)
    return lambda x: np.asarray(vectorised(x), dtype=np.float64)


def _limited(x, low, high):
    return np.minimum(np.maximum(x, low), high)


# ===--------------------------------------------------------------------------=== #
# Arithmetic and rounding
# ===--------------------------------------------------------------------------=== #

_any("abs", np.abs, "|x|")
_any("neg", np.negative, "-x")
_any("sign", np.sign, "-1 if x < 0, 0 if x is 0, 1 if x > 0.")
_any("square", np.square, "x * x")
_any("identity", np.copy, "x")
_floats("reciprocal", lambda x: 1 / x, "1 / x")
_floats("sqrt", np.sqrt, "The square root.")
_floats("rsqrt", lambda x: 1 / np.sqrt(x), "1 / sqrt(x)")
_floats("cbrt", np.cbrt, "The cube root.")
_any("floor", np.floor, "The largest integer that is not above x.")
_any("ceil", np.ceil, "The smallest integer that is not below x.")
_any("trunc", np.trunc, "x without its fraction.")
_floats("frac", lambda x: x - np.trunc(x), "The fraction of x, with the sign of x.")
_floats("round", lambda x, n: np.round(x * 10.0**n) / 10.0**n,
        "x rounded to a number of decimals, halves to even.", decimals=0)
_floats("deg2rad", np.deg2rad, "Degrees to radians.")
_floats("rad2deg", np.rad2deg, "Radians to degrees.")

# ===--------------------------------------------------------------------------=== #
# Exponentials, logarithms, trigonometry
# ===--------------------------------------------------------------------------=== #

_erf = _per_element(math.erf)

_floats("exp", np.exp, "e to the power of x.", fast_and_approximate_mode=False)
_floats("exp2", np.exp2, "2 to the power of x.")
_floats("expm1", np.expm1, "exp(x) - 1")
_floats("log", np.log, "The natural logarithm.", fast_and_approximate_mode=False)
_floats("log2", np.log2, "The logarithm to base 2.")
_floats("log10", np.log10, "The logarithm to base 10.")
_floats("log1p", np.log1p, "log(1 + x)")
for _name in "sin cos tan sinh cosh tanh".split():
    _floats(_name, getattr(np, _name), f"{_name}(x)")
for _name in "sin cos tan sinh cosh tanh".split():
    _floats(f"a{_name}", getattr(np, f"arc{_name}"), f"The inverse of {_name}.")
_floats("erf", _erf, "The error function.", fast_and_approximate_mode=False)
_floats("erfc", _per_element(math.erfc), "1 - erf(x)", fast_and_approximate_mode=False)
_floats("lgamma", _per_element(math.lgamma), "The logarithm of the gamma function.")
_floats("i0", np.i0, "The modified Bessel function of order 0.")
_floats("logit", lambda x, eps: _logit(x, eps), "log(x / (1 - x)); eps clamps x.", eps=0.0)


def _logit(x, eps):
    x = _limited(x, eps, 1 - eps) if eps > 0 else x
    return np.log(x / (1 - x))


# ===--------------------------------------------------------------------------=== #
# Activations
# ===--------------------------------------------------------------------------=== #


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _softplus(x, beta=1.0, threshold=20.0):
    return np.where(x * beta > threshold, x, np.log1p(np.exp(np.minimum(x * beta, 700))) / beta)


def _elu(x, alpha):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


_any("relu", lambda x: np.where(x < 0, 0, x), "max(x, 0)")
_any("relu6", lambda x: _limited(x, 0, 6), "min(max(x, 0), 6)")
_any("relu_max", lambda x, hi: _limited(x, 0, hi), "min(max(x, 0), upper_limit)",
     upper_limit=REQUIRED)
_any("relu_min", lambda x, lo: np.maximum(np.maximum(x, lo), 0), "max(x, lower_limit, 0)",
     lower_limit=REQUIRED)
_floats("leaky_relu", lambda x, slope: np.where(x < 0, x * slope, x),
        "x, or x * negative_slope if x is negative.", negative_slope=0.01)
_floats("sigmoid", _sigmoid, "1 / (1 + exp(-x))", vector_mode=None,
        fast_and_approximate_mode=False)
_floats("sigmoid_accurate", _sigmoid, "1 / (1 + exp(-x))")
_floats("log_sigmoid", lambda x: np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))),
        "log(sigmoid(x))")
_floats("hardsigmoid", lambda x: _limited(x + 3, 0, 6) / 6, "min(max(x + 3, 0), 6) / 6")
_floats("hardswish", lambda x: x * _limited(x + 3, 0, 6) / 6, "x * hardsigmoid(x)")
_floats("hardtanh", lambda x, lo, hi: _limited(x, lo, hi), "x limited to a range.",
        min_val=-1.0, max_val=1.0)
_floats("hardshrink", lambda x, limit: np.where(np.abs(x) > limit, x, 0),
        "x, or 0 if |x| is at most lambd.", lambd=0.5)
_floats("softshrink", lambda x, limit: np.sign(x) * np.maximum(np.abs(x) - limit, 0),
        "x moved towards 0 by lambd.", lambd=0.5)
_floats("silu", lambda x: x * _sigmoid(x), "x * sigmoid(x)")
_floats("swish", lambda x: x * _sigmoid(x), "x * sigmoid(x)")
_floats("mish", lambda x: x * np.tanh(_softplus(x)), "x * tanh(softplus(x))")
_floats("gelu", lambda x: x * (1 + _erf(x * math.sqrt(0.5))) / 2,
        "x times the normal distribution function of x.", fast_and_approximate_mode=False)
_floats("softsign", lambda x: x / (1 + np.abs(x)), "x / (1 + |x|)")
_floats("softplus", _softplus, "log(1 + exp(beta x)) / beta, or x if beta x is above threshold.",
        beta=1.0, threshold=20.0)
_floats("softcap", lambda x, beta: beta * np.tanh(x / beta), "beta * tanh(x / beta)",
        beta=REQUIRED)
_floats("tanhshrink", lambda x: x - np.tanh(x), "x - tanh(x)")
_floats("elu", _elu, "x, or alpha (exp(x) - 1) if x is negative.", alpha=1.0)
_floats("celu", lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0) / alpha)),
        "x, or alpha (exp(x / alpha) - 1) if x is negative.", alpha=1.0)
_floats("selu", lambda x, scale, alpha: scale * _elu(x, alpha), "scale * elu(x, alpha)",
        scale=1.0507, alpha=1.67326)
_floats("threshold", lambda x, limit, value: np.where(x > limit, x, value),
        "x, or value if x is not above threshold.", threshold=REQUIRED, value=REQUIRED)
_any("heaviside", lambda x, value: np.where(x == 0, value, x > 0),
     "0 if x is negative, 1 if x is positive, value if x is 0.", value=REQUIRED)

# ===--------------------------------------------------------------------------=== #
# Questions: 1 for true, 0 for false
# ===--------------------------------------------------------------------------=== #

_any("isnan", np.isnan, "1 if x is NaN, else 0.")
_any("isinf", np.isinf, "1 if x is an infinity, else 0.")
_any("isposinf", lambda x: np.isinf(x) & (x > 0), "1 if x is +inf, else 0.")
_any("isneginf", lambda x: np.isinf(x) & (x < 0), "1 if x is -inf, else 0.")
_any("isfinite", np.isfinite, "1 if x is neither NaN nor an infinity, else 0.")
_any("signbit", np.signbit, "1 if the sign of x is negative (also for -0), else 0.")
_any("logical_not", lambda x: x == 0, "1 if x is 0, else 0.")
_any("eqz", lambda x: x == 0, "1 if x is 0, else 0.")
_any("nez", lambda x: x != 0, "1 if x is not 0, else 0.")
_any("ltz", lambda x: x < 0, "1 if x < 0, else 0.")
_any("lez", lambda x: x <= 0, "1 if x <= 0, else 0.")
_any("gtz", lambda x: x > 0, "1 if x > 0, else 0.")
_any("gez", lambda x: x >= 0, "1 if x >= 0, else 0.")


def _inverted(x):
    if x.dtype.kind == "f":
        raise TypeError("ttnn.bitwise_not() can only be used with tensors of integers; convert "
                        "the tensor with ttnn.typecast")
    return ~x


_any("bitwise_not", _inverted, "x with all bits inverted.")

# ===--------------------------------------------------------------------------=== #
# Functions with limits or numbers
# ===--------------------------------------------------------------------------=== #

_any("fill", lambda x, value: np.full(np.shape(x), value), "fill_value in every element.",
     fill_value=REQUIRED)
_floats("rdiv", lambda x, value: value / x, "value / x", value=REQUIRED)
_floats("rpow", lambda x, exponent: np.power(exponent, x), "exponent to the power of x.",
        exponent=REQUIRED)


def _define_clamp(name):
    def body(given):
        tensor = check_tensor(given["input_tensor"], f"ttnn.{name}(): input_tensor")
        limits = {key: given[key] for key in ("min", "max") if given[key] is not None}
        if not limits:
            raise ValueError(f"ttnn.{name}(): expected min=, max= or both")
        if "min" not in limits:
            function = np.minimum
        elif "max" not in limits:
            function = np.maximum
        else:
            function = _limited
        array = compute(name, function, {"input_tensor": tensor, **limits}, integers=True)
        return finish(name, tensor, array, given["options"])

    signature = signature_of({"input_tensor": REQUIRED, "min": None, "max": None})
    define(globals(), name, signature, body, "x limited to a range; limits are numbers or tensors.",
           f"y = ttnn.{name}(x, min=0.0, max=1.0)")


_define_clamp("clamp")
_define_clamp("clip")


def _in_place(name):
    def body(given):
        tensor = check_tensor(given["input_tensor"], f"ttnn.{name}_(): input_tensor")
        result = globals()[name](tensor, **given["options"])
        return write(tensor, result.to_numpy(), "input_tensor")

    signature = signature_of({"input_tensor": REQUIRED})
    define(globals(), f"{name}_", signature, body, f"{name}(x), written to the tensor itself.")


for _name in ("relu", "exp", "sqrt"):
    _in_place(_name)


# ===--------------------------------------------------------------------------=== #
# Parts of a tensor
# ===--------------------------------------------------------------------------=== #


def tril(input_tensor, diagonal=0, **options):
    """Returns the elements on and below a diagonal of each matrix, and 0 above it.

    The result has the shape, type, layout and device of the operand. Raises a TypeError for an
    argument that is no tensor, or a diagonal that is no integer.

    Example:

        y = ttnn.tril(x)
    """
    tensor = check_tensor(input_tensor, "ttnn.tril(): input_tensor")
    diagonal = integer_of(diagonal, "ttnn.tril(): diagonal")
    array = compute("tril", lambda x: np.tril(x, diagonal), {"input_tensor": tensor}, True)
    return finish("tril", tensor, array, options)


def triu(input_tensor, diagonal=0, **options):
    """Returns the elements on and above a diagonal of each matrix, and 0 below it.

    The result has the shape, type, layout and device of the operand. Raises a TypeError for an
    argument that is no tensor, or a diagonal that is no integer.

    Example:

        y = ttnn.triu(x, diagonal=1)
    """
    tensor = check_tensor(input_tensor, "ttnn.triu(): input_tensor")
    diagonal = integer_of(diagonal, "ttnn.triu(): diagonal")
    array = compute("triu", lambda x: np.triu(x, diagonal), {"input_tensor": tensor}, True)
    return finish("triu", tensor, array, options)


def _gated(name, gate, summary):
    def body(given):
        tensor = check_tensor(given["input_tensor"], f"ttnn.{name}(): input_tensor")
        axis = axis_of(given["dim"], len(tensor.shape))
        if len(tensor.shape) == 0 or tensor.shape[axis] % 2:
            raise ValueError(f"ttnn.{name}(): dimension {axis} of {tensor.shape} must have an "
                             "even extent")

        def function(x):
            first, second = np.split(x, 2, axis=axis)
            return first * gate(second)

        array = compute(name, function, {"input_tensor": tensor}, integers=False)
        return finish(name, tensor, array, given["options"])

    define(globals(), name, signature_of({"input_tensor": REQUIRED, "dim": -1}), body, summary)


_gated("glu", _sigmoid, "The first half of a dimension times sigmoid of the second.")
_gated("reglu", FUNCTIONS["relu"], "The first half of a dimension times relu of the second.")
_gated("geglu", FUNCTIONS["gelu"], "The first half of a dimension times gelu of the second.")
_gated("swiglu", FUNCTIONS["silu"], "The first half of a dimension times silu of the second.")

__all__ += ["tril", "triu"]
