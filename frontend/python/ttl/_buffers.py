# ===- _buffers.py - dataflow buffers ------------------------------------------===//
# SPDX-License-Identifier: Apache-2.0
#
# The body of an operation makes buffers, and its kernel functions use them. The compiler handles
# the methods of a buffer.
# ===----------------------------------------------------------------------------===//

import operator

import _ttjit
from ttl import _capture, _location, _source
from ttl._ttnn import types

MAX_BLOCKS = 32
TILE = (32, 32)


@_ttjit.public_methods
class DataflowBuffer:
    """A ring of blocks on every node, through which one kernel function passes blocks to
    another."""

    def __init__(self, dtype, tiled, shape, block_count, group, call, location, backing=None):
        self.shape = shape
        self.block_count = block_count
        self.dtype = dtype
        self.tiled = tiled
        self.group = group
        self.backing = backing  # the part of a tensor that holds the blocks (_backing.py), or None
        self.name = ""
        self.index = len(call.buffers)
        self.location = location
        # if bodies run once for each node, the equal buffer of another node, or None
        self.shared = None

    @property
    def canonical(self):
        """Returns the buffer of the compiled kernel that stands for this one."""
        return self.shared or self

    buffer_factor = property(lambda self: self.block_count)

    def key(self):
        """Returns the properties of the buffer on which a compiled kernel depends."""
        group = self.group and self.group.number
        backing = self.backing and self.backing.key()
        return (
            self.index,
            self.name,
            self.shape,
            self.block_count,
            self.dtype,
            self.tiled,
            group,
            backing,
        )

    def _outside(self, *args, **kwargs):
        raise RuntimeError(
            f"methods of dataflow buffer '{self.name}' can only be called inside kernel functions"
        )

    wait = reserve = push = pop = publish = _outside

    def __repr__(self):
        return f"<DataflowBuffer {self.name} shape={self.shape} block_count={self.block_count}>"


def block_shape(shape):
    if shape is None:
        _capture.fail("a dataflow buffer must have shape=, the shape of one block")
    extents = shape if isinstance(shape, (tuple, list)) else (shape,)
    try:
        extents = tuple(operator.index(extent) for extent in extents)
    except TypeError:
        _capture.fail(f"a block's shape must be a tuple of integers, found {shape!r}")
    if not extents or any(extent < 1 for extent in extents):
        _capture.fail(f"a block's extents must be at least 1, found shape {extents}")
    if any(extent >= 2**31 for extent in extents):
        _capture.fail(f"a block of shape {extents} is too large for any memory: use a smaller "
                      "shape")
    return extents


def checked_block_count(block_count, buffer_factor, otherwise=2):
    if block_count is not None and buffer_factor is not None:
        _capture.fail("block_count and buffer_factor mean the same: give only one of them")
    count = block_count if block_count is not None else buffer_factor
    count = otherwise if count is None else count
    if not hasattr(count, "__index__") or not 1 <= operator.index(count) <= MAX_BLOCKS:
        _capture.fail(f"block_count must be an integer from 1 to {MAX_BLOCKS}, found {count!r}")
    return operator.index(count)


def call_of(maker):
    call = _capture.current()
    if call is None:
        raise RuntimeError(
            f"ttl.{maker}() can only be called in the body of an operation"
        )
    return call


def add(call, dtype, tiled, shape, block_count, group=None, backing=None):
    """Adds a new buffer to the call and returns it."""
    location = _location.program_location()
    buffer = DataflowBuffer(dtype, tiled, shape, block_count, group, call, location, backing)
    call.buffers.append(buffer)
    call.note_frame(_location.program_frame())
    return buffer


def _fail_unknown(function, name):
    known = ("shape", "block_count", "buffer_factor")
    similar = _source.similar(name, known)
    advice = f"did you mean {similar}=?" if similar else f"it has: {'=, '.join(known)}="
    _capture.fail(f"{function}() has no parameter {name}=; {advice}")


@_ttjit.public
def make_dataflow_buffer_like(
    tensor, shape=None, block_count=None, buffer_factor=None, **unknown
):
    """Makes a buffer of blocks of shape `shape`. The blocks consist of 32x32 tiles if the tensor
    has tile layout, and of scalars otherwise."""
    call = call_of("make_dataflow_buffer_like")
    for name in unknown:
        _fail_unknown("make_dataflow_buffer_like", name)
    entry = call.tensor(tensor)
    if entry is None and not _ttjit.is_tensor(tensor):
        _capture.fail(
            "the first argument of make_dataflow_buffer_like() must be a tensor, found "
            f"{None if tensor is None else type(tensor).__name__}"
        )
    argument = entry.argument if entry else _ttjit.tensor_argument(tensor, *call.options.placement)
    tiled = argument.layout is _ttjit.Layout.TILE
    count = checked_block_count(block_count, buffer_factor)
    return add(call, argument.dtype, tiled, block_shape(shape), count)


@_ttjit.public
def make_dfb(
    dtype, shape=None, block_count=None, tile=TILE, allocation_group=None, *, buffer_factor=None
):
    """Makes a buffer of blocks of `shape` tiles of `dtype`, without a tensor as example."""
    call = call_of("make_dfb")
    try:
        dtype = types.as_dtype(dtype)
    except TypeError as error:
        _capture.fail(f"the first argument of make_dfb() must be an element type: {error}")
    if tuple(tile or ()) != TILE:
        _capture.fail(f"make_dfb(): tile= must be {TILE}, found tile={tile!r}")
    check_group("make_dfb", allocation_group)
    count = checked_block_count(block_count, buffer_factor)
    return add(call, dtype, True, block_shape(shape), count, allocation_group)


@_ttjit.public_methods
class AllocationGroup:
    """Buffers that share one buffer index and one range of L1. They are used one after the other;
    the compiler proves this."""

    def __init__(self, number):
        self.number = number

    def key(self):
        return (self.number,)

    def __repr__(self):
        return f"<AllocationGroup {self.number}>"


def check_group(maker, group):
    """Fails if an argument allocation_group= is no group."""
    if group is not None and not isinstance(group, AllocationGroup):
        _capture.fail(
            f"{maker}(): allocation_group must be a group that ttl.make_dfb_allocation_group() "
            f"returned, found {group!r}"
        )


@_ttjit.public
def make_dfb_allocation_group():
    """Makes a group to pass to make_dfb(allocation_group=)."""
    call = call_of("make_dfb_allocation_group")
    call.allocation_groups += 1
    return AllocationGroup(call.allocation_groups)


make_circular_buffer_like = make_dataflow_buffer_like
CircularBuffer = make_dataflow_buffer_like
DFB = DataflowBuffer
