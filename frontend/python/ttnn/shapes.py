# SPDX-License-Identifier: Apache-2.0
"""Functions that move elements to other positions."""

import math

import numpy as np

from .operands import (
    axes_of,
    axis_of,
    check_shape,
    check_size,
    check_tensor,
    finish,
    integer_of,
)
from .storage import numbers_of
from .types import BLOCK_FLOATS

__all__ = (
    "chunk concat expand flip pad permute repeat repeat_interleave reshape roll slice split "
    "squeeze stack transpose unsqueeze unsqueeze_to_4D upsample view"
).split()


def _moved(name, tensor, function, options):
    """Applies a function that moves elements of any type to a tensor; the bits of the elements do
    not change."""
    check_tensor(tensor, f"ttnn.{name}(): input_tensor")
    # Block floats are rounded again, because moved elements share their exponent with other elements.
    is_block = tensor.dtype in BLOCK_FLOATS
    if is_block or any(value is not None for value in options.values()):
        return finish(name, tensor, function(numbers_of(tensor)), options)
    moved = np.array(function(tensor.bits()), order="C")
    return finish(name, tensor, moved, options, is_storage=True)


# ===--------------------------------------------------------------------------=== #
# Shapes
# ===--------------------------------------------------------------------------=== #


def reshape(input_tensor, shape, *more, **options):
    """Returns the elements in row-major order in another shape. One extent may be -1: it is
    computed from the others.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.reshape(x, (64, -1))
    """
    wanted = check_shape((shape, *more) if more or not np.iterable(shape) else shape)

    def function(x):
        try:
            return x.reshape(wanted)
        except ValueError:
            raise ValueError(f"ttnn.reshape(): {x.shape} has {x.size} elements, which do not fill "
                             f"{tuple(wanted)}") from None

    return _moved("reshape", input_tensor, function, options)


def view(input_tensor, shape, *more, **options):
    """Does the same as reshape. The result does not share memory with the operand.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.view(x, (64, 32))
    """
    return reshape(input_tensor, shape, *more, **options)


def squeeze(input_tensor, dim=None, **options):
    """Returns the tensor without dimensions of extent 1: without all of them, or without those in
    `dim`.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.squeeze(ttnn.ones((1, 32, 64)), 0)
    """
    def function(x):
        named = axes_of(dim, x.ndim)
        return x.squeeze(tuple(axis for axis in named if x.ndim and x.shape[axis] == 1))

    return _moved("squeeze", input_tensor, function, options)


def unsqueeze(input_tensor, dim, **options):
    """Returns the tensor with a new dimension of extent 1. `dim` is its position in the result.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.unsqueeze(x, 0)
    """
    def function(x):
        return np.expand_dims(x, axis_of(dim, x.ndim + 1))

    return _moved("unsqueeze", input_tensor, function, options)


def unsqueeze_to_4D(input_tensor, **options):
    """Returns the tensor with leading dimensions of extent 1 added, so that it has 4 dimensions.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.unsqueeze_to_4D(x)
    """
    def function(x):
        if x.ndim > 4:
            raise ValueError(f"ttnn.unsqueeze_to_4D(): the tensor has {x.ndim} dimensions, expected "
                             "at most 4")
        return x.reshape((1,) * (4 - x.ndim) + x.shape)

    return _moved("unsqueeze_to_4D", input_tensor, function, options)


def transpose(input_tensor, dim1=-2, dim2=-1, **options):
    """Returns the tensor with two dimensions exchanged.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.transpose(x, 0, 1)
    """
    def function(x):
        return np.swapaxes(x, axis_of(dim1, x.ndim, "dim1"), axis_of(dim2, x.ndim, "dim2"))

    return _moved("transpose", input_tensor, function, options)


def permute(input_tensor, dims, *more, **options):
    """Returns the tensor with its dimensions in another order.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.permute(x, (1, 0))
    """
    order = (dims, *more) if more or not np.iterable(dims) else dims

    def function(x):
        axes = axes_of(order, x.ndim, "dims")
        if len(axes) != x.ndim:
            raise ValueError(f"ttnn.permute(): dims={tuple(order)!r}: expected each of the "
                             f"{x.ndim} dimensions once")
        return x.transpose(axes)

    return _moved("permute", input_tensor, function, options)


def expand(input_tensor, shape, *more, **options):
    """Returns the tensor with dimensions of extent 1 repeated, so that it has the given shape. -1
    keeps an extent.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.expand(ttnn.ones((1, 64)), (32, 64))
    """
    wanted = check_shape((shape, *more) if more or not np.iterable(shape) else shape)

    def function(x):
        own = (1,) * (len(wanted) - x.ndim) + x.shape
        full = [given if extent == -1 else extent for extent, given in zip(wanted, own)]
        try:
            check_size("expand", full)
            return np.broadcast_to(x, full)
        except ValueError:
            raise ValueError(f"ttnn.expand(): {x.shape} cannot be expanded to {tuple(wanted)}: "
                             "only extents of 1 can grow") from None

    return _moved("expand", input_tensor, function, options)


# ===--------------------------------------------------------------------------=== #
# Repetition
# ===--------------------------------------------------------------------------=== #


