# ===- shapes.py - docstrings of functions that change the shape of blocks ----=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

from ttl._docs import collect

_REDUCED = """\
{summary}

x is a block, or an expression of blocks, of any rank. dims= (or dim=) are its dimensions, known at
compile time; -1 is the innermost. They stay, with extent 1. In a tile the result is in column 0 if
the innermost dimension is reduced, in row 0 if the next one is, in element (0, 0) if both are; the
rest is 0, and ttl.broadcast() reads it from there. The contribution of each tile is multiplied with
element (0, 0) of the block scaler. shape=, or a block out, states the shape of the result in tiles.
Sums have a fixed order, so that every engine gives the same bits.

Raises a ttl.CompileError for a dimension that x does not have, or without dims=.

Example, in a compute function:

    rows = ttl.{name}(x_block, dims=[-1])
    y_block.store(x_block - ttl.broadcast(rows, dims=[-1]))
"""
_ROWS = """\
{summary}

x is a block, or an expression of blocks, of any rank. The innermost extent of the result is 1, and
its elements are in column 0 of the tiles: ttl.{name}(x) is ttl.{other}(x, dims=[-1]).

Raises a ttl.CompileError for a value that is no block, at the line of the call.

Example, in a compute function:

    y_block.store(x_block - ttl.broadcast(ttl.{name}(x_block), dims=[-1]))
"""
_BROADCAST = """\
Returns x repeated along dimensions in which it has extent 1: the inverse of a reduction.

x is a block, or an expression of blocks. dims= (or dim=) are its dimensions, known at compile time.
Over -1 each row is full of the element in column 0, over -2 each column is full of the element in
row 0, over both the block is full of element (0, 0). Over other dimensions whole tiles are
repeated. The shape of the result, in tiles, comes from shape=, from a block out, or from the
expression around.

Raises a ttl.CompileError if x has another extent there, or if nothing tells the shape.

Example, in a compute function:

    y_block.store(ttl.{name}(ttl.reduce_max(x_block, dims=[-1]), dims=[-1], shape=x_block.shape))
"""


def matmul(a, b, out=None, *, transpose_rhs=False, dtype=None):
    """Returns the product of matrices, a @ b.

    a is a block of M x K tiles and b one of K x N tiles; the result has M x N tiles. Leading
    dimensions are a batch: equal, or 1, or absent on one side. With transpose_rhs=True b has N x K
    tiles, and the result is a @ ttl.transpose(b). Products are summed in float32, in a fixed order.
    With dtype= the sums are then converted to this type, as by ttl.typecast.

    Raises a ttl.CompileError if the inner extents differ, with both shapes.

    Example, in a compute function:

        y_block.store(ttl.matmul(a_block, b_block, transpose_rhs=True))
    """


def reduce_sum(x, scaler=None, out=None, *, dims, shape=None): ...


def reduce_max(x, scaler=None, out=None, *, dims, shape=None): ...


def reduce_mean(x, scaler=None, out=None, *, dims, shape=None): ...


def rowsum(x, out=None, *, shape=None): ...


def rowmax(x, out=None, *, shape=None): ...


def broadcast(x, out=None, *, dims, shape=None): ...


def bcast(x, out=None, *, dims, shape=None): ...


for _function, _summary in (
    (reduce_sum, "Returns the sum of the elements along dimensions."),
    (reduce_max, "Returns the largest element along dimensions."),
    (reduce_mean, "Returns the mean of the elements along dimensions; x holds floats."),
):
    _function.__doc__ = _REDUCED.format(name=_function.__name__, summary=_summary)
for _function, _summary, _other in (
    (rowsum, "Returns the sum of each row.", "reduce_sum"),
    (rowmax, "Returns the largest element of each row.", "reduce_max"),
):
    _function.__doc__ = _ROWS.format(name=_function.__name__, summary=_summary, other=_other)
for _function in (broadcast, bcast):
    _function.__doc__ = _BROADCAST.format(name=_function.__name__)


def transpose(x, out=None):
    """Returns the transpose of a block: the tiles, and their order.

    x is a block, or an expression of blocks, of M x N tiles; the result has N x M tiles.

    Raises a ttl.CompileError for a block of another rank than 2.

    Example, in a compute function:

        y_block.store(a_block @ ttl.transpose(b_block))
    """


def fill(value, *, shape, dtype=None, layout=None):
    """Returns an expression whose elements all have one value: ttl.fill(value, shape=...), or
    ttl.fill(block, value) with the shape of a block.

    value is a number, which may be known at run time only. shape is in tiles, known at compile time.
    dtype= says whether the elements are floats or integers; without it they are like those of the
    block, or floats.

    Raises a ttl.CompileError for a shape with extents that are no positive integers.

    Example, in a compute function:

        total = ttl.fill(0, shape=(1, 1))
        total += x_block
        y_block.store(total)
    """


def zeros(shape, *, dtype=None, layout=None):
    """Returns an expression of zeros. shape is in tiles, or a block that has the shape.

    dtype= says whether the elements are floats or integers; without it they are like those of the
    block, or floats.

    Raises a ttl.CompileError for a shape with extents that are no positive integers.

    Example, in a compute function:

        y_block.store(ttl.zeros(y_block))
    """


def ones(shape, *, dtype=None, layout=None):
    """Returns an expression of ones. shape is in tiles, or a block that has the shape.

    dtype= says whether the elements are floats or integers; without it they are like those of the
    block, or floats.

    Raises a ttl.CompileError for a shape with extents that are no positive integers.

    Example, in a compute function:

        y_block.store(x_block + ttl.ones(shape=x_block.shape))
    """


def squeeze(x, *, dims):
    """Returns x without dimensions of extent 1.

    x is a block, or an expression of blocks; dims= (or dim=) are its dimensions, known at compile time.

    Raises a ttl.CompileError if x has another extent there, or does not have the dimension.

    Example, in a compute function:

        y_block.store(ttl.squeeze(ttl.unsqueeze(x_block, dims=[0]), dims=[0]))
    """


def unsqueeze(x, *, dims):
    """Returns x with more dimensions of extent 1.

    x is a block, or an expression of blocks; dims= (or dim=) are the positions of the new dimensions
    in the result, known at compile time.

    Raises a ttl.CompileError for positions that the result does not have.

    Example, in a compute function:

        y_block.store(ttl.squeeze(ttl.unsqueeze(x_block, dims=[0]), dims=[0]))
    """


def subview(block, offsets, shape):
    """Returns a part of a block, as the source or the destination of a copy.

    offsets are the first tile of the part in each dimension, and may be known at run time only;
    shape is that of the part in tiles, known at compile time.

    Raises a ttl.CompileError for a part that is not inside the block, and a ttl.OutOfBoundsError
    while the kernel runs.

    Example, in a data movement function:

        with dfb.reserve() as block:
            ttl.copy(tensor[0, 0], ttl.subview(block, (0, 0), (1, 1))).wait()
    """


DEFINITIONS = collect(globals())
