# SPDX-License-Identifier: Apache-2.0
"""Chooses what computes the functions of ttnn: golden functions, which use numpy, or kernels that the
compiler makes of the calls (compiled.py)."""

import collections
import functools
import importlib

__all__ = ["get_backend", "set_backend"]

_NAMES = ("golden", "compiled")


class _State:
    name = "golden"
    is_inside = False  # whether a selectable() function runs; those that it calls are golden
    compiled = collections.Counter()  # calls that ran as kernels, by name
    golden = collections.Counter()  # calls that no kernel could compute, by (name, reason)


class _Chosen:
    """The result of set_backend(). At the end of a `with` block it restores the previous backend."""

    def __init__(self, before):
        self._before = before

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _State.name = self._before

    def __repr__(self):
        return f"<ttnn backend {_State.name}, before: {self._before}>"


def set_backend(name):
    """Chooses what computes the functions of ttnn: "golden", which is numpy in double precision, or
    "compiled", which makes kernels of the calls and runs them on the emulated device.

    The choice holds until the next call of set_backend(); in a `with` statement it holds for the
    block. Raises a ValueError for another name.

    Example:

        with ttnn.set_backend("compiled"):
            y = ttnn.matmul(x, x, transpose_b=True)
    """
    if not isinstance(name, str) or name not in _NAMES:
        raise ValueError(f"set_backend({name!r}): expected {' or '.join(map(repr, _NAMES))}")
    before, _State.name = _State.name, name
    return _Chosen(before)


def get_backend():
    """Returns the name of what computes the functions of ttnn: "golden" or "compiled".

    Raises a TypeError for an argument, because it takes none.

    Example:

        assert ttnn.get_backend() == "golden"
    """
    return _State.name


def selectable(function):
    """Returns a wrapper of the function, whose calls run as kernels while the backend is "compiled"."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        if _State.name == "golden" or _State.is_inside:
            return function(*args, **kwargs)
        _State.is_inside = True
        try:
            return _compiled(function, args, kwargs)
        finally:
            _State.is_inside = False

    return call


def _compiled(function, args, kwargs):
    compiled = importlib.import_module(".compiled", __package__)  # late: it imports this module

    try:
        result = compiled.call(function, args, kwargs)
    except compiled.NoCounterpart as missing:
        reason = str(missing)
    else:
        _State.compiled[function.__name__] += 1
        return result
    result = function(*args, **kwargs)  # raises the error of a wrong argument
    _note(function.__name__, reason)
    return result


def _note(name, reason):
    """Counts a call that ran as a golden function. Warns of the first one with this name and reason."""
    _State.golden[name, reason] += 1
    if _State.golden[name, reason] > 1:
        return
    from ttl import _location, _warnings  # ttl imports ttnn

    text = f"ttnn.{name}() runs as a golden function on the host: {reason}"
    _warnings.warn(_warnings.EngineWarning(text, _location.program_location()))


def statistics():
    """Returns the lines about calls for --stats; "" if there was no call while the backend was "compiled"."""
    if not _State.compiled and not _State.golden:
        return ""
    made = ", ".join(f"{name} {count}" for name, count in sorted(_State.compiled.items())) or "none"
    lines = [f"ttnn, calls that ran as kernels: {made}"]
    lines += [f"ttnn, golden function: {name} {count}, {reason}"
              for (name, reason), count in sorted(_State.golden.items())]
    return "\n".join(lines)