def repeat(input_tensor, repeat_dims, *more, **options):
    """Returns the tensor repeated in each dimension as often as repeat_dims says. There may be more
    numbers than dimensions.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.repeat(x, (2, 1))
    """
    given = (repeat_dims, *more) if more or not np.iterable(repeat_dims) else repeat_dims
    times = check_shape(given, "repeat_dims")

    def function(x):
        if len(times) < x.ndim or min(times, default=1) < 0:
            raise ValueError(f"ttnn.repeat(): repeat_dims={tuple(times)}: expected a number of at "
                             f"least 0 for each of the {x.ndim} dimensions")
        check_size("repeat", [*times, x.size])
        return np.tile(x, times)

    return _moved("repeat", input_tensor, function, options)


def repeat_interleave(input_tensor, repeats, dim=None, **options):
    """Returns a tensor in which each element is repeated `repeats` times, one after the other.
    Without dim, the tensor is first made flat.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.repeat_interleave(x, 2, dim=0)
    """
    times = integer_of(repeats, "ttnn.repeat_interleave(): repeats")

    def function(x):
        check_size("repeat_interleave", [times, *x.shape])
        return np.repeat(x, times, axis=None if dim is None else axis_of(dim, x.ndim))

    return _moved("repeat_interleave", input_tensor, function, options)


def upsample(input_tensor, scale_factor, *, mode="nearest", **options):
    """Enlarges images (N, H, W, C): repeats each pixel scale_factor times in both directions, or
    (vertical, horizontal) times.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.upsample(ttnn.ones((1, 4, 4, 32)), 2)
    """
    factors = scale_factor if np.iterable(scale_factor) else (scale_factor, scale_factor)
    vertical, horizontal = (integer_of(each, "scale_factor") for each in factors)
    if mode != "nearest":
        raise ValueError(f"ttnn.upsample(): mode={mode!r}: only 'nearest' is supported on the "
                         "host")

    def function(x):
        if x.ndim != 4:
            raise ValueError(f"ttnn.upsample(): expected (N, H, W, C), found {x.shape}")
        check_size("upsample", [vertical, horizontal, *x.shape])
        return x.repeat(vertical, axis=1).repeat(horizontal, axis=2)

    return _moved("upsample", input_tensor, function, options)


# ===--------------------------------------------------------------------------=== #
# Parts
# ===--------------------------------------------------------------------------=== #


def concat(tensors, dim=0, **options):
    """Joins tensors along a dimension.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.concat([x, x], dim=0)
    """
    tensors = [check_tensor(each, "ttnn.concat(): tensors") for each in tensors]
    if not tensors:
        raise ValueError("ttnn.concat(): expected at least one tensor")
    axis = axis_of(dim, len(tensors[0].shape))
    shapes = [tuple(each.shape) for each in tensors]
    if len({shape[:axis] + (0,) + shape[axis + 1 :] for shape in shapes}) > 1:
        raise ValueError(f"ttnn.concat(): shapes {', '.join(map(str, shapes))} must be equal in "
                         f"all dimensions except {axis}")
    array = np.concatenate([numbers_of(each) for each in tensors], axis=axis)
    return finish("concat", tensors[0], array, options)


def stack(tensors, dim=0, **options):
    """Joins tensors of one shape along a new dimension.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.stack([x, x], dim=0)
    """
    tensors = [check_tensor(each, "ttnn.stack(): tensors") for each in tensors]
    shapes = {tuple(each.shape) for each in tensors}
    if len(shapes) != 1:
        raise ValueError(f"ttnn.stack(): expected tensors of one shape, found {sorted(shapes)}")
    axis = axis_of(dim, len(tensors[0].shape) + 1)
    array = np.stack([numbers_of(each) for each in tensors], axis=axis)
    return finish("stack", tensors[0], array, options)


def _pieces(name, tensor, ends, axis, options):
    parts = np.split(numbers_of(tensor), ends, axis=axis)
    return [finish(name, tensor, part, options) for part in parts]


def split(input_tensor, split_size, dim=0, **options):
    """Returns the parts of a tensor along a dimension. Either all parts have one size, except that
    the last may be smaller, or split_size is a list of the sizes.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        first, second = ttnn.split(x, 16, dim=0)
    """
    check_tensor(input_tensor, "ttnn.split(): input_tensor")
    axis = axis_of(dim, len(input_tensor.shape))
    extent = input_tensor.shape[axis]
    if not np.iterable(split_size):
        size = integer_of(split_size, "split_size")
        if size < 1:
            raise ValueError(f"ttnn.split(): split_size={size}: expected at least 1")
        return _pieces("split", input_tensor, range(size, extent, size), axis, options)
    sizes = [integer_of(each, "split_size") for each in split_size]
    if math.fsum(sizes) != extent or min(sizes) < 1:
        raise ValueError(f"ttnn.split(): sizes {sizes} do not add up to {extent}, or one is less than 1")
    return _pieces("split", input_tensor, np.cumsum(sizes)[:-1], axis, options)


