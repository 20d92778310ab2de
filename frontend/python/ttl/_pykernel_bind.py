# ===- _pykernel_bind.py - the parameters of kernel functions --------------------===//
# SPDX-License-Identifier: Apache-2.0
#
# In the oldest spelling, a kernel function has a parameter for each tensor's buffer, and then for
# semaphores. When the program is called with the tensors, or the body ends without such a call, this
# file makes the buffers and semaphores. _pykernel_rewrite.py gives the kernel functions the current
# spelling. If only the compute function uses a buffer, _pykernel_transfers.py adds functions that
# move its blocks.
# ===----------------------------------------------------------------------------===//

import inspect
import operator

from ttl import _buffers, _capture, _pipes, _pykernel_rewrite, _pykernel_transfers

BLOCKS = 2  # the number of blocks of a buffer


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
    factors = _factors(call.options.block_factors, len(entries))
    _check_parameters(threads, len(entries))
    names = max((_parameters(thread) for thread in threads), key=len)
    buffers = _make_buffers(call, entries, factors, names)
    semaphores = [_make_semaphore(name) for name in names[len(entries) :]]
    shapes = [(entry.value, factor) for entry, factor in zip(entries, factors)]
    functions = [
        _pykernel_rewrite.Function(thread, buffers, semaphores, shapes, call.grid)
        for thread in call.threads
    ]
    _pykernel_transfers.complete(call, functions, shapes)
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
    if len(entry.value.shape) != 2:
        _capture.fail(
            f"tensors of @pykernel_gen must have two dimensions, found '{entry.name}' of shape "
            f"{tuple(entry.value.shape)}"
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
    if len(pairs) != count or any(len(pair) != 2 for pair in pairs):
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


def _make_buffers(call, entries, factors, names):
    buffers = []
    for entry, factor, name in zip(entries, factors, names):
        buffer = _buffers.make_dataflow_buffer_like(entry.value, factor, BLOCKS)
        buffer.name = name
        buffers.append(buffer)
    return buffers


def _make_semaphore(name):
    semaphore = _pipes.Semaphore()
    semaphore.name = name
    return semaphore
