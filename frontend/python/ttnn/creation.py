# SPDX-License-Identifier: Apache-2.0
"""Functions that make tensors of a shape. Without dtype, the tensors are float32."""

import operator

import numpy as np

import _ttjit

from .memory import TensorSpec
from .operands import check_tensor, is_number
from .storage import to_storage
from .tensor import Tensor, check_device
from .types import Shape, as_dtype, float32

__all__ = (
    "allocate_tensor_on_device arange empty empty_like full full_like manual_seed ones ones_like "
    "rand randn zeros zeros_like"
).split()


class _Random:
    """The generator of the random numbers of rand and randn. It starts at seed 0, so that every run of
    a script gets the same numbers."""

    generator = np.random.default_rng(0)


def manual_seed(seed):
    """Restarts the random numbers of ttnn.rand and ttnn.randn with a seed.

    Raises a ValueError for a seed that is no integer of at least 0.

    Example:

        ttnn.manual_seed(0)
    """
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
    """Returns the value, which must be a number that a float can hold."""
    try:
        if is_number(value) and float(value) is not None:
            return value
    except OverflowError:
        pass
    raise TypeError(f"{name}={value!r}: expected a number")


def _new_shape(shape):
    """Returns the shape of a new tensor."""
    shape = Shape(shape)
    elements = 1
    for extent in shape:
        elements *= extent
        if extent < 1:
            raise ValueError(f"shape {tuple(shape)}: extent {extent} must be at least 1")
    if elements > 2**44:
        raise ValueError(f"shape {tuple(shape)} has more than 2^44 elements, which is the limit")
    return shape


def _element_type(dtype):
    return float32 if dtype is None else as_dtype(dtype)


def full(shape, fill_value, dtype=None, layout=None, device=None, memory_config=None,
         optional_tensor=None):
    """Returns a tensor with one value everywhere.

    shape counts elements; the tensor is float32 in tile layout unless dtype and layout say
    otherwise. Raises a TypeError or ValueError for a shape whose extents are no integers of at
    least 1.

    Example:

        y = ttnn.full((32, 64), 0.5)
    """
    dtype = _element_type(dtype) if optional_tensor is None else optional_tensor.dtype
    element = to_storage(np.asarray(_number(fill_value, "fill_value")), dtype)
    shape = _new_shape(shape)
    values = np.full(shape, element, dtype=element.dtype)
    if optional_tensor is not None:
        optional_tensor.write_bits(values)
        return optional_tensor
    return Tensor.from_storage(shape, values, dtype, layout, memory_config, device)


def zeros(shape, dtype=None, layout=None, device=None, memory_config=None):
    """Returns a tensor of zeros.

    shape counts elements; the tensor is float32 in tile layout unless dtype and layout say
    otherwise. Raises a TypeError or ValueError for a shape whose extents are no integers of at
    least 1.

    Example:

        y = ttnn.zeros((32, 64), dtype=ttnn.bfloat16)
    """
    if device is None:
        return full(shape, 0, dtype, layout, memory_config=memory_config)
    return Tensor.from_storage(_new_shape(shape), None, _element_type(dtype), layout,
                               memory_config, device)


def ones(shape, dtype=None, layout=None, device=None, memory_config=None):
    """Returns a tensor of ones.

    shape counts elements; the tensor is float32 in tile layout unless dtype and layout say
    otherwise. Raises a TypeError or ValueError for a shape whose extents are no integers of at
    least 1.

    Example:

        y = ttnn.ones((32, 64))
    """
    return full(shape, 1, dtype, layout, device, memory_config)


def empty(shape, dtype=None, layout=None, device=None, memory_config=None):
    """Returns a tensor whose elements the program must still write. Until then they are 0.

    shape counts elements; the tensor is float32 in tile layout unless dtype and layout say
    otherwise. Raises a TypeError or ValueError for a shape whose extents are no integers of at
    least 1.

    Example:

        y = ttnn.empty((32, 64), device=device)
    """
    tensor = zeros(shape, dtype, layout, device, memory_config)
    _ttjit.set_unwritten(tensor)
    return tensor


def allocate_tensor_on_device(shape, dtype=None, layout=None, device=None, memory_config=None):
    """Does the same as empty() on a device. It also accepts (spec, device).

    shape counts elements; the tensor is float32 in tile layout unless dtype and layout say
    otherwise. Raises a TypeError or ValueError for a shape whose extents are no integers of at
    least 1.

    Example:

        y = ttnn.allocate_tensor_on_device((32, 64), device=device)
    """
    if isinstance(shape, TensorSpec):
        spec, device = shape, dtype if device is None else device
        shape, dtype, layout = spec.shape, spec.dtype, spec.layout
        memory_config = spec.memory_config
    if device is None:
        raise ValueError("allocate_tensor_on_device(): expected device=, from ttnn.open_device")
    return empty(shape, dtype, layout, device, memory_config)


