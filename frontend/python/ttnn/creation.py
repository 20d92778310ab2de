# SPDX-License-Identifier: Apache-2.0
"""Tensors made from a shape."""

import numbers
import operator

import numpy as np

import _ttjit
from _ttjit import public

from .tensor import Tensor
from .types import Shape, as_dtype, float32


class _Random:
    """The generator behind rand; it starts at seed 0, so that runs of a script agree."""

    generator = np.random.default_rng(0)


@public
def manual_seed(seed):
    """Restarts the random numbers of ttnn.rand."""
    _Random.generator = _generator(seed)


def _generator(seed):
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"seed={seed!r}: expected an integer of at least 0")
    return np.random.default_rng(number)


def _number(value, name):
    """The value as a float32."""
    try:
        if not isinstance(value, (str, bytes)):
            return np.float32(float(value))
    except (TypeError, ValueError, OverflowError):
        pass
    raise TypeError(f"{name}={value!r}: expected a number")


def _new_shape(shape):
    """The shape of a new tensor."""
    shape = Shape(shape)
    elements = 1
    for extent in shape:
        elements *= extent
        if extent < 1:
            raise ValueError(f"shape {tuple(shape)}: extent {extent} must be at least 1")
    if elements > 2**44:
        raise ValueError(f"shape {tuple(shape)} has more than 2^44 elements")
    return shape


@public
def full(shape, fill_value, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor with one value everywhere; float32 unless dtype says otherwise."""
    dtype = float32 if dtype is None else as_dtype(dtype)
    number = _number(fill_value, "fill_value")
    if _ttjit.is_integer(dtype) and isinstance(fill_value, numbers.Integral):
        number = int(fill_value)
    values = np.full(_new_shape(shape), number)
    return Tensor(values, dtype, layout=layout, device=device, memory_config=memory_config)


@public
def zeros(shape, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor of zeros."""
    if device is None:
        return full(shape, 0, dtype, layout=layout, memory_config=memory_config)
    dtype = float32 if dtype is None else as_dtype(dtype)
    return Tensor.zeros_on_device(_new_shape(shape), dtype, layout, device, memory_config)


@public
def ones(shape, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor of ones."""
    return full(shape, 1, dtype, layout=layout, device=device, memory_config=memory_config)


@public
def empty(shape, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor whose elements the program has yet to write."""
    return zeros(shape, dtype, layout=layout, device=device, memory_config=memory_config)


@public
def rand(shape, dtype=None, *, layout=None, device=None, memory_config=None, low=0.0, high=1.0,
         seed=None):
    """A tensor of random numbers, uniform from low up to high. Without seed they continue
    the sequence that manual_seed starts."""
    generator = _Random.generator if seed is None else _generator(seed)
    low, high = float(_number(low, "low")), float(_number(high, "high"))
    values = generator.random(_new_shape(shape), dtype=np.float32)
    values = values * np.float32(high - low) + np.float32(low)
    dtype = float32 if dtype is None else dtype
    return Tensor(values, dtype, layout=layout, device=device, memory_config=memory_config)
