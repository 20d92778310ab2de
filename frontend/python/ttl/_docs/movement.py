# ===- movement.py - docstrings of functions that move data -------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

from ttl._docs import collect


def copy(src, dst):
    """Starts a transfer and returns its handle; handle.wait() waits until it is complete.

    One end is a block, or a part of it (ttl.subview). The other is a slice of a tensor, counted in
    tiles (in elements for row-major tensors), or a pipe. Both have one element type, and one shape
    apart from leading extents of 1. A copy that nothing waits for is completed at its own line.

    Raises a ttl.CompileError for shapes or types that differ, and a ttl.OutOfBoundsError for a slice
    outside of the tensor while the kernel runs.

    Example, in a data movement function:

        with dfb.reserve() as block:
            ttl.copy(tensor[0, 0], block).wait()
    """


def GroupTransfer():
    """Makes a group of transfers: group.add(handle) adds one, group.wait_all() waits for all of them.

    Loops and branches may add copies between tensors and blocks. A copy over a pipe is waited for in
    the loop or branch that starts it.

    Raises a ttl.CompileError where a handle of a pipe leaves its loop or branch.

    Example, in a data movement function:

        group = ttl.GroupTransfer()
        with dfb.reserve() as block:
            group.add(ttl.copy(tensor[0, 0], block))
            group.wait_all()
    """


def wait_any(handles, start=0):
    """Waits until one of several receives has arrived, and completes that one.

    handles is a tuple of what ttl.copy(pipe, block) returned. index() of the result is the place of
    the receive in this tuple. If several have arrived, the result is the first one at start,
    start + 1, ..., modulo the length of the tuple; start may be known at run time only.

    Raises a ttl.CompileError for a handle that is no receive, and a ttl.ProtocolError if all receives
    were completed before.

    Example, in a data movement function:

        def receive(pipe):
            with dfb.reserve() as block:
                handle = ttl.copy(pipe, block)
                ttl.wait_any((handle,))

        net.if_src(send)
        net.if_dst(receive)
    """


def if_pipe_src(pipes, function):
    """Calls function(pipe) for each of the pipes that starts at this node: an older spelling of
    net.if_src(function).

    pipes is a pipe or a list of pipes of one net.

    Raises a ttl.CompileError for a value that is no pipe.

    Example, in a data movement function:

        ttl.if_pipe_src(pipes, send)
        ttl.if_pipe_dst(pipes, receive)
    """


def if_pipe_dst(pipes, function):
    """Calls function(pipe) for each of the pipes that ends at this node: an older spelling of
    net.if_dst(function).

    pipes is a pipe or a list of pipes of one net.

    Raises a ttl.CompileError for a value that is no pipe.

    Example, in a data movement function:

        ttl.if_pipe_src(pipes, send)
        ttl.if_pipe_dst(pipes, receive)
    """


def core_in_pipe(pipe):
    """Returns whether this node is the source of a pipe, or one of its destinations. All threads may ask.

    Raises a ttl.CompileError for a value that is no pipe.

    Example, in a data movement function:

        if ttl.core_in_pipe(pipes[0]):
            net.if_src(send)
            net.if_dst(receive)
    """


def raw_element_read(block, *coordinates):
    """Returns one element of a block of float32 or bfloat16, as a float.

    coordinates count elements of the whole block, one for each dimension; they may be known at run
    time only.

    Raises a ttl.CompileError for a block of another type, and a ttl.OutOfBoundsError for coordinates
    outside of the block.

    Example, in a data movement function:

        with dfb.reserve() as block:
            ttl.copy(tensor[0, 0], block).wait()
            first = ttl.raw_element_read(block, 0, 0)
    """


def raw_element_write(block, *coordinates, value):
    """Writes one element of a block of float32 or bfloat16.

    coordinates count elements of the whole block, one for each dimension. The value may also be the
    last positional argument; it may be known at run time only.

    Raises a ttl.CompileError for a block of another type, and a ttl.OutOfBoundsError for coordinates
    outside of the block.

    Example, in a data movement function:

        with dfb.reserve() as block:
            ttl.copy(tensor[0, 0], block).wait()
            ttl.raw_element_write(block, 0, 0, value=1.0)
    """


def read_index(block, *coordinates):
    """Returns one element of a block, as an int: for indices that are data.

    coordinates count elements of the whole block, one for each dimension. The block has floats, which
    are truncated, or integers.

    Raises a ttl.RuntimeFault for a value that is negative, not finite, or above 2**31 - 1, and a
    ttl.OutOfBoundsError for coordinates outside of the block.

    Example, in a data movement function:

        with dfb.reserve() as block:
            ttl.copy(tensor[0, 0], block).wait()
            row = ttl.read_index(block, 0, 0)
    """


DEFINITIONS = collect(globals())
