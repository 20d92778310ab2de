# ===- _views.py - other arrangements of a tensor's data ----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A view copies the values of its tensor when it is made: later stores to the tensor do not change it.
# ===--------------------------------------------------------------------------=== #

import inspect
import itertools

from d2m_jit._tensors import LazyTensor, require


class _Dim:
    """A dimension, as the argument of a function that permutes dimensions. Arithmetic raises a TypeError."""

    def __init__(self, number):
        self.number = number


def _permutation(function, count):
    """Returns the numbers of the dimensions in the order in which a function returns them; None if it
    computes with them or leaves one out."""
    try:
        found = [getattr(each, "number", None) for each in function(*map(_Dim, range(count)))]
    except TypeError:
        return None
    return found if None not in found and sorted(found) == list(range(count)) else None


def permute(tensor, *dims):
    """Returns a view with the dimensions in another order."""
    require(tensor, "permute()")
    rank = len(tensor.layout.logical_shape)
    if sorted(dims) != list(range(rank)):
        raise ValueError(f"permute(): the dimensions must be 0 to {rank - 1} in some order, found {dims}")
    fields = {"shape": "logical_shape", "block_shape": "block_shape", "grid_shape": "grid_shape"}
    turned = {field: [getattr(tensor.layout, name)[dim] for dim in dims] for field, name in fields.items()}
    data = tensor.data.permute(*dims).contiguous()
    return LazyTensor(tensor.layout.replace(**turned), data, is_view=True)


def view(tensor, remapping):
    """Returns a view with the dimensions in the order in which a function returns them."""
    require(tensor, "view()")
    rank = len(tensor.layout.logical_shape)
    found = None
    if len(inspect.signature(remapping).parameters) == rank:
        found = _permutation(remapping, rank)
    if found is None:
        raise ValueError(f"view(): the function must take the {rank} logical dimensions and return them "
                         "in some order; view_layout() takes other functions")
    return permute(tensor, *found)


def view_layout(tensor, remapping):
    """Returns a view. Its tile at (grid indices, block indices) is the tensor's tile at the indices that
    `remapping` returns for these."""
    require(tensor, "view_layout()")
    layout = tensor.layout
    rank = len(layout.logical_shape)
    count = len(inspect.signature(remapping).parameters)
    if count != 2 * rank:
        raise ValueError(f"view_layout(): the function must take {2 * rank} indices, found {count}")
    extents = (*layout.blocked_grid_shape, *layout.block_shape)
    order = _permutation(remapping, count)
    shape = extents if order is None else [extents[order.index(n)] for n in range(count)]
    if any(shape[n] * shape[n + rank] != extents[n] * extents[n + rank] for n in range(rank)):
        raise ValueError("view_layout(): the view must have the extents of the tensor")
    data = tensor.data.clone()
    for index in itertools.product(*map(range, shape)):
        source = remapping(*index)
        if len(source) != count or any(not 0 <= at < extent for at, extent in zip(source, extents)):
            raise ValueError(f"view_layout(): index {index} of the view has no element: {tuple(source)} is "
                             f"outside of the device shape {extents}")
        data[_elements(layout, index, shape)] = tensor.data[_elements(layout, source, extents)]
    fields = {"block_shape": shape[rank:], "grid_shape": layout.grid_shape}
    return LazyTensor(layout.replace(**fields), data, is_view=True)


def _elements(layout, index, shape):
    """Returns the slices of one tile, or of one element of a tensor without tiles."""
    rank = len(shape) // 2
    numbers = (index[n] * shape[n + rank] + index[n + rank] for n in range(rank))
    return tuple(slice(n * layout.unit, (n + 1) * layout.unit) for n in numbers)
