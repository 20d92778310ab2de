# ===- _pykernel_functions.py - functions of the oldest spelling -----------------===//
# SPDX-License-Identifier: Apache-2.0
#
# Kernel functions call these, and the compiler inlines them. In this spelling a
# reduction of rows gives a block of the operand's shape: every column of it holds
# the result. Elsewhere it gives one column.
# ===----------------------------------------------------------------------------===//

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
    """The compiler inlines functions of every package but ttl."""
    function.__module__ = "pykernel"
    return function


@_inlined
def core_index(dim):
    """The node's coordinate: row for dim 0, column for dim 1."""
    return node(dims=2)[1 - dim]


@_inlined
def rowmax(x, other=None):
    """The largest element of each row, and of the same element of `other`."""
    largest = _broadcast(_reduce_max(x, dims=[-1]), dims=[-1], shape=x.shape)
    if other is None:
        return largest
    return _max(other, largest)


@_inlined
def rowsum(x):
    """The sum of each row."""
    return _broadcast(_reduce_sum(x, dims=[-1]), dims=[-1], shape=x.shape)


@_inlined
def fill(value, shape):
    """A block of this shape, in tiles, with one value everywhere."""
    return _fill(value, shape=shape)


@_inlined
def sqrt(x):
    """The square root of a number or of a block."""
    if isinstance(x, (int, float)):
        return math.sqrt(x)
    return _sqrt(x)