def _options_of(tensor, dtype, layout, device, memory_config):
    """Returns the arguments of a creation function. Those that are None are taken from the
    tensor."""
    check_tensor(tensor, "input_tensor")
    given = dict(dtype=dtype, layout=layout, device=device, memory_config=memory_config)
    own = dict(dtype=tensor.dtype, layout=tensor.layout, device=tensor.device(),
               memory_config=tensor.memory_config())
    return {key: own[key] if value is None else value for key, value in given.items()}


def full_like(input_tensor, fill_value, dtype=None, layout=None, device=None, memory_config=None,
              optional_tensor=None):
    """Returns a tensor of the same shape with one value everywhere.

    The shape counts elements. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a type that the layout cannot have.

    Example:

        y = ttnn.full_like(x, 0.5)
    """
    options = _options_of(input_tensor, dtype, layout, device, memory_config)
    return full(input_tensor.shape, fill_value, **options, optional_tensor=optional_tensor)


def zeros_like(input_tensor, dtype=None, layout=None, device=None, memory_config=None):
    """Returns a tensor of zeros of the same shape.

    The shape counts elements. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a type that the layout cannot have.

    Example:

        y = ttnn.zeros_like(x)
    """
    options = _options_of(input_tensor, dtype, layout, device, memory_config)
    return zeros(input_tensor.shape, **options)


def ones_like(input_tensor, dtype=None, layout=None, device=None, memory_config=None):
    """Returns a tensor of ones of the same shape.

    The shape counts elements. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a type that the layout cannot have.

    Example:

        y = ttnn.ones_like(x)
    """
    return full_like(input_tensor, 1, dtype, layout, device, memory_config)


def empty_like(input_tensor, dtype=None, layout=None, device=None, memory_config=None):
    """Returns a tensor of the same shape whose elements the program must still write.

    The shape counts elements. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a type that the layout cannot have.

    Example:

        y = ttnn.empty_like(x)
    """
    options = _options_of(input_tensor, dtype, layout, device, memory_config)
    return empty(input_tensor.shape, **options)


def arange(start, end=None, step=1, dtype=None, device=None, layout=None, memory_config=None):
    """Returns the numbers from start up to, but not including, end. arange(end) starts at 0.

    The tensor is float32 in tile layout unless dtype and layout say otherwise. Raises a TypeError
    for an argument that is no number, and a ValueError for a step of 0, or if there are no numbers
    from start to end.

    Example:

        y = ttnn.arange(0, 64, 2)
    """
    first, last = (0, start) if end is None else (start, end)
    bounds = [_number(value, name) for value, name in ((first, "start"), (last, "end"))]
    if _number(step, "step") == 0:
        raise ValueError("arange(): step=0: expected a number other than 0")
    values = np.arange(*bounds, step)
    if not len(values):
        raise ValueError(f"arange(): no numbers from {first} to {last} in steps of {step}")
    dtype = _element_type(dtype)
    return Tensor.from_storage(values.shape, to_storage(values, dtype), dtype, layout,
                               memory_config, device)


def _random(draw, shape, dtype, layout, device, memory_config, seed):
    check_device(device)
    values = draw(_Random.generator if seed is None else _generator(seed), _new_shape(shape))
    dtype = _element_type(dtype)
    return Tensor.from_storage(values.shape, to_storage(values, dtype), dtype, layout,
                               memory_config, device)


def rand(shape, dtype=None, layout=None, device=None, memory_config=None, low=0.0, high=1.0,
         seed=None):
    """Returns a tensor of random numbers with uniform distribution from low up to high. Without
    seed, they continue the sequence that manual_seed starts.

    shape counts elements; the tensor is float32 in tile layout unless dtype and layout say
    otherwise. Raises a TypeError or ValueError for a shape whose extents are no integers of at
    least 1.

    Example:

        y = ttnn.rand((32, 64), seed=0)
    """
    low, high = np.float32(_number(low, "low")), np.float32(_number(high, "high"))

    def draw(generator, extents):
        return generator.random(extents, dtype=np.float32) * (high - low) + low

    return _random(draw, shape, dtype, layout, device, memory_config, seed)


def randn(shape, dtype=None, layout=None, device=None, memory_config=None, seed=None):
    """Returns a tensor of random numbers with normal distribution. Without seed, they continue the
    sequence that manual_seed starts.

    shape counts elements; the tensor is float32 in tile layout unless dtype and layout say
    otherwise. Raises a TypeError or ValueError for a shape whose extents are no integers of at
    least 1.

    Example:

        y = ttnn.randn((32, 64), seed=0)
    """
    def draw(generator, extents):
        return generator.standard_normal(extents, dtype=np.float32)

    return _random(draw, shape, dtype, layout, device, memory_config, seed)
