# ===- _backing.py - dataflow buffers that are parts of tensors ---------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The memory of a buffer from make_tensor_backed_dfb() is the node's shard of a tensor. The compiler
# checks that the shard has the pages of the buffer (passes/ttl/VerifyTensorBacking.cpp), and each
# launch checks that every node has a shard (hw/device/BackedBuffers.cpp).
# ===--------------------------------------------------------------------------=== #

import operator

import _ttjit
from ttl import _buffers, _capture

_MAKER = "make_tensor_backed_dfb"


class Backing:
    """The part of a tensor that holds the blocks of a buffer. `tensor` is the entry of the tensor
    in the call, and `number` its index in call.tensors."""

    def __init__(self, tensor, number, byte_offset):
        self.tensor = tensor
        self.number = number
        self.byte_offset = byte_offset

    def key(self):
        """Returns the properties on which a compiled kernel depends."""
        return (self.number, self.byte_offset)


def _entry(call, tensor):
    """Returns the entry of a tensor object in the call. A tensor that is not an argument of the
    operation becomes an additional argument of the kernel."""
    if not _ttjit.is_tensor(tensor):
        found = None if tensor is None else type(tensor).__name__
        _capture.fail(f"the first argument of {_MAKER}() must be a tensor, found {found}")
    entry = call.tensor(tensor)
    if entry is None and _capture.is_walking():
        _capture.fail(
            f"{_MAKER}(): a tensor that is made in the body of a unified operation cannot back a "
            "buffer: pass the tensor to the operation"
        )
    return entry or call.capture_tensor(tensor)


def _byte_offset(value):
    if not hasattr(value, "__index__") or not 0 <= operator.index(value) < 2**31:
        _capture.fail(
            f"{_MAKER}(): byte_offset must be an integer from 0 to 2147483647, found {value!r}"
        )
    return operator.index(value)


@_ttjit.public
def make_tensor_backed_dfb(
    tensor,
    shape=None,
    block_count=None,
    byte_offset=0,
    allocation_group=None,
    *,
    buffer_factor=None,
    address_scope=None,
):
    """Makes a buffer whose blocks are the pages that the node's shard of a tensor has from
    byte_offset on.

    The tensor is sharded in L1. shape is that of one block in tiles, byte_offset is in bytes.
    Kernels then read and write the shard without copies.

    Raises a ttl.CompileError for a tensor that is not sharded in L1, or for pages beyond the shard.

    Example, in the body of an operation:

        dfb = ttl.make_tensor_backed_dfb(shard, shape=(1, 1), block_count=1)
    """
    call = _buffers.call_of(_MAKER)
    entry = _entry(call, tensor)
    shape = _buffers.block_shape(shape)
    count = _buffers.checked_block_count(block_count, buffer_factor, otherwise=1)
    _buffers.check_group(_MAKER, allocation_group)
    _buffers.check_scope(_MAKER, address_scope)
    backing = Backing(entry, call.tensors.index(entry), _byte_offset(byte_offset))
    tiled = entry.argument.layout is _ttjit.Layout.TILE
    return _buffers.add(
        call, entry.argument.dtype, tiled, shape, count, allocation_group, backing
    )
