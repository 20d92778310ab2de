# ===- _scope.py - the values of names at a stop ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A debugged kernel has for each statement a description of the user's variables as JSON (written by
# ttl/_shown.py and frontend/walk/context/ShownScope.h). A variable is a value that is known at compile time,
# a value that the kernel computes, a tensor or a buffer. Tensors are read only if an expression uses them.
# ===--------------------------------------------------------------------------=== #

import builtins
import json

import _ttjit
import numpy as np


class Unknown:
    """An object without a value for the debugger: it is shown as a text in <>."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return f"<{self.text}>"


class Names(dict):
    """The names that an expression of the debugger may use. `lazy` is {name: function}: the function
    computes the value of the name when an expression first uses it."""

    def __init__(self, values, lazy):
        super().__init__(values)
        self._lazy = lazy

    def __missing__(self, name):
        if name not in self._lazy:
            raise KeyError(name)
        self[name] = self._lazy[name]()
        return self[name]


class Scope:
    """The variables at the statement of a thread. `depth` 0 is the function of this statement, 1 its
    caller."""

    def __init__(self, debugger, agent, depth=0):
        text = debugger.scope(agent, depth)
        names = json.loads(text) if text else {}
        self.is_known = bool(text)
        self._debugger, self._agent = debugger, agent
        self._local, self._outside = names.get("local", {}), names.get("outside", {})
        self._values = debugger.values(agent) if text else {}

    def local(self):
        """Returns {name: (kind, value)} of the variables of this function."""
        return self._all(self._local)

    def outside(self):
        """Returns {name: (kind, value)} of the names that the function reads from its module or from
        enclosing functions."""
        return self._all(self._outside)

    def lazy(self):
        """Returns {name: function that returns the value} of all names of local() and outside()."""
        shown = {**self._outside, **self._local}
        return {name: lambda each=each: self.value(each)[1] for name, each in shown.items()}

    def is_static(self, name):
        """Returns whether the name is known here, and the kernel does not compute its value."""
        return name in {**self._outside, **self._local} and "number" not in {**self._outside, **self._local}[name]

    def _all(self, shown):
        return {name: self.value(each) for name, each in shown.items()}

    def value(self, shown):
        """Returns (kind, value) of a variable; `shown` is its description in the JSON text."""
        for kind, read in self._READERS.items():
            if kind in shown:
                return read(self, shown)
        return "object", Unknown(shown.get("text", "an object"))

    def _number(self, shown):
        found = self._values.get(shown["number"])
        if found is None or found[1] is None:
            return "object", Unknown(f"{shown['text']}, which the kernel does not hold here")
        return found

    def _tensor(self, shown):
        tensor = launched_tensors(self._debugger, self._agent).get(shown["tensor"])
        if tensor is None:
            return "object", Unknown(f"the tensor {shown['tensor']}")
        return "tensor", _ttjit.launched_values(tensor)

    def _buffer(self, shown):
        for thread in self._debugger.threads():
            if thread["agent"] == self._agent:
                for each in self._debugger.buffers(thread["x"], thread["y"]):
                    if each["name"] == shown["buffer"]:
                        return "buffer", each
        return "object", Unknown(f"the buffer {shown['buffer']}")

    def _items(self, items):
        return [None if each is None else self.value(each)[1] for each in items]

    _READERS = {
        "value": lambda self, shown: ("constant", shown["value"]),
        "range": lambda self, shown: ("constant", range(*shown["range"])),
        "list": lambda self, shown: ("list", self._items(shown["list"])),
        "tuple": lambda self, shown: ("tuple", tuple(self._items(shown["tuple"]))),
        "dict": lambda self, shown: ("dict", dict(zip(*map(self._items, zip(*shown["dict"]))))
                                     if shown["dict"] else {}),
        "number": _number,
        "tensor": _tensor,
        "buffer": _buffer,
    }


def launched_tensors(debugger, agent):
    """Returns {name: _ttjit.Tensor} of the tensors of the running launch. On a mesh, each is the part on the
    device of the thread `agent`."""
    from ttl import _launch

    device = next((each["device"] for each in debugger.threads() if each["agent"] == agent), 0)
    return {name: tensor.part(device) if tensor.num_devices > 1 else tensor
            for name, tensor in _launch.running_tensors().items()}


def names_at(debugger, agent, depth, node):
    """Returns the names that expressions may use at the statement of a thread."""
    scope = Scope(debugger, agent, depth)
    values = {"np": np, "node": node}
    values.update({each["name"]: each for each in debugger.buffers(*node)})
    values.update({each["name"]: each["value"] for each in debugger.semaphores(*node)})
    values["dst"] = {number: tile for number, _, tile in debugger.registers(agent)}
    if not scope.is_known:
        values.update({name: value for name, (_, value) in debugger.variables(agent).items()})
    lazy = scope.lazy()
    for name in lazy:
        values.pop(name, None)
    for name, tensor in launched_tensors(debugger, agent).items():
        lazy.setdefault(name, lambda tensor=tensor: _ttjit.launched_values(tensor))
    return Names(values, lazy)


def shown(value):
    """Returns a value as text in one line. An array and a buffer are described, without their elements."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} of shape {value.shape}"
    if isinstance(value, dict) and "page_bytes" in value:
        return f"buffer {value['name']}"
    if isinstance(value, (list, tuple)):
        text = ", ".join(shown(each) for each in value)
        return f"[{text}]" if isinstance(value, list) else f"({text}{',' * (len(value) == 1)})"
    return repr(value)


# Expressions cannot call functions that read standard input or end the interpreter.
BUILTINS = {"__builtins__": {name: value for name, value in vars(builtins).items()
                             if name not in ("breakpoint", "copyright", "credits", "exit", "help", "input", "license",
                                             "quit")}}
