# ===- _buffers.py - dataflow buffers -----------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The body of an operation makes buffers, and its kernel functions use them. The compiler handles
# the methods of a buffer.
# ===--------------------------------------------------------------------------=== #

import enum
import operator

import _ttjit
from ttl import _capture, _errors, _location, _source
from ttl._ttnn import types

MAX_BLOCKS = 32
TILE = (32, 32)


@_ttjit.public_methods
class DataflowBuffer:
    """A ring of blocks on every node, through which one kernel function passes blocks to another.

    `shape` is that of a block, in tiles or in elements of row-major tensors; `block_count` is the
    number of blocks, `dtype` the element type. In kernel functions `reserve()` returns a free block
    to fill, `wait()` the oldest filled one; `push()` and `pop()` release the oldest block of the
    thread.

    Raises a RuntimeError for calls of these methods outside of kernel functions.

    Example, in the body of an operation:

        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        assert isinstance(dfb, ttl.DataflowBuffer) and dfb.block_count == 2
    """

    def __init__(self, dtype, tiled, shape, block_count, group, call, location, backing=None):
        self.shape = shape
        self.block_count = block_count
        self.dtype = dtype
        self.tiled = tiled
        # the number of the allocation group in the call, or None
        self.group = None if group is None else group.number_in(call)
        self.backing = backing  # the part of a tensor that holds the blocks (_backing.py), or None
        self.name = ""
        self.index = len(call.buffers)
        self.location = location
        # The buffer with equal properties that replaces this one, if the body runs once for each node;
        # None if there is none.
        self.shared = None

    @property
    def canonical(self):
        """Returns the buffer that the compiled kernel uses for this one."""
        return self.shared or self

    buffer_factor = property(lambda self: self.block_count)

    def key(self):
        """Returns the properties of the buffer on which a compiled kernel depends."""
        backing = self.backing and self.backing.key()
        return (
            self.index,
            self.name,
            self.shape,
            self.block_count,
            self.dtype,
            self.tiled,
            self.group,
            backing,
        )

    def _outside(self, *args, **kwargs):
        name = self.name or _capture.name_in(_location.program_frame(), self)
        raise RuntimeError(
            f"methods of dataflow buffer '{name}' can only be called inside kernel functions: write "
            "the call in a function with @ttl.compute() or @ttl.datamovement()"
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
        advice = ""
        if any(isinstance(extent, float) for extent in extents):
            advice = ": to divide integers, write '//' in place of '/'"
        _capture.fail(f"a block's shape must be a tuple of integers, found {shape!r}{advice}")
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
    if isinstance(count, bool) or not hasattr(count, "__index__") or not 1 <= operator.index(count) <= MAX_BLOCKS:
        _capture.fail(f"block_count must be an integer from 1 to {MAX_BLOCKS}, found {count!r}")
    return operator.index(count)


def call_of(maker):
    call = _capture.current()
    if call is None:
        raise RuntimeError(
            f"ttl.{maker}() can only be called in the body of an operation: write @ttl.operation() "
            "above the function that calls it"
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
    known = ("shape", "block_count", "buffer_factor", "allocation_group", "address_scope")
    similar = _source.similar(name, known)
    advice = f"did you mean {similar}=?" if similar else f"it has: {'=, '.join(known)}="
    _capture.fail(f"{function}() has no parameter {name}=; {advice}")


class DFBAddressScope(enum.Enum):
    """Whether a buffer may have another address on every node: LOCAL or REMOTE_UNIFORM. In ttl-jit a
    buffer always has one address on all nodes. Any other value is a ttl.CompileError.

    Example, in the body of an operation:

        dfb = ttl.make_dfb("bf16", (1, 1), address_scope=ttl.DFBAddressScope.LOCAL)
    """

    LOCAL = "local"
    REMOTE_UNIFORM = "remote_uniform"


def check_scope(maker, scope):
    """Checks the value of address_scope=. It changes nothing, because every buffer has the same
    address on all nodes."""
    names = [member.value for member in DFBAddressScope]
    if scope is not None and not isinstance(scope, DFBAddressScope) and scope not in names:
        _capture.fail(f'{maker}(): address_scope must be None, "local", "remote_uniform" or a '
                      f"ttl.DFBAddressScope, found {scope!r}")


def _likeness(call, tensor):
    """Returns the element type of the first argument of make_dataflow_buffer_like(), and whether it
    has tile layout. The argument may be any object with an attribute `dtype`."""
    maker = "make_dataflow_buffer_like"
    entry = call.tensor(tensor)
    if entry is not None or _ttjit.is_tensor(tensor):
        argument = entry.argument if entry else _ttjit.tensor_argument(tensor, *call.options.placement)
        return argument.dtype, argument.layout is _ttjit.Layout.TILE
    if isinstance(tensor, type) or not hasattr(tensor, "dtype"):
        _capture.fail(
            f"the first argument of {maker}() must be a tensor, or an object with an attribute "
            f"dtype, found {None if tensor is None else type(tensor).__name__}"
            f"{': pass numpy.array(x) in its place' if isinstance(tensor, (list, tuple)) else ''}"
        )
    tile = getattr(tensor.get_tile(), "tile_shape", TILE) if hasattr(tensor, "get_tile") else TILE
    _check_tile(maker, tile)
    layout = getattr(tensor, "layout", _ttjit.Layout.TILE)
    return _element_type(maker, tensor.dtype), layout is None or layout == _ttjit.Layout.TILE


@_ttjit.public
def make_dataflow_buffer_like(
    tensor,
    shape=None,
    block_count=None,
    buffer_factor=None,
    *,
    allocation_group=None,
    address_scope=None,
    **unknown,
):
    """Makes a buffer with the element type and the layout of a tensor.

    shape is that of one block: in tiles of 32x32 elements if the tensor has tile layout, in
    elements otherwise. block_count (1 to 32, 2 without it) is the number of blocks in the ring. The
    tensor may be any object with an attribute dtype.

    Raises a ttl.CompileError for a wrong shape, count or type, and a RuntimeError outside of an
    operation.

    Example, in the body of an operation:

        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    """
    call = call_of("make_dataflow_buffer_like")
    for name in unknown:
        _fail_unknown("make_dataflow_buffer_like", name)
    dtype, tiled = _likeness(call, tensor)
    count = checked_block_count(block_count, buffer_factor)
    check_group("make_dataflow_buffer_like", allocation_group)
    check_scope("make_dataflow_buffer_like", address_scope)
    return add(call, dtype, tiled, block_shape(shape), count, allocation_group)


# Names of element types other than those of ttnn and numpy.
_FORMAT_NAMES = {
    "bf16": types.bfloat16,
    "fp32": types.float32,
    "f32": types.float32,
    "fp16": types.float16,
    "f16": types.float16,
    "bfp8_b": types.bfloat8_b,
    "bfp4_b": types.bfloat4_b,
}


def _element_type(maker, dtype):
    """Returns the element type that a ttnn, torch or numpy dtype, or a name, stands for."""
    if isinstance(dtype, str) and dtype.lower() in _FORMAT_NAMES:
        return _FORMAT_NAMES[dtype.lower()]
    try:
        return types.as_dtype(dtype)
    except TypeError as error:
        what = f"Unrecognized data format name {dtype!r}" if isinstance(dtype, str) else str(error)
        names = ", ".join(f'"{name}"' for name in _FORMAT_NAMES)
        advice = f"; the short names are {names}" if isinstance(dtype, str) else ""
        _capture.fail(f"the element type of {maker}() is unknown: {what}{advice}")


def _check_tile(maker, tile):
    extents = tuple(tile) if isinstance(tile, (tuple, list)) else tile
    if extents == TILE:
        return
    is_tile = isinstance(extents, tuple) and len(extents) == 2
    if is_tile and extents[0] in (1, 2, 4, 8, 16, 32) and extents[1] in (16, 32):
        _capture.fail(f"{maker}(): tiles of {extents[0]}x{extents[1]} elements do not run here: tile= "
                      f"must be {TILE}")
    _capture.fail(f"{maker}(): tile= must be {TILE}, found tile={tile!r}")


def add_received(call, tensor, shape, location):
    """Makes the buffer for blocks that the compiler receives on their way into slices of a tensor."""
    buffer = DataflowBuffer(*_likeness(call, tensor), shape, 2, None, call, location)
    call.buffers.append(buffer)
    return buffer


@_ttjit.public
def make_dfb(
    dtype,
    shape=None,
    block_count=None,
    tile=TILE,
    allocation_group=None,
    *,
    buffer_factor=None,
    address_scope=None,
):
    """Makes a buffer of tiles, without a tensor as example.

    dtype is an element type of ttnn, torch or numpy, or a name: "bf16", "fp32", "int32", "bfp8_b".
    shape is that of one block in tiles, block_count (1 to 32, 2 without it) the number of blocks in
    the ring.

    Raises a ttl.CompileError for a wrong shape, count or type, and a RuntimeError outside of an
    operation.

    Example, in the body of an operation:

        dfb = ttl.make_dfb("bf16", (2, 2), block_count=2)
    """
    call = call_of("make_dfb")
    dtype = _element_type("make_dfb", dtype)
    _check_tile("make_dfb", tile)
    check_group("make_dfb", allocation_group)
    check_scope("make_dfb", address_scope)
    count = checked_block_count(block_count, buffer_factor)
    return add(call, dtype, True, block_shape(shape), count, allocation_group)


@_ttjit.public_methods
class AllocationGroup:
    """Buffers that share one buffer index and one range of L1. They are used one after the other;
    the compiler proves this."""

    def number_in(self, call):
        """Returns the number of the group in a call, from 1."""
        if self not in call.allocation_groups:
            call.allocation_groups.append(self)
        return call.allocation_groups.index(self) + 1

    def __repr__(self):
        return "<AllocationGroup>"


def check_group(maker, group):
    """Fails if an argument allocation_group= is no group."""
    if group is not None and not isinstance(group, AllocationGroup):
        _capture.fail(
            f"{maker}(): allocation_group must be created by ttl.make_dfb_allocation_group(), found "
            f"{group!r}",
            kind=_errors.CompileTypeError,
        )


@_ttjit.public
def make_dfb_allocation_group():
    """Makes a group of buffers that share one buffer index and one range of L1: allocation_group=
    of make_dfb() and make_dataflow_buffer_like().

    Raises a ValueError at the top of a program. The compiler proves that the lives of the buffers
    do not overlap, or raises a ttl.CompileError.

    Example, in the body of an operation:

        group = ttl.make_dfb_allocation_group()
        first = ttl.make_dfb("bf16", (1, 1), allocation_group=group)
        second = ttl.make_dfb("bf16", (1, 1), allocation_group=group)
    """
    if _capture.current() is None and _location.program_frame().f_code.co_name == "<module>":
        raise ValueError(
            "an allocation group must be created by an enclosing factory: call "
            "ttl.make_dfb_allocation_group() in the body of the operation, or in the function that "
            "defines the operation"
        )
    return AllocationGroup()


make_circular_buffer_like = make_dataflow_buffer_like
CircularBuffer = make_dataflow_buffer_like
DFB = DataflowBuffer
