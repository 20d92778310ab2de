# SPDX-License-Identifier: Apache-2.0
"""Tensors made from a shape."""

import numpy as np

from .tensor import Tensor
from .types import Shape, as_dtype, float32


class _Random:
    """The generator behind rand; it starts at seed 0, so that runs of a script agree."""

    generator = np.random.default_rng(0)


def manual_seed(seed):
    """Restarts the random numbers of ttnn.rand."""
    _Random.generator = np.random.default_rng(seed)


def full(shape, fill_value, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor with one value everywhere; float32 unless dtype says otherwise."""
    values = np.full(Shape(shape), fill_value, dtype=np.float32)
    dtype = float32 if dtype is None else dtype
    return Tensor(values, dtype, layout=layout, device=device, memory_config=memory_config)


def zeros(shape, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor of zeros."""
    if device is None:
        return full(shape, 0, dtype, layout=layout, memory_config=memory_config)
    dtype = float32 if dtype is None else as_dtype(dtype)
    return Tensor.zeros_on_device(Shape(shape), dtype, layout, device, memory_config)


def ones(shape, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor of ones."""
    return full(shape, 1, dtype, layout=layout, device=device, memory_config=memory_config)


def empty(shape, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor to be written; what stands in it before is not defined."""
    return zeros(shape, dtype, layout=layout, device=device, memory_config=memory_config)


def rand(shape, dtype=None, *, layout=None, device=None, memory_config=None, low=0.0, high=1.0,
         seed=None):
    """Uniformly distributed values from low up to high, from the generator that manual_seed
    restarts, or from one of their own if seed is given."""
    generator = _Random.generator if seed is None else np.random.default_rng(seed)
    values = generator.random(Shape(shape), dtype=np.float32)
    values = values * np.float32(high - low) + np.float32(low)
    dtype = float32 if dtype is None else dtype
    return Tensor(values, dtype, layout=layout, device=device, memory_config=memory_config)
