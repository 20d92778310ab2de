# ===- _unified.py - operations without kernel functions ----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The body of a unified operation describes the work of all threads. The compiler walks it like a
# kernel function. Code whose values are known at compile time runs in Python during the walk; this
# includes code that makes buffers and nets.
# ===--------------------------------------------------------------------------=== #

import ast
import collections
import functools
import importlib
import sys
import types

from ttl import _backing, _buffers, _capture, _effects, _location, _pipes, _threads, _values

_DECORATORS = (_threads.compute, _threads.datamovement, _threads.Program)
_MAKERS = (
    _buffers.make_dataflow_buffer_like,
    _buffers.make_dfb,
    _buffers.make_dfb_allocation_group,
    _backing.make_tensor_backed_dfb,
    _pipes.Pipe,
    _pipes.PipeNet,
    _pipes.Semaphore,
)
RESOURCES = (_buffers.DataflowBuffer, _pipes.Pipe, _pipes.PipeNet, _pipes.Semaphore)


def is_maker(value):
    """Returns whether a function makes buffers, pipes, nets or semaphores."""
    return any(value is maker for maker in _MAKERS)


_OWN_CONTAINERS = (list, dict, set, collections.deque)
_LIBRARIES = ("ttl", "ttnn", "_ttjit", "torch")


def may_have_effects(callee):
    """Returns whether a call that has side effects may change anything other than the containers
    of the body."""
    owner = getattr(callee, "__self__", None)
    if isinstance(owner, _OWN_CONTAINERS):
        return False
    kind = callee if owner is None or isinstance(owner, types.ModuleType) else type(owner)
    return str(getattr(kind, "__module__", "")).partition(".")[0] not in _LIBRARIES


# ===--------------------------------------------------------------------------=== #
# Finding unified operations


def makes_kernels(function, arguments=()):
    """Returns whether a function, or a function of the program that it can call, mentions the
    decorators of kernel functions."""
    rest, seen = [function, *arguments], set()
    while rest:
        value = rest.pop()
        if any(value is decorator for decorator in _DECORATORS):
            return True
        code = _own_code(value)
        if code is not None and code not in seen:
            seen.add(code)
            rest += _mentioned(_function_of(value), _values.names_of(code))
    return False


def _function_of(value):
    if isinstance(value, types.MethodType):
        return value.__func__
    return value.func if isinstance(value, functools.partial) else value


def _own_code(value):
    """Returns the code of a function of the program, or None for any other value."""
    function = _function_of(value)
    if not isinstance(function, types.FunctionType) or _effects.is_library(function):
        return None
    return function.__code__


def _mentioned(function, names):
    """Yields the values of a function's variables that are not local, and of their attributes."""
    for _, _, value in _effects.children(function, names):
        yield value
        for scope in _scopes(value):
            for name in names & scope.keys():
                yield scope[name]


def _scopes(value):
    """Yields the dicts that hold the attributes of a module or of an instance of the program's
    class."""
    if isinstance(value, types.ModuleType):
        return (value.__dict__,)
    if isinstance(value, type) or not _is_of_program(type(value)):
        return ()
    return type(value).__dict__, getattr(value, "__dict__", {})


def _is_of_program(kind):
    return isinstance(kind.__dict__.get("__module__"), str) and not _effects.is_library(kind)


# ===--------------------------------------------------------------------------=== #
# The thread of a unified operation


def thread(function, name, arguments):
    """Returns the only thread of a unified operation. The default values of its function are the
    arguments of the call, and the compiler gives the parameters these values."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = tuple(arguments[name] for name in names)
    bound = types.FunctionType(
        code, function.__globals__, function.__name__, defaults, function.__closure__
    )
    bound.__kwdefaults__ = {
        name: value for name, value in arguments.items() if name not in names
    } or None
    return _capture.Thread("unified", bound, name, _threads.definition(function))


# ===--------------------------------------------------------------------------=== #
# Buffers, pipes, nets and semaphores


def make(call, maker, args, keywords, position):
    """Makes a buffer, pipe, net or semaphore for the statement at `position`."""
    with _location.at(_location.Location(*position)):
        resource = maker(*args, **keywords)
    call.reads.made(resource)
    return resource


def imported(call, statement):
    """Returns [(name, value)] for the names that an import statement of the body binds."""
    names = []
    for alias in statement.names:
        if isinstance(statement, ast.ImportFrom):
            package = call.walked_threads[0].function.__globals__.get("__package__")
            path = "." * statement.level + (statement.module or "")
            value = getattr(importlib.import_module(path, package), alias.name)
        else:
            module = importlib.import_module(alias.name)
            value = module if alias.asname else sys.modules[alias.name.partition(".")[0]]
        if isinstance(value, types.ModuleType) and _effects.is_library(value):
            call.reads.made(value)
        names.append((alias.asname or alias.name.partition(".")[0], value))
    return names


def resources_in(variable, value):
    """Yields (name, resource) for each resource in a variable, including those in sequences and
    dicts."""
    if isinstance(value, RESOURCES):
        yield variable, value
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from resources_in(f"{variable}[{index}]", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from resources_in(f"{variable}[{key!r}]", item)
