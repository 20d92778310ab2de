# ===- _effects.py - watches Python code that runs at compile time ------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# CPython evaluates some calls in a kernel function at compile time. The result of such a call
# depends only on the values that its code can reach, if the code that ran changed nothing and
# every C function that ran computed its result from its arguments. This file tests these
# conditions.
# ===--------------------------------------------------------------------------=== #

import builtins
import collections
import dis
import functools
import math
import operator
import sys
import types

import _ttjit
import numpy
from ttl import _api, _buffers, _pipes, _values

CALLABLES = (
    types.MethodType,
    types.BuiltinFunctionType,
    types.MethodWrapperType,
    functools.partial,
)

_BUILTINS = (
    "abs all any ascii bin bool bytes callable chr complex dict divmod enumerate float format "
    "frozenset hash hex int isinstance issubclass len list max min oct ord pow "
    "range repr reversed round set slice sorted str sum tuple type zip"
).split()
_NUMPY = (
    "all allclose amax amin any arange argmax argmin argsort array array_equal asarray ceil clip "
    "concatenate cumprod cumsum diff dot finfo floor full full_like iinfo isclose linspace max "
    "mean min ones ones_like prod ravel reshape round sort stack std sum trace transpose unique "
    "var where zeros zeros_like"
).split()
_OPERATORS = [name for name in dir(operator) if not name.startswith(("_", "i", "set", "del"))]
_OPERATORS += ["inv", "invert", "index", "is_", "is_not", "itemgetter", "indexOf"]

_PURE = {getattr(builtins, name) for name in _BUILTINS}
_PURE |= {getattr(numpy, name) for name in _NUMPY if hasattr(numpy, name)}
_PURE |= {getattr(operator, name) for name in _OPERATORS if name != "call"}
_PURE |= {value for value in vars(math).values() if callable(value)}

_IMMUTABLE = (int, float, complex, bool, str, bytes, tuple, frozenset, range, slice, type(None))
_READING_METHODS = {
    list: "index count copy __getitem__ __len__ __contains__",
    dict: "get keys values items copy __getitem__ __len__ __contains__",
    set: "union intersection difference symmetric_difference issubset issuperset isdisjoint copy",
    numpy.ndarray: "all any argmax argmin astype copy cumsum dot flatten item max mean min prod "
    "ravel reshape round squeeze std sum tobytes tolist trace transpose var",
}
_READING_METHODS = {kind: names.split() for kind, names in _READING_METHODS.items()}


def is_pure(function):
    """Returns whether a C function computes its result from plain arguments and changes
    nothing."""
    try:
        if function in _PURE:
            return True
    except TypeError:  # the function is not hashable
        return False
    if isinstance(function, numpy.ufunc):
        return True
    if isinstance(function, type):
        return issubclass(function, numpy.generic)
    if not isinstance(function, (types.BuiltinFunctionType, types.MethodWrapperType)):
        return False
    owner = function.__self__
    if isinstance(owner, type):
        return owner in _IMMUTABLE or owner is dict
    if type(owner) in _IMMUTABLE or isinstance(owner, numpy.generic):
        return True
    return function.__name__ in _READING_METHODS.get(type(owner), ())


# ===--------------------------------------------------------------------------=== #
# Values that code can reach


def members(value):
    """Returns the names of the C attributes on which the result of calling the value depends."""
    kind = type(value)
    if kind is types.FunctionType:
        return ("__defaults__", "__kwdefaults__")
    if kind is types.MethodType:
        return ("__func__", "__self__")
    if kind is functools.partial:
        return ("func", "args", "keywords")
    return ("__self__",) if kind in CALLABLES else ()


def is_library(value):
    """Returns whether a module or class belongs to a library that the program does not change. ttl.ccl
    counts as a part of the program, because its kernels are written like those of a program."""
    name = str(value.__name__ if isinstance(value, types.ModuleType) else value.__module__)
    package = name.partition(".")[0]
    if f"{name}.".startswith("ttl.ccl."):
        return False
    return package in ("ttl", "ttnn", "_ttjit", "numpy", "torch") or (
        package != "__main__" and package in sys.stdlib_module_names
    )


def children(value, names):
    """Yields (kind, name, part) for each part that code can reach from a value in one step, such as
    an attribute or a captured variable. `names` are the names that the code mentions."""
    kind = type(value)
    if _values.constant(value) is not None or _ttjit.is_tensor(value):
        return
    for name in members(value):
        yield "member", name, getattr(value, name)
    if kind is types.FunctionType:
        yield from _variables(value)
    elif kind in CALLABLES:
        return
    elif _values.is_sequence(value):
        yield from (("item", index, item) for index, item in enumerate(value))
    elif kind in _values.MAPPINGS:
        known = ((key, item) for key, item in value.items() if _values.constant(key) is not None)
        yield from (("entry", key, item) for key, item in known)
    elif not isinstance(value, (type, types.ModuleType)) or not is_library(value):
        yield from _attributes(value, names)