def chunk(input_tensor, chunks, dim=0, **options):
    """Returns at most `chunks` parts of one size along a dimension; the last part may be smaller.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        first, second = ttnn.chunk(x, 2)
    """
    check_tensor(input_tensor, "ttnn.chunk(): input_tensor")
    if integer_of(chunks, "chunks") < 1:
        raise ValueError(f"ttnn.chunk(): chunks={chunks}: expected at least 1")
    extent = input_tensor.shape[axis_of(dim, len(input_tensor.shape))]
    return split(input_tensor, -(-extent // chunks), dim, **options)


def _bounds(name, given, shape):
    numbers = [integer_of(each, name) for each in given]
    if len(numbers) > len(shape):
        raise ValueError(f"ttnn.slice(): {name}={numbers!r} has more numbers than the "
                         f"{len(shape)} dimensions")
    return [n + extent if n < 0 else n for n, extent in zip(numbers, shape)]


_SLICE_NAMES = {"starts": "slice_start", "ends": "slice_end", "steps": "slice_step"}


def slice(input_tensor, slice_start=None, slice_end=None, slice_step=None, **options):
    """Returns the part t[start:end:step] in each dimension; the end is not included. Negative
    positions count from the end. The arguments may also be called starts=, ends= and steps=.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.slice(x, (0, 0), (16, 64))
    """
    check_tensor(input_tensor, "ttnn.slice(): input_tensor")
    options.pop("pad_value", None)
    given = dict(slice_start=slice_start, slice_end=slice_end, slice_step=slice_step)
    given.update((_SLICE_NAMES[key], options.pop(key)) for key in _SLICE_NAMES if key in options)
    index = _index(tuple(input_tensor.shape), **given)
    return _moved("slice", input_tensor, lambda x: x[index], options)


def _index(shape, slice_start, slice_end, slice_step):
    if slice_start is None or slice_end is None:
        raise TypeError("ttnn.slice(): expected slice_start and slice_end")
    starts = _bounds("slice_start", slice_start, shape)
    ends = _bounds("slice_end", slice_end, shape)
    steps = [1] * len(starts) if slice_step is None else list(slice_step)
    for axis, (start, end, step) in enumerate(zip(starts, ends, steps)):
        if not 0 <= start < end <= shape[axis] or step < 1:
            raise ValueError(f"ttnn.slice(): {start} to {end} in steps of {step} is not inside "
                             f"dimension {axis}, which has extent {shape[axis]}")
    return tuple(map(_SLICE, starts, ends, steps))


_SLICE = type(np.s_[:])  # Python's own slice, which the function slice() of this module hides


def pad(input_tensor, padding, *more, value=0.0, **options):
    """Adds elements with a value before and after the tensor. padding has a pair (before, after)
    for each of the last dimensions. pad(x, output_shape, input_start, value) is accepted, too.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.pad(x, [(0, 32), (0, 0)], value=1.0)
    """
    check_tensor(input_tensor, "ttnn.pad(): input_tensor")
    options.pop("use_multicore", None)
    rank = len(input_tensor.shape)
    if len(padding) and np.iterable(padding[0]):
        value = more[0] if more else value
        pairs = _pairs(padding, rank)
    else:
        value = more[1] if len(more) > 1 else value
        pairs = _pairs_to(tuple(input_tensor.shape), padding, more[0] if more else [0] * rank)
    widened = [sum(pair) + n for pair, n in zip(pairs, input_tensor.shape)]
    check_size("pad", widened)
    array = np.pad(numbers_of(input_tensor), pairs, constant_values=value)
    return finish("pad", input_tensor, array, options)


def _pairs(padding, rank):
    if len(padding) > rank:
        raise ValueError(f"ttnn.pad(): padding={padding!r} has more pairs than the {rank} "
                         "dimensions")
    return [(0, 0)] * (rank - len(padding)) + [tuple(pair) for pair in padding]


def _pairs_to(shape, wanted, start):
    """Returns the padding that puts an array of one shape at a position in a larger one."""
    pairs = [(s, whole - s - own) for s, whole, own in zip(start, wanted, shape)]
    if len(wanted) != len(shape) or any(min(pair) < 0 for pair in pairs):
        raise ValueError(f"ttnn.pad(): a tensor of shape {shape} at position {tuple(start)} is not inside "
                         f"the output shape {tuple(wanted)}")
    return pairs


# ===--------------------------------------------------------------------------=== #
# Order
# ===--------------------------------------------------------------------------=== #


def flip(input_tensor, dims, **options):
    """Returns the tensor with its elements in reverse order along dimensions.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.flip(x, [0])
    """
    return _moved("flip", input_tensor, lambda x: np.flip(x, axes_of(dims, x.ndim, "dims")),
                  options)


def roll(input_tensor, shifts, dim=None, **options):
    """Returns the tensor with its elements moved along dimensions. Elements moved over the end come
    in again at the start.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a dimension or a
    shape that does not fit.

    Example:

        y = ttnn.roll(x, 1, dim=0)
    """
    def function(x):
        return np.roll(x, shifts, None if dim is None else axes_of(dim, x.ndim))

    return _moved("roll", input_tensor, function, options)
