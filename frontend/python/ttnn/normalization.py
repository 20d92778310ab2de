# SPDX-License-Identifier: Apache-2.0
"""Softmax, and functions that normalise the last dimension."""

import numpy as np

from .operands import axis_of, check_tensor, compute, finish, write
from .storage import numbers_of

__all__ = ["group_norm", "layer_norm", "log_softmax", "rms_norm", "softmax", "softmax_in_place"]


def _check_floats(name, tensor):
    check_tensor(tensor, f"ttnn.{name}(): input_tensor")
    return compute(name, lambda x: x, {"input_tensor": tensor}, integers=False)


def _softmax(x, axis):
    with np.errstate(all="ignore"):
        powers = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return powers / np.sum(powers, axis=axis, keepdims=True)


def softmax(input_tensor, dim=-1, **options):
    """Returns exp(x) divided by the sum of exp(x) along a dimension.

    x stands for the tensor's elements; the result has the tensor's shape. Raises a TypeError for an
    argument that is no tensor, or a tensor of integers, and a ValueError for a dimension that the
    tensor does not have.

    Example:

        y = ttnn.softmax(x, dim=-1)
    """
    values = _check_floats("softmax", input_tensor)
    axis = axis_of(dim, values.ndim)
    return finish("softmax", input_tensor, _softmax(values, axis), options)


def softmax_in_place(input_tensor, dim=-1, **options):
    """Computes softmax and writes the result to the tensor itself.

    x stands for the tensor's elements; the result has the tensor's shape. Raises a TypeError for an
    argument that is no tensor, or a tensor of integers, and a ValueError for a dimension that the
    tensor does not have.

    Example:

        ttnn.softmax_in_place(x)
    """
    result = softmax(input_tensor, dim, **options)
    return write(input_tensor, numbers_of(result), "input_tensor")


def log_softmax(input_tensor, dim=-1, **options):
    """Returns the logarithm of softmax.

    x stands for the tensor's elements; the result has the tensor's shape. Raises a TypeError for an
    argument that is no tensor, or a tensor of integers, and a ValueError for a dimension that the
    tensor does not have.

    Example:

        y = ttnn.log_softmax(x, dim=-1)
    """
    values = _check_floats("log_softmax", input_tensor)
    axis = axis_of(dim, values.ndim)
    with np.errstate(all="ignore"):
        shifted = values - np.max(values, axis=axis, keepdims=True)
        array = shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
    return finish("log_softmax", input_tensor, array, options)


def _vector(name, tensor, argument, width):
    """Returns a weight or bias. Raises a ValueError unless it has `width` elements, as many as a row."""
    values = numbers_of(check_tensor(tensor, f"ttnn.{name}(): {argument}"))
    if values.size != width:
        raise ValueError(f"ttnn.{name}(): {argument} has shape {values.shape}, expected {width} "
                         "elements")
    return values.reshape(width)


def _normalized(name, function, tensor, weight, bias, residual, options):
    values = _check_floats(name, tensor)
    if not values.ndim:
        raise ValueError(f"ttnn.{name}(): the tensor has no dimensions, expected at least 1")
    if residual is not None:
        values = values + numbers_of(check_tensor(residual, "residual_input_tensor"))
    width = values.shape[-1]
    with np.errstate(all="ignore"):
        array = function(values)
        if weight is not None:
            array = array * _vector(name, weight, "weight", width)
        if bias is not None:
            array = array + _vector(name, bias, "bias", width)
    return finish(name, tensor, array, options)


def layer_norm(input_tensor, *, epsilon=1e-12, weight=None, bias=None,
               residual_input_tensor=None, **options):
    """Returns (x - mean) / sqrt(variance + epsilon) * weight + bias along the last dimension.

    x stands for the tensor's elements; the result has the tensor's shape. Raises a TypeError for an
    argument that is no tensor, or a tensor of integers, and a ValueError for a weight or bias that
    has another number of elements.

    Example:

        y = ttnn.layer_norm(x, epsilon=1e-5)
    """
    def function(x):
        centred = x - np.mean(x, axis=-1, keepdims=True)
        return centred / np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + epsilon)

    return _normalized("layer_norm", function, input_tensor, weight, bias,
                       residual_input_tensor, options)


def rms_norm(input_tensor, *, epsilon=1e-12, weight=None, bias=None,
             residual_input_tensor=None, **options):
    """Returns x / sqrt(mean of squares + epsilon) * weight + bias along the last dimension.

    x stands for the tensor's elements; the result has the tensor's shape. Raises a TypeError for an
    argument that is no tensor, or a tensor of integers, and a ValueError for a weight or bias that
    has another number of elements.

    Example:

        y = ttnn.rms_norm(x, epsilon=1e-5)
    """
    def function(x):
        return x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + epsilon)

    return _normalized("rms_norm", function, input_tensor, weight, bias,
                       residual_input_tensor, options)


def group_norm(input_tensor, *, num_groups, epsilon=1e-12, weight=None, bias=None,
               input_mask=None, inplace=None, core_grid=None, **options):
    """Normalises x (batch, 1, positions, channels) over the positions and the channels of each
    group: (x - mean) / sqrt(variance + epsilon) * weight + bias. inplace=True writes the result to
    the tensor itself. input_mask has no effect, because num_groups says the same.

    x stands for the tensor's elements; the result has the tensor's shape. Raises a TypeError for an
    argument that is no tensor, or a tensor of integers, and a ValueError for a weight or bias that
    has another number of elements.

    Example:

        y = ttnn.group_norm(ttnn.ones((1, 1, 32, 64)), num_groups=4)
    """
    values = _check_floats("group_norm", input_tensor)
    for name in ("num_out_blocks", "output_layout", "reciprocals", "negative_mask"):
        options.pop(name, None)
    if values.ndim != 4 or values.shape[1] != 1:
        raise ValueError(f"ttnn.group_norm(): the tensor has shape {values.shape}, expected "
                         "(batch, 1, positions, channels)")
    channels = values.shape[3]
    if num_groups < 1 or channels % num_groups:
        raise ValueError(f"ttnn.group_norm(): num_groups={num_groups} does not divide {channels} "
                         "channels")
    x = values.reshape(values.shape[0], values.shape[2], num_groups, -1)
    with np.errstate(all="ignore"):
        centred = x - np.mean(x, axis=(1, 3), keepdims=True)
        variance = np.mean(centred**2, axis=(1, 3), keepdims=True)
        array = (centred / np.sqrt(variance + epsilon)).reshape(values.shape)
        if weight is not None:
            array = array * _vector("group_norm", weight, "weight", channels)
        if bias is not None:
            array = array + _vector("group_norm", bias, "bias", channels)
    if inplace:
        return write(input_tensor, array, "input_tensor")
    return finish("group_norm", input_tensor, array, options)
