# ===- control.py - docstrings of functions of threads and nodes --------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

from ttl._docs import collect


def grid_size(dims=2):
    """Returns the extents of the grid: an int for dims=1, else a tuple.

    With fewer dims than the grid has, the highest dimensions are flattened into one; with more, 1 is
    added. Works in kernel functions, in the body of an operation, and outside of operations for the
    grid of the last launch.

    Raises a ValueError for dims that are not 1 to 16, and a RuntimeError before the first launch.

    Example, in any kernel function:

        rows, columns = ttl.grid_size(dims=2)
    """


def node(dims=2):
    """Returns the coordinates of this node: an int for dims=1, else a tuple.

    With fewer dims than the grid has, the highest dimensions are flattened into one, row by row; with
    more, 0 is added. Works in kernel functions and in the body of an operation, which then runs once
    for each node.

    Raises a ValueError for dims that are not 1 to 16, and a RuntimeError outside of operations.

    Example, in any kernel function:

        row, column = ttl.node(dims=2)
    """


def core(dims=2):
    """Returns the coordinates of this node: an older spelling of ttl.node().

    Raises a ValueError for dims that are not 1 to 16, and a RuntimeError outside of operations.

    Example, in any kernel function:

        row, column = ttl.core(dims=2)
    """


def static_range(*bounds):
    """Returns a range whose loop is compiled once for each number, so that the number is known at compile
    time. The arguments are those of range(). Outside of kernel functions it is range().

    Raises a ttl.CompileError for bounds that are not known at compile time.

    Example, in any kernel function:

        names = ("a", "b")
        for i in ttl.static_range(2):
            print(names[i])
    """


def signpost(name):
    """Marks a place, or with `with` a region, for profilers. No result depends on it.

    A card takes names of letters, digits, `_` and `-`, and 125 signposts on each node.

    Raises a ttl.CompileError for a name that is not known at compile time. Other names and further
    signposts give a ttl.CardWarning, or with --strict an error.

    Example, in any kernel function:

        with ttl.signpost("sum"):
            ttl.signpost("inside")
    """


def call_extern_func(header, callee, *, template_args=(), func_args=(), include_paths=(),
                     dfb_dependencies=(), dfb_effects=(), dfb_accesses=(), unknown_dfb_access=False,
                     result_type=None, condition_result=None, kernel=None):
    """Calls a C++ function, which works through Metalium's kernel API.

    header is looked for in the folder of the script, in include_paths and in the current folder;
    callee is the name of the function. dfb_effects state what it does with pages of buffers, in
    tiles. kernel= names the thread in a unified body. Every engine compiles the thread from the C++
    that --emit writes. docs/language/python.md describes each argument.

    Raises a ttl.CompileError for errors of the C++ compiler, and a ttl.ProtocolError if the function
    does something else than the call states.

    Example, in a unified body:

        ttl.call_extern_func("tiles.hpp", "fill", func_args=[y_dfb, 0.5],
                             kernel=ttl.KernelKind.COMPUTE,
                             dfb_effects=[ttl.DFBEffect.reserve(y_dfb, tiles=1),
                                          ttl.DFBEffect.push(y_dfb, tiles=1)])
    """


def reset_dataflow_buffers():
    """Makes all buffers empty, in a unified body: its threads meet, complete their transfers, and drop
    all blocks.

    Raises a ttl.CompileError in a kernel function, where ttl.reset_dfbs() and ttl.reset_all_dfbs() do
    this, or for a block that is used after the reset.

    Example, in a unified body:

        ttl.copy(x[0, 0], x_dfb.reserve())
        y_dfb.reserve().store(x_dfb.wait() + 1)
        ttl.copy(y_dfb.wait(), y[0, 0])
        ttl.reset_dataflow_buffers()
    """


def reset_dfbs(reset, *, dfbs):
    """Makes the buffers of a list empty: the participants of the reset meet, complete their transfers,
    and drop the blocks of these buffers.

    reset is a ttl.DFBReset. Each participant makes the call, with the same list.

    Raises a ttl.CompileError for a block that is used after the reset, and a ttl.DeadlockError if a
    participant does not arrive.

    Example, in a unified body:

        ttl.reset_dfbs(reset, dfbs=[x_dfb])
    """


def reset_all_dfbs(reset, *, preserve=()):
    """Makes all buffers but those of a list empty: the participants of the reset meet, complete their
    transfers, and drop the blocks.

    reset is a ttl.DFBReset. Each participant makes the call, with the same list.

    Raises a ttl.CompileError for a block that is used after the reset, and a ttl.DeadlockError if a
    participant does not arrive.

    Example, in a unified body:

        ttl.reset_all_dfbs(reset, preserve=[y_dfb])
    """


def reconfigure_dfbs(boundary):
    """Marks a point after which other buffers may use the memory and the indices of buffers that are used
    only before it.

    boundary is a ttl.DFBReconfiguration, whose participants all make the call. With
    discard_dfb_state=True all buffers become empty.

    Raises a ttl.CompileError for a call in a loop of unknown length, and a ttl.DeadlockError if a
    participant does not arrive.

    Example, in a unified body:

        ttl.reconfigure_dfbs(boundary)
    """


DEFINITIONS = collect(globals())
