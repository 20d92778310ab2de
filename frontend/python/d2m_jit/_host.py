# ===- _host.py - functions of the host ---------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import math

from d2m_jit import _tensors
from d2m_jit._layout import reshaped
from d2m_jit._tensors import LazyTensor, require, torch_type


def _placed(values, layout):
    """Returns a tensor with these values, which has the logical shape, and zeros in the padding."""
    data = _tensors.torch().zeros(layout.padded_shape, dtype=torch_type(layout.dtype))
    data[tuple(slice(extent) for extent in layout.logical_shape)] = values.to(data.dtype)
    return LazyTensor(layout, data)


def to_layout(values, layout):
    """Brings a torch tensor onto the device, or gives a tensor there another layout. A view becomes a
    tensor of its own."""
    if isinstance(values, LazyTensor):
        values.check()
        values = values.logical()
    elif not isinstance(values, _tensors.torch().Tensor):
        raise TypeError(f"to_layout() takes a torch tensor or one on the device, found {type(values).__name__}")
    if list(values.shape) != layout.logical_shape:
        raise ValueError(f"to_layout(): the tensor has shape {list(values.shape)}, and the layout "
                         f"{layout.logical_shape}")
    return _placed(values, layout)


def full(layout, value):
    """Returns a tensor with one value in every element."""
    return LazyTensor(layout, _tensors.torch().full(layout.padded_shape, value, dtype=torch_type(layout.dtype)))


def zeros(layout):
    """Returns a tensor of zeros."""
    return full(layout, 0)


def empty(layout):
    """Returns a tensor for results."""
    return zeros(layout)


def arange(layout, start=0, step=1):
    """Returns a tensor that counts row by row from `start` in steps."""
    count = math.prod(layout.logical_shape)
    values = _tensors.torch().arange(start, start + count * step, step, dtype=torch_type(layout.dtype))
    return _placed(values.reshape(layout.logical_shape), layout)


def _in_form(tensor, name, tiled, dtype):
    require(tensor, name)
    fields = {"tiled": tiled} if dtype is None else {"tiled": tiled, "dtype": dtype}
    return to_layout(tensor, tensor.layout.replace(**fields))


def tilize(tensor, dtype=None):
    """Returns the tensor in tiles, with another element type if `dtype` is given."""
    return _in_form(tensor, "tilize()", True, dtype)


def untilize(tensor, dtype=None):
    """Returns the tensor in rows, with another element type if `dtype` is given."""
    return _in_form(tensor, "untilize()", False, dtype)


def reshape(tensor, *shape):
    """Returns the elements, row by row, in another shape. One extent may be -1."""
    require(tensor, "reshape()")
    shape, layout = reshaped(tensor.layout, shape)
    return _placed(tensor.logical().reshape(shape), layout)


def spatial(inputs, outputs, grid_ranges, region_builders):
    """Calls each of `region_builders`, which launch kernels on its range of nodes, and returns the outputs.
    Calls them one after the other, because their results do not depend on the nodes that run them."""
    builders, ranges, outputs = list(region_builders), list(grid_ranges), list(outputs)
    if not builders or len(ranges) != len(builders):
        raise ValueError(f"spatial() takes a range for each of its regions, found {len(ranges)} ranges and "
                         f"{len(builders)} regions")
    if not outputs:
        raise ValueError("spatial() must have at least one output")
    for tensor in (*inputs, *outputs):
        require(tensor, "spatial()")
    _check_apart(ranges)
    for build in builders:
        if not callable(build):
            raise TypeError(f"a region of spatial() must be a function, found {type(build).__name__}")
        build()
    return tuple(outputs)


def _check_apart(ranges):
    """Fails if two ranges of nodes, as (first, last), have a node in common."""
    taken = set()
    for (top, left), (bottom, right) in ranges:
        nodes = {(y, x) for y in range(top, bottom + 1) for x in range(left, right + 1)}
        if taken & nodes:
            raise ValueError(f"spatial(): the ranges must be apart, found {sorted(taken & nodes)} in two")
        taken |= nodes
