# ===- _buffers.py - dataflow buffers ------------------------------------------===//
# SPDX-License-Identifier: Apache-2.0
#
# A buffer is made in an operation's body and used in its kernel functions,
# where the compiler handles its methods.
# ===----------------------------------------------------------------------------===//

import operator

import _ttjit
from ttl import _capture, _location, _source
from ttnn import types

MAX_BLOCKS = 32
TILE = (32, 32)


@_ttjit.public_methods
class DataflowBuffer:
    """A ring of blocks on every node, between two kernel functions."""

    def __init__(self, dtype, tiled, shape, block_count, group, call, location):
        self.shape = shape
        self.block_count = block_count
        self.dtype = dtype
        self.tiled = tiled
        self.group = group
        self.name = ""
        self.index = len(call.buffers)
        self.location = location
        self.call = call
        self.canonical = self  # the buffer of the compiled kernel, for all nodes

    buffer_factor = property(lambda self: self.block_count)

    def key(self):
        """What of a buffer a compiled kernel depends on."""
        group = self.group and self.group.number
        return (self.index, self.name, self.shape, self.block_count, self.dtype, self.tiled, group)

    def _outside(self, *args, **kwargs):
        raise RuntimeError(
            f"methods of dataflow buffer '{self.name}' work only inside kernel functions"
        )

    wait = reserve = push = pop = publish = _outside

    def __repr__(self):
        return f"<DataflowBuffer {self.name} shape={self.shape} block_count={self.block_count}>"


def _block_shape(shape):
    if shape is None:
        _capture.fail("a dataflow buffer needs shape=, the shape of one block")
    extents = shape if isinstance(shape, (tuple, list)) else (shape,)
    try:
        extents = tuple(operator.index(extent) for extent in extents)
    except TypeError:
        _capture.fail(f"a block's shape is a tuple of integers, found {shape!r}")
    if not extents or any(extent < 1 for extent in extents):
        _capture.fail(f"a block's extents are at least 1, found shape {extents}")
    if any(extent >= 2**31 for extent in extents):
        _capture.fail(f"no memory holds a block of shape {extents}")
    return extents


def _block_count(block_count, buffer_factor):
    if block_count is not None and buffer_factor is not None:
        _capture.fail("block_count and buffer_factor are the same: give one of them")
    count = block_count if block_count is not None else buffer_factor
    count = 2 if count is None else count
    if not hasattr(count, "__index__") or not 1 <= operator.index(count) <= MAX_BLOCKS:
        _capture.fail(f"block_count is an integer from 1 to {MAX_BLOCKS}, found {count!r}")
    return operator.index(count)


def _call_of(maker):
    call = _capture.current()
    if call is None:
        raise RuntimeError(
            f"ttl.{maker}() works only in the body of an operation that is being called"
        )
    return call


def _add(call, dtype, tiled, shape, block_count, group=None):
    """A new buffer of the call."""
    location = _location.program_location()
    buffer = DataflowBuffer(dtype, tiled, shape, block_count, group, call, location)
    call.buffers.append(buffer)
    call.note_frame(_location.program_frame())
    return buffer


def _fail_unknown(function, name):
    known = ("shape", "block_count", "buffer_factor")
    similar = _source.similar(name, known)
    advice = f"did you mean {similar}=?" if similar else f"it has: {'=, '.join(known)}="
    _capture.fail(f"{function}() has no argument {name}=; {advice}")


@_ttjit.public
def make_dataflow_buffer_like(
    tensor, shape=None, block_count=None, buffer_factor=None, **unknown
):
    """A buffer of blocks of `shape`: 32x32 tiles for a tensor in tile layout, else scalars."""
    call = _call_of("make_dataflow_buffer_like")
    for name in unknown:
        _fail_unknown("make_dataflow_buffer_like", name)
    entry = call.tensor(tensor)
    if entry is None and not _ttjit.is_tensor(tensor):
        _capture.fail(
            "make_dataflow_buffer_like() takes a tensor first, found "
            f"{None if tensor is None else type(tensor).__name__}"
        )
    argument = entry.argument if entry else _ttjit.tensor_argument(tensor, *call.options.placement)
    tiled = argument.layout is _ttjit.Layout.TILE
    count = _block_count(block_count, buffer_factor)
    return _add(call, argument.dtype, tiled, _block_shape(shape), count)


@_ttjit.public
def make_dfb(
    dtype, shape=None, block_count=None, tile=TILE, allocation_group=None, *, buffer_factor=None
):
    """A buffer of blocks of `shape` in tiles of `dtype`, without a tensor to be like."""
    call = _call_of("make_dfb")
    try:
        dtype = types.as_dtype(dtype)
    except TypeError as error:
        _capture.fail(f"make_dfb() takes an element type first: {error}")
    if tuple(tile or ()) != TILE:
        _capture.fail(f"make_dfb(): blocks are made of tiles of {TILE}, found tile={tile!r}")
    if allocation_group is not None and not isinstance(allocation_group, AllocationGroup):
        _capture.fail(
            "make_dfb(): allocation_group is what ttl.make_dfb_allocation_group() returns, found "
            f"{allocation_group!r}"
        )
    count = _block_count(block_count, buffer_factor)
    return _add(call, dtype, True, _block_shape(shape), count, allocation_group)


@_ttjit.public_methods
class AllocationGroup:
    """Buffers that share one buffer index and one range of L1. They are used one after the
    other, which the compiler proves."""

    def __init__(self, number):
        self.number = number

    def key(self):
        return (self.number,)

    def __repr__(self):
        return f"<AllocationGroup {self.number}>"


@_ttjit.public
def make_dfb_allocation_group():
    """A group for make_dfb(allocation_group=)."""
    call = _call_of("make_dfb_allocation_group")
    call.allocation_groups += 1
    return AllocationGroup(call.allocation_groups)


make_circular_buffer_like = make_dataflow_buffer_like
CircularBuffer = make_dataflow_buffer_like
DFB = DataflowBuffer
