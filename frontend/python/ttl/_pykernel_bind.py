# ===- _pykernel_bind.py - the parameters of kernel functions -----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# In operations of @pykernel_gen, a kernel function has a parameter for each tensor's buffer, and then for
# semaphores. When the program is called with the tensors, or the body ends without such a call, this
# file makes the buffers and semaphores: it finds out what the functions do on each node
# (_pykernel_walk.py) and how large the blocks are (_pykernel_readings.py). The kernel functions are
# rewritten to the current spelling (_pykernel_rewrite.py). If only the compute function uses a
# buffer, functions that move its blocks are added (_pykernel_transfers.py).
# ===--------------------------------------------------------------------------=== #

import contextvars
import inspect
import operator

from ttl import (
    _buffers,
    _capture,
    _pipes,
    _pykernel_collapse,
    _pykernel_readings,
    _pykernel_rewrite,
    _pykernel_sums,
    _pykernel_transfers,
    _pykernel_walk,
)

BLOCKS = 2  # the number of blocks of a buffer

# the ids of the tensors that the call may write in part (ttl.partial)
partial = contextvars.ContextVar("ttl_pykernel_partial", default=frozenset())


def bind(call, tensors):
    """Passes the kernel functions of a program their arguments: a buffer for each of these
    tensors, and semaphores."""
    threads = [thread for thread in call.threads if _takes_parameters(thread)]
    if not threads:
        return
    if not getattr(call.options, "is_pykernel", False):
        _capture.fail(
            f"kernel function {threads[0].name}() must have no parameters: use the buffers and "
            "tensors of the operation around it, or decorate the operation with @pykernel_gen"
        )
    entries = [_entry(call, tensor) for tensor in tensors]
    factors = _factors(call.block_factors, len(entries))
    _check_parameters(threads, len(entries))
    functions = _functions(call, entries)
    traces = [_traces(function, call.grid) for function in functions]
    given = _pykernel_readings.arguments(entries, factors, functions, partial.get())
    choice = _pykernel_readings.Choice(given, functions, traces, call.grid)
    reading = choice.run()
    call.notes += choice.notes(reading)
    _note_unknown(call, traces, given)
    _move_sums(functions, given, reading)
    _rewrite(call, entries, functions, traces, reading)


def _functions(call, entries):
    """Returns the kernel functions, with tensors of two dimensions in place of others."""
    originals = [entry.value for entry in entries]
    flat = [_pykernel_collapse.collapsed(call, entry) for entry in entries]
    functions = [_pykernel_rewrite.Function(thread, originals) for thread in call.threads]
    for function in functions:
        for old, new in zip(originals, flat):
            function.replace_tensor(old, new)
        function.tensors = flat
    return functions


def _traces(function, grid):
    """Returns what a function does on each node, or the Unknown that tells why that is not known."""
    try:
        return _pykernel_walk.traces(function, grid)
    except _pykernel_walk.Unknown as unknown:
        return unknown


def _note_unknown(call, traces, given):
    """Lets the launch check that outputs are written, if only the device knows which blocks are."""
    if any(isinstance(each, Exception) for each in traces) and not all(each.is_partial for each in given):
        call.checks_outputs = True
        call.notes.append("outputs: checked at each launch, because their blocks depend on data")


def _move_sums(functions, given, reading):
    """Moves blocks of sums out of the loops that add the products."""
    for function in functions:
        for position, argument in enumerate(given):
            name = function.buffer_names[position]
            is_whole = reading.parts[position] == (1, 1)
            if function.kind == "compute" and argument.role == "output" and is_whole:
                if _pykernel_sums.has_products(function, name):
                    _pykernel_sums.move_out(function, name)


def _rewrite(call, entries, functions, traces, reading):
    names = max((function.buffer_names + function.semaphore_names for function in functions), key=len)
    buffers = _make_buffers(entries, reading.blocks, names)
    semaphores = [_make_semaphore(name) for name in names[len(entries) :]]
    for function, each in zip(functions, traces):
        summed = function.rewrite(buffers, semaphores, reading, call.grid, each)
        call.notes += [f"sums: the products that {function.name}() stores into a block of '{name}' are added"
                       for name in dict.fromkeys(summed)]
    _pykernel_transfers.complete(call, functions, reading)
    call.threads[:] = [function.thread() for function in functions]


def _takes_parameters(thread):
    return bool(_parameters(thread)) or inspect.iscoroutinefunction(thread.function)


def _parameters(thread):
    return list(inspect.signature(thread.function).parameters)


def _entry(call, tensor):
    entry = call.tensor(tensor)
    if entry is None:
        _capture.fail(
            "the arguments of a program must be tensors that are arguments of the operation, "
            f"found {'None' if tensor is None else type(tensor).__name__}"
        )
    if len(entry.value.shape) < 2:
        _capture.fail(
            f"tensors of @pykernel_gen must have at least two dimensions, found '{entry.name}' of "
            f"shape {tuple(entry.value.shape)}"
        )
    return entry


def _factors(factors, count):
    """Returns the rows and columns of each tensor's block, in tiles."""
    if factors is None:
        return [(1, 1)] * count
    if all(hasattr(factor, "__index__") for factor in factors) and len(factors) == 2 * count:
        factors = list(zip(factors[::2], factors[1::2]))
    try:
        pairs = [tuple(operator.index(extent) for extent in factor) for factor in factors]
    except TypeError:
        pairs = []
    if len(pairs) != count or any(len(pair) != 2 or min(pair) < 1 for pair in pairs):
        _capture.fail(
            "block_factors must be a list of (rows, columns), one for each of the program's "
            f"{count} tensors, found {factors!r}"
        )
    return pairs


def _check_parameters(threads, count):
    for thread in threads:
        found = len(_parameters(thread))
        if found < count:
            _capture.fail(
                f"kernel function {thread.name}() must have a parameter for the buffer of each of "
                f"the program's {count} tensors, found {found} parameters",
                location=thread.location,
            )


def _make_buffers(entries, blocks, names):
    buffers = []
    for entry, block, name in zip(entries, blocks, names):
        buffer = _buffers.make_dataflow_buffer_like(entry.value, block, BLOCKS)
        buffer.name = name
        buffers.append(buffer)
    return buffers


def _make_semaphore(name):
    semaphore = _pipes.Semaphore()
    semaphore.name = name
    return semaphore
