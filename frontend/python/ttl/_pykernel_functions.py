# ===- _pykernel_functions.py - functions of the oldest spelling --------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Kernel functions of @pykernel_gen operations call these functions, and the compiler inlines them. Here
# a reduction of rows gives a block of the operand's shape, each column of which holds the result. The
# functions of ttl with these names give one column.
# ===--------------------------------------------------------------------------=== #

import math

from ttl._api import TABLE
from ttl._grid import node

_broadcast = TABLE["broadcast"]
_fill = TABLE["fill"]
_max = TABLE["max"]
_reduce_max = TABLE["reduce_max"]
_reduce_sum = TABLE["reduce_sum"]
_sqrt = TABLE["sqrt"]


def _inlined(function):
    """Gives a function another package than ttl, because the compiler does not inline functions of
    ttl."""
    function.__module__ = "pykernel"
    return function


@_inlined
def core_index(dim):
    """Returns the node's coordinate: its row for dim 0, its column for dim 1."""
    return node(dims=2)[1 - dim]


@_inlined
def rowmax(x, other=None):
    """Returns the largest element of each row. If `other` is given, the result is the larger one
    of that and the element of `other`."""
    largest = _broadcast(_reduce_max(x, dims=[-1]), dims=[-1], shape=x.shape)
    if other is None:
        return largest
    return _max(other, largest)


@_inlined
def rowsum(x):
    """Returns the sum of each row."""
    return _broadcast(_reduce_sum(x, dims=[-1]), dims=[-1], shape=x.shape)


@_inlined
def fill(value, shape):
    """Returns a block with one value in every element. `shape` is its shape in tiles."""
    return _fill(value, shape=shape)


@_inlined
def sqrt(x):
    """Returns the square root of a number or of a block."""
    if isinstance(x, (int, float)):
        return math.sqrt(x)
    return _sqrt(x)