def variable(function, name):
    """Returns (kind, name) of the step from a function to a variable that is not local in it."""
    free = function.__code__.co_freevars
    return ("cell", free.index(name)) if name in free else ("global", name)


def _variables(function):
    for number, cell in enumerate(function.__closure__ or ()):
        try:
            yield "cell", number, cell.cell_contents
        except ValueError:  # the variable has no value yet
            continue
    names = function.__globals__
    for name in sorted(_values.names_of(function.__code__) & names.keys()):
        yield "global", name, names[name]


def _attributes(value, names):
    for name in sorted(names):
        found = _values.attribute(value, name)
        if found.kind in ("value", "getter"):
            yield ("attribute" if found.kind == "value" else "getter"), name, found.value


_READABLE = (
    *CALLABLES,
    types.FunctionType,
    types.ModuleType,
    type,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.SimpleNamespace,
    numpy.ndarray,
    numpy.ufunc,
    property,
    staticmethod,
    classmethod,
    _api.Function,
    _pipes.Pipe,
    _pipes.PipeNet,
    _pipes.Semaphore,
    _pipes.RemoteSemaphore,
    _buffers.DataflowBuffer,
)
_HEAP_TYPE = 1 << 9  # CPython's flag Py_TPFLAGS_HEAPTYPE


def is_readable(value):
    """Returns whether code can read nothing from a value but its items and attributes. This is false
    for objects with hidden state, such as iterators and files."""
    kind = type(value)
    if _values.is_plain(value) or _ttjit.is_tensor(value) or isinstance(value, _READABLE):
        return True
    if _values.is_sequence(value) or kind in _values.MAPPINGS:
        return True
    is_python_class = kind.__flags__ & _HEAP_TYPE and "__module__" in kind.__dict__
    is_generic = kind.__getattribute__ is object.__getattribute__
    return bool(is_python_class and is_generic and kind.__basicsize__ <= _basic_size(kind))


def _basic_size(kind):
    """Returns the size of instances of a class. Instances that also have C state are larger than
    this."""
    slots = sum(len(base.__dict__.get("__slots__", ())) for base in kind.__mro__)
    return object.__basicsize__ + (slots + 2) * 8


# ===--------------------------------------------------------------------------=== #
# Watching a call
# ===--------------------------------------------------------------------------=== #

_CHANGES = ("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "STORE_NAME", "STORE_SLICE", "DELETE_",
            "IMPORT_", "LOAD_BUILD_CLASS", "BEFORE_ASYNC", "GET_AWAITABLE")


def codes_of(code):
    """Returns a code object and the code objects of the functions inside it."""
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return {code}.union(*(codes_of(c) for c in inner))


@functools.lru_cache(maxsize=4096)
def _changes_nothing(code):
    """Returns whether the code writes only to its local variables."""
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name.startswith(_CHANGES):
            return False
        if name == "STORE_DEREF" and instruction.argval in code.co_freevars:
            return False
        if name.startswith("INPLACE_"):
            return False
        if name == "BINARY_OP" and instruction.argrepr.endswith("="):
            return False
    return True


class Trace(collections.namedtuple("Trace", "codes names")):
    """The code objects that ran, and every name that they mention."""

    __slots__ = ()


def watch(function, args, keywords):
    """Calls a function. Returns its result and a Trace. Instead of the Trace it returns None if
    the call may have changed something or may depend on more than Python values."""
    codes, is_pure_call = set(), True

    def note(frame, event, argument):
        nonlocal is_pure_call
        if event == "call":
            codes.add(frame.f_code)
            is_pure_call = is_pure_call and _changes_nothing(frame.f_code)
        elif event == "c_call" and argument is not sys.setprofile:
            is_pure_call = is_pure_call and is_pure(argument)

    if not isinstance(function, (types.FunctionType, types.MethodType, functools.partial)):
        is_pure_call = is_pure(function)
    outer = sys.getprofile()
    sys.setprofile(note)
    try:
        result = function(*args, **keywords)
    finally:
        sys.setprofile(outer)
    if not is_pure_call:
        return result, None
    names = frozenset().union(*(_values.names_of(code) for code in codes))
    return result, Trace(codes, names)
