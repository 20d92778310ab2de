# ===- _values.py - classifies Python values for the cache key ----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Classifies the Python objects that a kernel function can reach:
#   constant   immutable data (numbers, strings, enum members): compared by value
#   plain      constants, containers and arrays of them: compared by content
#   object     everything else: compared by type; each attribute that a kernel
#              reads is compared on its own
# ===--------------------------------------------------------------------------=== #

import collections
import enum
import functools
import hashlib
import sys
import types

import _ttjit
import numpy
from ttl import _ttnn

CONSTANTS = frozenset((int, str, bytes, bool, type(None), type(Ellipsis), type(NotImplemented)))
SEQUENCES = (tuple, list, collections.deque)
MAPPINGS = (dict, collections.OrderedDict, types.MappingProxyType)
SETS = (set, frozenset)
VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
BYTES = (bytearray, memoryview)
# Types of _ttjit that define __eq__ and __hash__ by value.
DEVICE_CONSTANTS = (
    _ttjit.DataType,
    _ttjit.Layout,
    _ttjit.BufferType,
    _ttjit.TensorMemoryLayout,
    _ttjit.MemoryConfig,
    _ttjit.CoreCoord,
)
# Attributes of a tensor that do not depend on its contents.
TENSOR_FACTS = frozenset("shape dtype layout ndim size itemsize nbytes rank device".split())
# Classes of modules that are slow to import. A program with such a value has imported the module.
_EXACT_NUMBERS = {"Fraction": "fractions", "Decimal": "decimal"}
_LONG = 256  # in bytes; longer contents are compared by their digest


