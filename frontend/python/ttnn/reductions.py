# SPDX-License-Identifier: Apache-2.0
"""Functions that combine the elements along dimensions. A dimension is given by its number; a
negative number counts from the end, and None means all dimensions. Sums are computed in double
precision, or in 64-bit integers."""

import numpy as np

from .operands import (
    REQUIRED,
    axes_of,
    axis_of,
    check_tensor,
    compute,
    define,
    finish,
    integer_of,
    signature_of,
)
from .types import uint32

__all__ = ["argmax", "argmin", "cumprod", "cumsum", "prod", "std", "var"]


def _apply(name, function, tensor, options, integers=True, dtype=None):
    array = compute(name, function, {"input_tensor": tensor}, integers)
    return finish(name, tensor, array, options, dtype)


def _define(name, function, summary, integers):
    def body(given):
        tensor = check_tensor(given["input_tensor"], f"ttnn.{name}(): input_tensor")
        options = dict(given["options"])
        scalar = options.pop("scalar", 1.0)
        axes = axes_of(given["dim"], len(tensor.shape))

        def scaled(x):
            result = function(x, axis=axes, keepdims=bool(given["keepdim"]))
            return result if scalar == 1 else result * scalar

        return _apply(name, scaled, tensor, options, integers)

    signature = signature_of({"input_tensor": REQUIRED, "dim": None, "keepdim": False})
    define(globals(), name, signature, body, summary)


_define("sum", np.sum, "The sum.", integers=True)
_define("mean", np.mean, "The mean.", integers=False)
_define("max", np.max, "The largest element.", integers=True)
_define("min", np.min, "The smallest element.", integers=True)


def prod(input_tensor, dim=None, keepdim=False, **options):
    """Returns the product along a dimension, or of all elements if dim is None.

    dim counts from 0, or from the end with negative numbers; None means all dimensions. Raises a
    TypeError for an argument that is no tensor, and a ValueError for a dimension that the tensor
    does not have.

    Example:

        y = ttnn.prod(x, dim=0)
    """
    tensor = check_tensor(input_tensor, "ttnn.prod(): input_tensor")
    axes = axes_of(dim, len(tensor.shape))
    return _apply("prod", lambda x: np.prod(x, axis=axes, keepdims=bool(keepdim)), tensor, options)


def _variance(x, axes, keepdim, freedom):
    distances = (x - np.mean(x, axis=axes, keepdims=True)) ** 2
    count = np.prod([x.shape[axis] for axis in axes])
    return np.sum(distances, axis=axes, keepdims=keepdim) / np.maximum(count - freedom, 0)


def _spread(name, function, input_tensor, dim, keepdim, correction, options):
    tensor = check_tensor(input_tensor, f"ttnn.{name}(): input_tensor")
    axes = axes_of(dim, len(tensor.shape))
    freedom = integer_of(correction, f"ttnn.{name}(): correction")

    def spread(x):
        return function(_variance(x, axes, bool(keepdim), freedom))

    return _apply(name, spread, tensor, options, integers=False)


def var(input_tensor, dim=None, keepdim=False, correction=True, **options):
    """Returns the variance: the sum of the squared distances from the mean, divided by the number
    of elements, or by one less if correction is true.

    dim counts from 0, or from the end with negative numbers; None means all dimensions. Raises a
    TypeError for an argument that is no tensor, and a ValueError for a dimension that the tensor
    does not have.

    Example:

        y = ttnn.var(x, dim=0)
    """
    return _spread("var", np.positive, input_tensor, dim, keepdim, correction, options)


def std(input_tensor, dim=None, keepdim=False, correction=True, **options):
    """Returns the square root of the variance.

    dim counts from 0, or from the end with negative numbers; None means all dimensions. Raises a
    TypeError for an argument that is no tensor, and a ValueError for a dimension that the tensor
    does not have.

    Example:

        y = ttnn.std(x, dim=0)
    """
    return _spread("std", np.sqrt, input_tensor, dim, keepdim, correction, options)


def _arg(name, function, input_tensor, dim, keepdim, options):
    tensor = check_tensor(input_tensor, f"ttnn.{name}(): input_tensor")
    axis = None if dim is None else axis_of(dim, len(tensor.shape))
    return _apply(name, lambda x: function(x, axis=axis, keepdims=bool(keepdim)), tensor, options,
                  dtype=uint32)


def argmax(input_tensor, dim=None, keepdim=False, **options):
    """Returns the position of the largest element as uint32. Of equal elements, it is the first.

    dim counts from 0, or from the end with negative numbers; None means all dimensions. Raises a
    TypeError for an argument that is no tensor, and a ValueError for a dimension that the tensor
    does not have.

    Example:

        y = ttnn.argmax(x, dim=-1)
    """
    return _arg("argmax", np.argmax, input_tensor, dim, keepdim, options)


def argmin(input_tensor, dim=None, keepdim=False, **options):
    """Returns the position of the smallest element as uint32. Of equal elements, it is the first.

    dim counts from 0, or from the end with negative numbers; None means all dimensions. Raises a
    TypeError for an argument that is no tensor, and a ValueError for a dimension that the tensor
    does not have.

    Example:

        y = ttnn.argmin(x, dim=-1)
    """
    return _arg("argmin", np.argmin, input_tensor, dim, keepdim, options)


def _running(name, function, input_tensor, dim, options):
    tensor = check_tensor(input_tensor, f"ttnn.{name}(): input_tensor")
    axis = axis_of(dim, len(tensor.shape))
    return _apply(name, lambda x: function(x, axis=axis), tensor, options)


def cumsum(input_tensor, dim, **options):
    """Returns, for each element, the sum of the elements up to it along a dimension.

    dim counts from 0, or from the end with negative numbers; None means all dimensions. Raises a
    TypeError for an argument that is no tensor, and a ValueError for a dimension that the tensor
    does not have.

    Example:

        y = ttnn.cumsum(x, 0)
    """
    return _running("cumsum", np.cumsum, input_tensor, dim, options)


def cumprod(input_tensor, dim, **options):
    """Returns, for each element, the product of the elements up to it along a dimension.

    dim counts from 0, or from the end with negative numbers; None means all dimensions. Raises a
    TypeError for an argument that is no tensor, and a ValueError for a dimension that the tensor
    does not have.

    Example:

        y = ttnn.cumprod(x, 0)
    """
    return _running("cumprod", np.cumprod, input_tensor, dim, options)
