# ===- _key.py - what a compiled kernel depends on -----------------------------===//
# SPDX-License-Identifier: Apache-2.0
#
# Walks everything that the kernel functions of one call can reach: their code,
# helpers, closures and globals. Two calls with equal keys compile to the same
# program. Finds captured tensors on the way, in a fixed order.
# ===----------------------------------------------------------------------------===//

import types

import _ttjit
import numpy
from ttl import _api, _buffers, _pipes

_CONSTANTS = (int, str, bytes, bool, complex, type(None), type(Ellipsis))
_IDENTITY = (type, types.BuiltinFunctionType, types.MethodDescriptorType, _api.Function)


class KeyBuilder:
    """`kept` holds the objects that stand in the key by identity only."""

    def __init__(self, call):
        self.call = call
        self.kept = []
        self.numbers = {}

    def of(self, value, names=frozenset()):
        """Key of a value of which the attributes `names` may be read."""
        if type(value) in _CONSTANTS:
            return (type(value), value)
        if isinstance(value, float):
            return (type(value), value.hex())
        if isinstance(value, numpy.generic):
            return (type(value), value.tobytes())
        if isinstance(value, _IDENTITY):
            return self.identity(value)
        number = self.numbers.get(id(value))
        if number is not None:
            return ("seen", number)
        self.numbers[id(value)] = len(self.numbers)
        return self._of_object(value, names)

    def _of_object(self, value, names):
        if isinstance(value, _buffers.DataflowBuffer):
            return ("buffer", *value.key())
        if isinstance(value, (_pipes.Pipe, _pipes.PipeNet, _pipes.Semaphore)):
            return (type(value), *value.key())
        if _ttjit.is_tensor(value) and (number := self._tensor(value)) is not None:
            return ("tensor", number)
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, types.MethodType):
            return ("method", self.of(value.__self__, names), self.of(value.__func__, names))
        if isinstance(value, (tuple, list)):
            return (type(value), *(self.of(item, names) for item in value))
        if isinstance(value, dict):
            return (dict, *((self.of(k), self.of(v, names)) for k, v in value.items()))
        if isinstance(value, slice):
            return (slice, self.of(value.start), self.of(value.stop), self.of(value.step))
        return (*self.identity(value), *self._attributes(value, names))

    def identity(self, value):
        self.kept.append(value)
        return ("object", id(value))

    def _attributes(self, value, names):
        """Attributes that the code mentions: a captured module's constants, say."""
        if getattr(value, "__name__", "").split(".")[0] in ("ttl", "ttnn", "numpy", "torch"):
            return
        for name in sorted(names):
            try:
                attribute = getattr(value, name)
            except Exception:  # a property may raise anything
                continue
            yield (name, self.of(attribute, names))

    def _tensor(self, value):
        """The number of a tensor among the kernel's; None if it cannot be one."""
        entry = self.call.tensor(value)
        if entry is None:
            try:
                entry = self.call.capture_tensor(value)
            except ValueError:  # an array of an element type without tensors
                return None
        return self.call.tensors.index(entry)

    def function(self, function):
        """Key of a function: code, what its names mean, defaults."""
        names = _names(function.__code__)
        scope = function.__globals__
        meanings = tuple(
            (name, self.of(scope[name], names)) for name in sorted(names) if name in scope
        )
        cells = tuple(self._cell(cell, names) for cell in function.__closure__ or ())
        defaults = self.of((function.__defaults__, function.__kwdefaults__), names)
        code = function.__code__
        return ("function", code, code.co_filename, meanings, cells, defaults)

    def _cell(self, cell, names):
        try:
            return self.of(cell.cell_contents, names)
        except ValueError:
            return "empty"


def _names(code):
    """Every global and attribute name that a code object or one inside it mentions."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names
