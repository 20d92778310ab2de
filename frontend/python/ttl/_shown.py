# ===- _shown.py - values that a debugger shows without the kernel ------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A debugged kernel keeps the values of the user's variables at each statement
# (frontend/walk/context/ShownScope.h). This file describes objects that are known at compile time, as data
# for JSON. ttl_jit/debugger/_scope.py makes Python values from the descriptions.
# ===--------------------------------------------------------------------------=== #

import ast
import types

import numpy
from ttl import _api, _buffers, _host

_MOST = 64  # the most items of a sequence that is shown item by item
_MOST_TEXT = 200
_HIDDEN = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type, _api.Function,
           _host.HostFunction)


def encode(value, call):
    """Returns a description of an object; None if a debugger does not show such objects."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"value": value}
    if isinstance(value, numpy.generic):
        return encode(value.item(), call)
    if isinstance(value, range):
        return {"range": [value.start, value.stop, value.step]}
    if isinstance(value, (list, tuple)) and len(value) <= _MOST:
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [encode(item, call) for item in value]}
    if isinstance(value, dict) and len(value) <= _MOST:
        return {"dict": [[encode(key, call), encode(item, call)] for key, item in value.items()]}
    if isinstance(value, _buffers.DataflowBuffer):
        return {"buffer": value.name}
    tensor = call.tensor(value)
    if tensor is not None:
        return {"tensor": tensor.name}
    return None if isinstance(value, _HIDDEN) else {"text": _text(value)}


def _text(value):
    try:
        text = repr(value)
    except Exception as error:  # the user's __repr__
        text = f"<{type(value).__name__}, whose repr() failed: {error}>"
    return text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT] + "..."


def names(node):
    """Returns the names that the syntax tree of a function uses."""
    return sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)})


def unless_of_node(shown, name, call):
    """Returns the description of a variable from outside of a kernel function. `shown` is that of the
    first node. If the body runs once for each node and the values differ, the description says so."""
    if not call.asks_node or "value" not in shown:
        return shown
    found = {_captured(thread.function, name) for run in call.runs for thread in run.threads}
    return shown if len(found) <= 1 else {"text": "a different value on each node"}


def _captured(function, name):
    code = function.__code__
    if name not in code.co_freevars:
        return None
    try:
        return repr(function.__closure__[code.co_freevars.index(name)].cell_contents)
    except ValueError:
        return None  # the variable has no value
