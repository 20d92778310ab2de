# SPDX-License-Identifier: Apache-2.0
"""Traces: calls of functions and kernels that are recorded once and repeated on the same tensors.

While a trace is captured, calls run as always, because their results decide the types of later
calls. At the end of the capture, the tensors that existed before have their old contents again.
"""

import functools
import itertools

import numpy as np

import _ttjit

from . import spread
from .storage import is_torch

__all__ = "begin_trace_capture end_trace_capture execute_trace release_trace".split()

_numbers = itertools.count(1)


class _Trace:
    """The recorded calls. `before` has the contents at the begin of the capture of the tensors that
    existed then; `made` has the tensors that the recorded calls made. The keys are the tensors' id()."""

    def __init__(self, device):
        self.device = device
        self.calls = []
        self.before = {}
        self.made = {}

    def run(self, function, args, kwargs):
        """Runs a call and records it."""
        given = list(_tensors_in((args, kwargs)))
        for tensor in given:
            if id(tensor) not in self.made:
                self.before.setdefault(id(tensor), (tensor, _contents(tensor)))
        result = function(*args, **kwargs)
        made = [each for each in _tensors_in(result) if not any(each is one for one in given)]
        self.made.update((id(each), each) for each in made)
        self.calls.append((function, args, kwargs, made))
        return result

    def restore(self):
        for tensor, contents in self.before.values():
            _replace(tensor, contents)
        self.before.clear()

    def repeat(self):
        for function, args, kwargs, made in self.calls:
            given = list(_tensors_in((args, kwargs)))
            result = function(*args, **kwargs)
            again = [each for each in _tensors_in(result) if not any(each is one for one in given)]
            for old, new in zip(made, again):
                _replace(old, _contents(new))


class _State:
    open = None  # the trace that is being captured, or None
    is_inside = False  # whether a recorded call is running; the calls inside it are not recorded
    traces = {}  # number of a trace -> _Trace


def _tensors_in(value):
    if isinstance(value, (_ttjit.Tensor, np.ndarray)) or is_torch(value):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors_in(item)
    elif isinstance(value, dict):
        yield from _tensors_in(list(value.values()))


def _contents(tensor):
    if isinstance(tensor, _ttjit.Tensor):
        if tensor.num_devices > 1:
            return [_contents(tensor.part(number)) for number in range(tensor.num_devices)]
        return np.array(tensor.bits()) if tensor.is_allocated() else None
    return tensor.clone() if is_torch(tensor) else tensor.copy()


def _replace(tensor, contents):
    if isinstance(tensor, _ttjit.Tensor):
        if isinstance(contents, list):
            for number, part in enumerate(contents):
                _replace(tensor.part(number), part)
        elif contents is not None and tensor.is_allocated():
            tensor.write_bits(contents)
    elif is_torch(tensor):
        tensor.copy_(contents)
    elif tensor.flags.writeable:
        tensor[...] = contents


def is_capturing():
    return _State.open is not None


def run(function, *args, **kwargs):
    """Calls the function. Records the call if a trace is captured and no recorded call runs."""
    trace = _State.open
    if trace is None or _State.is_inside:
        return function(*args, **kwargs)
    _State.is_inside = True
    try:
        return trace.run(function, args, kwargs)
    finally:
        _State.is_inside = False


def recorded(function):
    """Returns a wrapper of the function, whose calls traces record. For tensors of a mesh it calls the
    function once for each device (spread.py)."""
    function = spread.over_devices(function)

    @functools.wraps(function)
    def call(*args, **kwargs):
        if _State.open is None:
            return function(*args, **kwargs)
        return run(function, *args, **kwargs)

    return call


def begin_trace_capture(device, cq_id=0):
    """Begins to record the calls of functions and kernels. Returns the number of the trace.

    Raises a RuntimeError while another trace is captured.

    Example:

        number = ttnn.begin_trace_capture(device)
        ttnn.add(on_device, on_device)
        ttnn.end_trace_capture(device, number)
        ttnn.execute_trace(device, number)
        ttnn.release_trace(device, number)
    """
    if _State.open is not None:
        raise RuntimeError("begin_trace_capture(): a trace is being captured; end it first with "
                           "ttnn.end_trace_capture")
    number = next(_numbers)
    _State.traces[number] = _State.open = _Trace(device)
    return number


def _trace_of(name, trace_id):
    trace = _State.traces.get(trace_id)
    if trace is None:
        raise ValueError(f"{name}(): there is no trace {trace_id!r}; ttnn.begin_trace_capture "
                         "returns the number of a trace")
    return trace


def end_trace_capture(device, trace_id, cq_id=0):
    """Ends the recording. Tensors that existed before get their old contents back.

    Raises a ValueError for a trace that does not exist, and a RuntimeError for one that is not being
    captured.

    Example:

        number = ttnn.begin_trace_capture(device)
        ttnn.add(on_device, on_device)
        ttnn.end_trace_capture(device, number)
        ttnn.execute_trace(device, number)
        ttnn.release_trace(device, number)
    """
    trace = _trace_of("end_trace_capture", trace_id)
    if trace is not _State.open:
        raise RuntimeError(f"end_trace_capture(): trace {trace_id} is not being captured")
    _State.open = None
    trace.restore()


def execute_trace(device, trace_id, cq_id=0, blocking=True):
    """Repeats the recorded calls on the same tensors.

    Raises a ValueError for a trace that does not exist, and a RuntimeError while a trace is captured.

    Example:

        number = ttnn.begin_trace_capture(device)
        ttnn.add(on_device, on_device)
        ttnn.end_trace_capture(device, number)
        ttnn.execute_trace(device, number)
        ttnn.release_trace(device, number)
    """
    trace = _trace_of("execute_trace", trace_id)
    if _State.open is not None:
        raise RuntimeError("execute_trace(): a trace is being captured; end it first with "
                           "ttnn.end_trace_capture")
    trace.repeat()


def release_trace(device, trace_id):
    """Forgets a trace.

    Raises a ValueError for a trace that does not exist.

    Example:

        number = ttnn.begin_trace_capture(device)
        ttnn.add(on_device, on_device)
        ttnn.end_trace_capture(device, number)
        ttnn.execute_trace(device, number)
        ttnn.release_trace(device, number)
    """
    trace = _trace_of("release_trace", trace_id)
    if trace is _State.open:
        _State.open = None
        trace.restore()
    del _State.traces[trace_id]
