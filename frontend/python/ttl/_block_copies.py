# ===- _block_copies.py - copies from a block to another one ------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# ttl.copy(block, block, byte_count=n) copies to a tensor in DRAM and from there to the other block. The
# kernel gets such a tensor as one more argument for each thread with these copies. Each node uses one
# block of the tensor. Copies between a block and a pipe have byte_count=, too, and use no tensor; a thread
# that has only such copies gets one all the same.
# ===--------------------------------------------------------------------------=== #

import math
import types

import numpy as np

from ttl._ttnn import package

_KEYWORD = "byte_count"


def _mentions(code):
    """Returns whether a call in the code, or in a function inside it, has the keyword byte_count."""
    return any(_mentions(item) if isinstance(item, types.CodeType) else
               isinstance(item, tuple) and _KEYWORD in item for item in code.co_consts)


def _key(thread, buffer):
    return (thread, buffer.dtype, buffer.tiled, tuple(buffer.shape))


def _bytes(buffer):
    """Returns the size of a block in bytes."""
    types_, elements = package.types, math.prod(buffer.shape)
    return elements * (types_.tile_bytes if buffer.tiled else types_.element_bytes)(buffer.dtype)


def _scratch(call, buffer):
    """Returns a tensor with room for one block for each node, on the devices of the call."""
    rows, columns = (extent * (32 if buffer.tiled else 1) for extent in buffer.shape)
    layout = package.TILE_LAYOUT if buffer.tiled else package.ROW_MAJOR_LAYOUT
    first = next((tensor.value for tensor in call.tensors), None)
    device = first.device() if isinstance(first, package.Tensor) else None
    shape = [math.prod(call.grid) * rows, columns]
    zeros = package.storage.to_storage(np.zeros(shape), buffer.dtype) if device is None else None
    return package.Tensor.from_storage(shape, zeros, buffer.dtype, layout, None, device)


def prepare(call):
    """Makes the tensors for copies from block to block, in call.scratch."""
    call.scratch = {}
    for thread in call.threads:
        if thread.kind == "compute" or not _mentions(thread.function.__code__):
            continue
        for buffer in call.buffers:
            key = _key(thread.name, buffer)
            if len(buffer.shape) == 2 and key not in call.scratch:
                call.scratch[key] = _scratch(call, buffer)
                call.capture_tensor(call.scratch[key])


def why_not_whole(buffer, count):
    """Returns why a copy cannot have byte_count=; None if it is the size of a block of the buffer."""
    size = _bytes(buffer)
    return None if count == size else (
        f"byte_count={count}: a copy copies the whole block, which has {size} bytes; parts of blocks are not supported")


def tensor_for(call, thread, source, destination, count):
    """Returns the tensor for a copy between blocks of two buffers, or a text that says why it is not
    possible."""
    if _key(thread, source) != _key(thread, destination):
        return ("ttl.copy() copies from block to block only between buffers with blocks of one shape and type, "
                f"found {list(source.shape)} of {source.dtype.name.lower()} and {list(destination.shape)} of "
                f"{destination.dtype.name.lower()}")
    problem = why_not_whole(source, count)
    if problem is not None:
        return problem
    if len(source.shape) != 2:
        return ("ttl.copy() copies from block to block only between blocks of two dimensions, found "
                f"{list(source.shape)}")
    found = call.scratch.get(_key(thread, source))
    if found is None:
        return ("byte_count= must stand in the kernel function itself, or in a function that is defined in it: "
                f"move the copy into {thread}()")
    return found
