# SPDX-License-Identifier: Apache-2.0
"""What a launch leaves out of its results. A tensor may hold the results before the launch, and a launch
that leaves a part of them out must not seem to have computed it. So where a launch changed nothing in a
tensor that it writes, it runs again on copies with other contents there."""

import contextlib

import numpy as np
from ttl import _options, _partial, _values
from ttl_jit.tune import _bits

MAX_STEPS = 1 << 28  # of the second run: contents that the kernel reads after all may be counts of a loop


def shown(operation, args, kwargs, before, run):
    """Returns the tensors of a launch that has ended, by their names: copies, in which what the launch left
    out has other contents; the tensors themselves if nothing can be left out, or if it depends on the
    contents. `before` are the elements before the launch, `run` launches with other arguments."""
    args, kwargs, _ = _partial.unwrap(args, kwargs)
    tensors = _bits.tensors_of(operation, args, kwargs)
    hidden = _hidden(operation, args, kwargs, tensors, before)
    if not hidden:
        return tensors
    args, kwargs = _bits.copies(args, kwargs)
    copies = _bits.tensors_of(operation, args, kwargs)
    if any(copies[name] is tensor for name, tensor in tensors.items()):
        return tensors
    flipped = {name: _flipped(bits) if name in hidden else bits for name, bits in before.items()}
    for name, copy in copies.items():
        _bits.write(copy, flipped[name])
    try:
        with _options.options(time="off", limit=MAX_STEPS):
            run(*args, **kwargs)
    except Exception:  # the kernel reads the contents
        return tensors
    is_same = all(_is_same(before[name], _bits.of(tensor), flipped[name], _bits.of(copies[name]))
                  for name, tensor in tensors.items())
    return copies if is_same else tensors


def _hidden(operation, args, kwargs, tensors, before):
    """Returns the names of the tensors to be filled with other contents: those that the launch writes, and
    that have elements which did not change. There are none if a second launch would not be the same."""
    unchanged = {id(tensor) for name, tensor in tensors.items()
                 if (_elements(before[name]) == _elements(_bits.of(tensor))).any()}
    if not unchanged or operation.options.factory is not None or _has_state(operation, (*args, *kwargs.values())):
        return ()
    known, written = {id(tensor) for tensor in tensors.values()}, _written(operation, args, kwargs)
    if any(id(tensor) not in known for tensor in written):
        return ()
    found = unchanged & {id(tensor) for tensor in written}
    return {name for name, tensor in tensors.items() if id(tensor) in found}


def _written(operation, args, kwargs):
    """Returns the tensors that a call with these arguments writes, which has been compiled before."""
    call = operation._run_body(args, kwargs, operation._settings())
    try:
        program, _ = operation._compiled(call)
        return [entry.value for entry, is_written in zip(call.tensors, program.written) if is_written]
    finally:
        call.release()


def _has_state(operation, values):
    """Returns whether a launch may change a semaphore that other launches see."""
    values = [*values, *_names_read(operation.function)]
    items = [item for value in values if isinstance(value, (list, tuple)) for item in value]
    return any(type(value).__name__ == "GlobalSemaphore" for value in (*values, *items))


def _names_read(function):
    """Returns the values that a function takes from around it."""
    names = _values.names_of(function.__code__)
    yield from (value for name, value in function.__globals__.items() if name in names)
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # a variable without a value yet
            yield cell.cell_contents


def _flipped(bits):
    """Returns an array with each bit turned."""
    return (~np.ascontiguousarray(bits).reshape(-1).view(np.uint8)).view(bits.dtype).reshape(bits.shape)


def _elements(array):
    """Returns the elements of an array as unsigned integers, to be compared bit by bit."""
    size = array.dtype.itemsize if array.dtype.itemsize in (1, 2, 4, 8) else 1
    return np.ascontiguousarray(array).reshape(-1).view(f"u{size}")


def _is_same(before, after, other_before, other_after):
    """Returns whether each element has the same result in both runs, or is left as it was in both."""
    before, after, other_before, other_after = map(_elements, (before, after, other_before, other_after))
    return bool(((after == other_after) | ((before == after) & (other_before == other_after))).all())
