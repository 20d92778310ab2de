# SPDX-License-Identifier: Apache-2.0
"""Functions that select elements by their position or their order."""

import numpy as np

from .operands import axis_of, check_tensor, finish
from .storage import numbers_of
from .types import uint16

__all__ = ["embedding", "gather", "scatter", "sort", "topk"]


def _positions(tensor, name, limit):
    """Returns the elements of a tensor as integers; each must be a position below `limit`."""
    values = numbers_of(check_tensor(tensor, name))
    with np.errstate(invalid="ignore"):
        found = values.astype(np.int64)
    if (found != values).any() or (found < 0).any() or (found >= limit).any():
        raise ValueError(f"{name}: expected whole numbers from 0 to {limit - 1}")
    return found


def embedding(input_tensor, weight, **options):
    """Returns the rows of the matrix `weight` whose numbers are the elements of input_tensor.

    Positions count elements from 0. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a position or a dimension that the tensor does not have.

    Example:

        rows = ttnn.embedding(ttnn.zeros((1, 32), dtype=ttnn.uint32), x)
    """
    check_tensor(weight, "ttnn.embedding(): weight")
    options.pop("padding_idx", None)
    table = numbers_of(weight)
    table = table.reshape(table.shape[-2:])
    rows = _positions(input_tensor, "ttnn.embedding(): input_tensor", table.shape[0])
    return finish("embedding", weight, table[rows], options)


def _part(array, places, axis):
    """Returns the part of an array that has the extents of `places` in all dimensions except `axis`."""
    if array.ndim != places.ndim or any(
        n > m for d, (n, m) in enumerate(zip(places.shape, array.shape)) if d != axis
    ):
        raise ValueError(f"index has shape {places.shape}: its extents, except in dimension {axis}, "
                         f"must not be larger than those of the tensor, {array.shape}")
    return array[tuple(slice(None) if d == axis else slice(n) for d, n in enumerate(places.shape))]


def gather(input, dim, index, **options):
    """Returns the elements at the positions along a dimension that the tensor `index` holds.

    Positions count elements from 0. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a position or a dimension that the tensor does not have.

    Example:

        y = ttnn.gather(x, 1, ttnn.zeros((32, 32), dtype=ttnn.uint32))
    """
    check_tensor(input, "ttnn.gather(): input")
    axis = axis_of(dim, len(input.shape))
    places = _positions(index, "ttnn.gather(): index", input.shape[axis])
    array = np.take_along_axis(_part(numbers_of(input), places, axis), places, axis)
    return finish("gather", input, array, options)


def scatter(input, dim, index, src, **options):
    """Returns a copy of `input` in which the elements of `src` replace those at the positions along
    a dimension that `index` holds.

    Positions count elements from 0. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a position or a dimension that the tensor does not have.

    Example:

        y = ttnn.scatter(x, 1, ttnn.zeros((32, 1), dtype=ttnn.uint32), ttnn.ones((32, 1)))
    """
    check_tensor(input, "ttnn.scatter(): input")
    axis = axis_of(dim, len(input.shape))
    places = _positions(index, "ttnn.scatter(): index", input.shape[axis])
    array = numbers_of(input)
    source = numbers_of(check_tensor(src, "ttnn.scatter(): src"))
    if source.shape != places.shape:
        raise ValueError("ttnn.scatter(): src and index must have the same shape, found "
                         f"{source.shape} and {places.shape}")
    np.put_along_axis(_part(array, places, axis), places, source, axis)
    return finish("scatter", input, array, options)


def _order(values, axis, descending):
    """Returns the positions that sort the values; equal values keep their order."""
    keys = -values if descending else values
    return np.argsort(keys, axis=axis, kind="stable")


def sort(input_tensor, dim=-1, descending=False, stable=True, **options):
    """Returns (sorted values, their positions as uint16) along a dimension.

    Positions count elements from 0. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a position or a dimension that the tensor does not have.

    Example:

        values, positions = ttnn.sort(x, dim=-1)
    """
    check_tensor(input_tensor, "ttnn.sort(): input_tensor")
    values = numbers_of(input_tensor)
    axis = axis_of(dim, values.ndim)
    places = _order(values, axis, descending)
    ordered = np.take_along_axis(values, places, axis)
    return (finish("sort", input_tensor, ordered, options),
            finish("sort", input_tensor, places, options, dtype=uint16))


def topk(input_tensor, k, dim=-1, largest=True, sorted=True, **options):
    """Returns (the k largest values, their positions as uint16) along a dimension.

    Positions count elements from 0. Raises a TypeError for an argument that is no tensor, and a
    ValueError for a position or a dimension that the tensor does not have.

    Example:

        values, positions = ttnn.topk(x, 32)
    """
    check_tensor(input_tensor, "ttnn.topk(): input_tensor")
    values = numbers_of(input_tensor)
    axis = axis_of(dim, values.ndim)
    if not 1 <= k <= values.shape[axis]:
        raise ValueError(f"ttnn.topk(): k={k}: expected at least 1 and at most "
                         f"{values.shape[axis]}, the extent of dimension {axis}")
    places = np.take(_order(values, axis, largest), np.arange(k), axis)
    chosen = np.take_along_axis(values, places, axis)
    return (finish("topk", input_tensor, chosen, options),
            finish("topk", input_tensor, places, options, dtype=uint16))