class Same:
    """The key of an object that is equal only to itself. It keeps the object alive."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self):
        return hash((Same, id(self.value)))


def constant(value):
    """Returns the key of a constant, or None for any other value."""
    kind = type(value)
    if kind in CONSTANTS:
        return (kind, value)
    if kind is float:
        return (float, value.hex())
    if kind is complex:
        return (complex, value.real.hex(), value.imag.hex())
    if _is_exact_number(kind):
        return (kind, str(value))
    if isinstance(value, numpy.generic):
        return None if value.dtype.hasobject else (kind, value.tobytes())
    if isinstance(value, enum.Enum):
        return Same(value)
    if isinstance(value, numpy.dtype) or kind in DEVICE_CONSTANTS or _is_torch_constant(kind):
        return (kind, value)
    if kind is range:
        return (range, value.start, value.stop, value.step)
    return None


def _is_exact_number(kind):
    module = sys.modules.get(_EXACT_NUMBERS.get(kind.__name__))
    return module is not None and kind is getattr(module, kind.__name__, None)


def _is_torch_constant(kind):
    return kind.__module__ == "torch" and kind.__name__ in ("dtype", "device", "layout")


def is_sequence(value):
    """Returns whether a value is a tuple, list or deque, or of a subclass of tuple that is read
    like a tuple."""
    kind = type(value)
    if kind in SEQUENCES:
        return True
    return isinstance(value, tuple) and all(
        getattr(kind, name) is getattr(tuple, name)
        for name in ("__iter__", "__getitem__", "__len__", "__contains__")
    )


def digest(contents):
    """Returns the bytes, or their digest if they are long."""
    return bytes(contents) if len(contents) <= _LONG else hashlib.sha256(contents).digest()


def is_class_constant(kind):
    """Returns whether a class is one that computes on plain values only, such as int or
    numpy.float32."""
    return kind.__module__ in ("builtins", "numpy")


def is_plain(value, depth=0):
    """Returns whether operators and pure functions of this value run no code of the program."""
    if constant(value) is not None:
        return True
    if depth > 50:
        return False
    kind = type(value)
    if kind is numpy.ndarray:
        return not value.dtype.hasobject
    if isinstance(value, type):
        return is_class_constant(value)
    if kind in BYTES:
        return True
    if kind is slice:
        return all(is_plain(part, depth + 1) for part in (value.start, value.stop, value.step))
    if kind in MAPPINGS:
        return all(is_plain(k, depth + 1) and is_plain(v, depth + 1) for k, v in value.items())
    if is_sequence(value):
        known = kind in SEQUENCES or hasattr(kind, "_fields") or kind.__module__ in _SHAPES
        return known and all(is_plain(item, depth + 1) for item in value)
    return kind in SETS + VIEWS and all(is_plain(item, depth + 1) for item in value)


_SHAPES = (_ttnn.types.__name__, "torch")  # modules with subclasses of tuple that behave like tuples


# ===--------------------------------------------------------------------------=== #
# Attributes
# ===--------------------------------------------------------------------------=== #

_C_ATTRIBUTES = (
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
    type(collections.namedtuple("_Point", "x").x),
)
_METHODS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    classmethod,
    staticmethod,
)

# In CPython's own classes, object.__getattribute__ is another object each time it is read, so it
# is compared with ==.
_GENERIC = {
    kind.__getattribute__
    for kind in (object, tuple, list, dict, set, frozenset, str, bytes, int, float, numpy.ndarray,
                 bytearray, slice, range, functools.partial, types.SimpleNamespace, BaseException,
                 collections.deque, collections.OrderedDict, types.FunctionType)
}

Attribute = collections.namedtuple("Attribute", "kind value")
ABSENT = Attribute("absent", None)
UNSAFE = Attribute("unsafe", None)  # reading the attribute would run unknown code


def _in_classes(kind, name):
    for base in kind.__mro__:
        if name in base.__dict__:
            return Attribute("value", base.__dict__[name])
    return ABSENT


def attribute(owner, name):
    """Reads an attribute without running code of the program. The kinds of results are "value",
    "getter" (the value is the function of a property), "absent" and "unsafe"."""
    if isinstance(owner, types.ModuleType):
        return _of_module(owner, name)
    if isinstance(owner, type):
        return _of_class(owner, name)
    kind = type(owner)
    if kind.__getattribute__ not in _GENERIC:
        return UNSAFE
    return _of_instance(owner, kind, name)


def _of_module(module, name):
    names = module.__dict__
    if name in names:
        return Attribute("value", names[name])
    if "__getattr__" in names or type(module) is not types.ModuleType:
        return UNSAFE
    return ABSENT


def _of_class(owner, name):
    meta = type(owner)
    if issubclass(owner, enum.Enum) and name in owner.__members__:
        return Attribute("value", owner.__members__[name])
    of_meta = _in_classes(meta, name)
    found = _in_classes(owner, name)
    if meta.__getattribute__ is not type.__getattribute__ or hasattr(meta, "__getattr__"):
        return UNSAFE
    if of_meta is not ABSENT:
        known = isinstance(of_meta.value, _C_ATTRIBUTES + _METHODS)
        return Attribute("value", getattr(owner, name)) if known else UNSAFE
    if found is ABSENT:
        return ABSENT
    if hasattr(type(found.value), "__get__") and not isinstance(
        found.value, (*_METHODS, *_C_ATTRIBUTES, property)
    ):
        return UNSAFE
    return Attribute("value", getattr(owner, name))


def _of_instance(owner, kind, name):
    found = _in_classes(kind, name)
    of_class = found.value
    if type(of_class) is property:
        if isinstance(of_class.fget, types.FunctionType):
            return Attribute("getter", of_class.fget)
        return Attribute("value", getattr(owner, name)) if kind in DEVICE_CONSTANTS else UNSAFE
    if isinstance(of_class, _C_ATTRIBUTES):
        try:
            return Attribute("value", getattr(owner, name))
        except AttributeError:
            return UNSAFE
    if hasattr(type(of_class), "__set__"):
        return UNSAFE
    names = getattr(owner, "__dict__", None)
    if type(names) is dict and name in names:
        return Attribute("value", names[name])
    if found is ABSENT:
        return UNSAFE if hasattr(kind, "__getattr__") else ABSENT
    if hasattr(type(of_class), "__get__") and not isinstance(of_class, _METHODS):
        return UNSAFE
    return Attribute("value", getattr(owner, name))


# ===--------------------------------------------------------------------------=== #
# Names in functions


@functools.lru_cache(maxsize=4096)
def names_of(code):
    """Returns every global and attribute name that a code object, or one inside it, mentions."""
    names = set(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            names |= names_of(inner)
        # the string may be the name in getattr()
        elif isinstance(inner, str) and inner.isidentifier():
            names.add(inner)
    return frozenset(names)


def global_value(function, name):
    """Returns the value of a global or builtin name in a function; raises a KeyError if it has
    none."""
    names = function.__globals__
    return names[name] if name in names else function.__builtins__[name]
