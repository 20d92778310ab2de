# ===- _conditional.py - tests whether calls have side effects ----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The compiler runs a call of Python code once, even if the kernel runs the line many times or only
# sometimes. This is correct if the call has no side effects. The functions below test this without
# running the call.
# ===--------------------------------------------------------------------------=== #

import ast
import builtins
import dataclasses
import enum
import functools
import numbers
import types

import numpy
from ttl import _limits, _source

_PURE_BUILTINS = frozenset(
    getattr(builtins, name)
    for name in "abs all any ascii bin bool bytearray bytes callable chr complex dict divmod "
    "enumerate filter float format frozenset getattr hasattr hash hex id int isinstance "
    "issubclass iter len list map max min oct ord pow range repr reversed round set slice sorted "
    "str sum tuple type zip".split()
)
_PURE_MODULES = frozenset(
    "math cmath operator _operator itertools fractions decimal _decimal statistics string numbers "
    "bisect _bisect functools _functools collections _collections copy textwrap enum dataclasses "
    "datetime numpy ttl".split()
)
_IMPURE_NAMES = frozenset(
    "setitem delitem iadd iand iconcat ifloordiv ilshift imatmul imod imul ior ipow irshift isub "
    "itruediv ixor insort insort_left insort_right setcontext localcontext put place copyto "
    "putmask fill_diagonal put_along_axis save savez savetxt seterr set_printoptions".split()
)
_IMMUTABLE = (
    *(int, float, complex, str, bytes, tuple, range, frozenset, slice, type(None)),
    *(numpy.generic, numpy.dtype, numbers.Number, enum.Enum),
)
# Methods of lists, dicts, sets, deques and arrays that do not change the object.
_PURE_METHODS = frozenset(
    "index count copy get keys values items union intersection difference symmetric_difference "
    "issubset issuperset isdisjoint most_common item tolist astype reshape ravel flatten transpose "
    "sum prod min max mean std var all any argmax argmin argsort dot cumsum cumprod nonzero round "
    "squeeze swapaxes take diagonal trace repeat __getitem__ __len__ __contains__ __eq__ __ne__ "
    "__iter__ __add__ __mul__ __rmul__ _replace _asdict".split()
)
_EFFECTS = (
    *(ast.Global, ast.Nonlocal, ast.Delete, ast.Import, ast.ImportFrom, ast.Yield, ast.YieldFrom),
    *(ast.Await, ast.With, ast.AugAssign, ast.NamedExpr, ast.ClassDef),
)
_FUNCTIONS = (types.FunctionType, types.MethodType)
_MAX_DEPTH = 8  # functions that a callee calls are checked, too, up to this depth of calls


def has_no_effects(callee, args=(), keywords=None, depth=0):
    """Returns whether a call certainly has no side effects."""
    if "out" in (keywords or ()):
        return False
    given = (*args, *(keywords or {}).values())
    functions = (value for value in given if isinstance(value, _FUNCTIONS))
    return _is_pure(callee, depth) and all(_is_pure(function, depth) for function in functions)


def _is_pure(callee, depth):
    if isinstance(callee, functools.partial):
        return has_no_effects(callee.func, callee.args, callee.keywords, depth)
    if isinstance(callee, functools._lru_cache_wrapper):
        return _is_pure(callee.__wrapped__, depth)
    if _is_of_domains(callee):
        return True
    if isinstance(callee, type):
        return _makes_only(callee, depth)
    if isinstance(callee, _FUNCTIONS):
        return _function_is_pure(callee, depth)
    if isinstance(callee, _limits.BUILTIN):
        return _builtin_is_pure(callee)
    if _in_pure_module(callee) or _in_pure_module(type(callee)):
        return True
    return _function_is_pure(getattr(type(callee), "__call__", None), depth)


def _is_of_domains(callee):
    """Returns whether the callee belongs to the classes of device domains and transfer graphs. Their
    objects never change."""
    owner = getattr(callee, "__self__", callee)
    kind = owner if isinstance(owner, type) else type(owner)
    return kind.__module__ in ("ttl._domains", "ttl._transfer_graphs")


def _in_pure_module(callee):
    module = str(getattr(callee, "__module__", ""))
    if module.startswith("numpy.random"):
        return False
    name = getattr(callee, "__name__", "")
    return module.partition(".")[0] in _PURE_MODULES and name not in _IMPURE_NAMES


def _builtin_is_pure(callee):
    subject = getattr(callee, "__self__", None)
    if subject is None or isinstance(subject, types.ModuleType):
        kind = getattr(callee, "__objclass__", None)
        if kind is None:
            return _is_builtin_function(callee) or _in_pure_module(callee)
    else:
        kind = subject if isinstance(subject, type) else type(subject)
    if issubclass(kind, _IMMUTABLE):
        return True
    return getattr(callee, "__name__", "") in _PURE_METHODS or isinstance(subject, type)


def _is_builtin_function(callee):
    return any(callee is function for function in _PURE_BUILTINS)


def _makes_only(kind, depth):
    if _is_builtin_function(kind) or _in_pure_module(kind):
        return True
    if issubclass(kind, (*_IMMUTABLE, Exception)):
        return True
    if dataclasses.is_dataclass(kind) and "__init__" in vars(kind):
        return not hasattr(kind, "__post_init__")
    if kind.__new__ is not object.__new__:
        return False
    return kind.__init__ is object.__init__ or _function_is_pure(kind.__init__, depth, makes=True)


def _function_is_pure(function, depth, makes=False):
    function = getattr(function, "__func__", function)
    if not isinstance(function, types.FunctionType):
        return False
    if _in_pure_module(function):
        return True
    node = _source.function_node(function)[1] if depth < _MAX_DEPTH else None
    if node is None:
        return function.__name__ in _PURE_METHODS and "namedtuple" in str(function.__module__)
    own = {function.__code__.co_varnames[0]} if makes and function.__code__.co_argcount else set()
    body = node.body if isinstance(node.body, list) else [node.body]
    return all(
        _part_is_pure(part, function, depth, own)
        for statement in body
        for part in ast.walk(statement)
    )


def _part_is_pure(part, function, depth, own):
    if isinstance(part, _EFFECTS):
        return False
    if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
        return isinstance(part.value, ast.Name) and part.value.id in own
    if isinstance(part, ast.Subscript):
        return isinstance(part.ctx, ast.Load)
    if isinstance(part, ast.Call):
        return _called_is_pure(part.func, function, depth)
    return True


def _called_is_pure(node, function, depth):
    if isinstance(node, ast.Name):
        return _is_pure(_global(function, node.id), depth + 1)
    if not isinstance(node, ast.Attribute):
        return False
    if isinstance(node.value, ast.Name):
        owner = _global(function, node.value.id)
        if isinstance(owner, types.ModuleType):
            return _is_pure(getattr(owner, node.attr, None), depth + 1)
    return node.attr in _PURE_METHODS


def _global(function, name):
    if name in function.__code__.co_varnames:
        return None
    return function.__globals__.get(name, getattr(builtins, name, None))
