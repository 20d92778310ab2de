# ===- _gathering.py - gathering the parts of a tensor ------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Gathers the parts of all devices of a group, for all_gather and for collectives of which this is a step.
# ===--------------------------------------------------------------------------=== #

import numpy as np

from ttl._ttnn import package
from ttl.ccl import _golden, _moves
from ttl.ccl._call import TILED


def step(tensor, dim, extent):
    """Converts an extent of dimension `dim` from elements to the units of slices: tiles or elements."""
    return extent // 32 if tensor.layout == TILED and dim >= len(tensor.shape) - 2 else extent


def axis_of(tensor, dim):
    """Returns the dimension as kernels count it: a tiled vector is a matrix for them."""
    return dim + max(0, 2 - len(tensor.shape)) if tensor.layout == TILED else dim


def arrays(tensor):
    """Returns the elements that each device has of a tensor."""
    return [part.bits() for part in package.get_device_tensors(tensor)]


def joining(size, shape, dim):
    """Returns the function that joins stacked parts of a shape."""
    return lambda array: np.concatenate(list(array.reshape(size, *shape)), dim)


def copied(call, x, out):
    """Copies the part of each device to `out`: a collective of groups of one device."""
    if not call.is_movable():
        return call.locally(x, out, lambda array: array)
    blocks = call.blocks(x.shape, x.layout)
    return call.run(_moves.own_part(call.group, blocks, call.lanes_for(blocks.count), 0, 0), x, out)


def gather(call, x, out, dim):
    """Runs the kernel of all_gather on tensors that kernels can move."""
    blocks = call.blocks(x.shape, x.layout)
    make = _moves.ring_gather if call.is_ring else _moves.line_gather
    width = step(x, dim, x.shape[dim])
    return call.run(make(call.group, blocks, call.lanes_for(blocks.count), axis_of(x, dim), width), x, out)


def gathered(call, out, dim):
    """Joins the parts of the tensor of a call along a dimension."""
    x = call.tensor
    if call.on_host:
        return call.filled(out, _golden.gather(call.group, arrays(x), dim))
    if call.size == 1:
        return copied(call, x, out)
    if call.is_movable((dim, 1)):
        return gather(call, x, out, dim)
    stacked = gather(call, call.stacked(1, x.shape), call.stack(call.size, x.shape), 0)
    return call.locally(stacked, out, joining(call.size, x.shape, dim))
