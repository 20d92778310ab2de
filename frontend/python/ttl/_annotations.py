# ===- _annotations.py - types that annotations of kernel values name ---------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Blocks and handles exist only in kernels. Programs name their types in annotations.
# ===--------------------------------------------------------------------------=== #


class TensorBlock:
    """A block of a dataflow buffer, or an expression of blocks: the type to name in annotations.

    `shape` is in tiles for tiled blocks, in elements for row-major ones; `dtype` is the element
    type. Operators and functions compute with blocks of one shape, and a mistake is a
    ttl.CompileError. `store(x)` writes a reserved block, `push()` and `pop()` release it.

    Example, in the body of an operation:

        def doubled(block: ttl.TensorBlock):
            return block + block
    """


class CopyTransferHandler:
    """The handle that ttl.copy() returns: the type to name in annotations.

    `wait()` waits until the transfer is complete. A second wait is a ttl.CompileError or a
    ttl.ProtocolError, except for receives.

    Example, in the body of an operation:

        def finish(handle: ttl.CopyTransferHandler):
            handle.wait()
    """


class ReceiveRequest(CopyTransferHandler):
    """The handle of a copy from a pipe: what ttl.wait_any() takes. `wait()` waits for this receive;
    a second wait has no effect.

    Raises a ttl.ProtocolError for a block that is released while the receive is in flight.

    Example, in the body of an operation:

        def finish(handle: ttl.ReceiveRequest):
            handle.wait()
    """


class ReadyReceive:
    """The result of ttl.wait_any(). `index()` is the place of the receive that has arrived.

    Raises a ttl.CompileError in another thread of a unified body than the one that receives.

    Example, in the body of an operation:

        def is_first(done: ttl.ReadyReceive):
            return done.index() == 0
    """


class constexpr:
    """An annotation of an operation's parameter: a number is a constant of the kernel, and a call with
    another number compiles another kernel. It raises no error: other arguments are always constants.

    Example:

        @ttl.operation(grid=(1, 1))
        def scale(x, y, factor: ttl.constexpr):
            ...
    """


class runtime:
    """An annotation of an operation's parameter: its number is a run-time argument of the kernel, so
    that calls with other numbers run the same kernel. The kernel computes with 32 bits. A use that
    needs a constant is a ttl.CompileError.

    Example:

        @ttl.operation(grid=(1, 1))
        def scale(x, y, factor: ttl.runtime):
            ...
    """


MemTx = CopyTransferHandler

for _class in (TensorBlock, CopyTransferHandler, ReceiveRequest, ReadyReceive, constexpr, runtime):
    _class.__module__ = "ttl"
