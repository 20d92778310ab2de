# ===- _threads.py - decorators of kernel functions ----------------------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

import inspect

import _ttjit
from ttl import _capture, _location, _source


@_ttjit.public_methods
class Kernel:
    """Names a kernel function: `@ttl.compute(kernel=ttl.Kernel("math"))`."""

    def __init__(self, name):
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(f"a kernel's name is an identifier, found {name!r}")
        self.name = name


def definition(function):
    """The range of a function's `def`."""
    file, node = _source.require_node(function, "kernel function")
    name = getattr(node, "name", None)
    if name is None:  # a lambda
        return _location.start_of(function.__code__)
    end = node.col_offset + len(f"def {name}")
    return _location.Location(file.name, node.lineno, node.col_offset + 1, node.lineno, end + 1)


def _register(kind, function, kernel):
    call = _capture.current()
    if call is None:
        raise RuntimeError(
            f"@ttl.{kind}() works only in the body of an operation that is being called"
        )
    if not inspect.isfunction(function):
        _capture.fail(f"@ttl.{kind}() decorates a function, found {_described(function)}")
    if function.__name__ == "<lambda>":
        _capture.fail(f"@ttl.{kind}() decorates a function written with 'def', found a lambda")
    if kernel is not None and not isinstance(kernel, Kernel):
        _capture.fail(
            f'@ttl.{kind}(kernel=...) takes a ttl.Kernel, as in kernel=ttl.Kernel("reader"), found '
            f"{_described(kernel)}"
        )
    name = kernel.name if kernel else function.__name__
    thread = _capture.Thread(kind, function, name, definition(function))
    call.threads.append(thread)
    return thread


def _described(value):
    if isinstance(value, _capture.Thread):
        return f"the kernel function {value.name}()"
    return "None" if value is None else f"an object of type {type(value).__name__}"


@_ttjit.public
def compute(function=None, *, kernel=None):
    """Decorator of the compute kernel function: `@ttl.compute()`."""
    return _decorate("compute", function, kernel)


@_ttjit.public
def datamovement(function=None, *, kernel=None):
    """Decorator of a data movement kernel function: `@ttl.datamovement()`."""
    return _decorate("datamovement", function, kernel)


def _decorate(kind, function, kernel):
    if function is not None:
        return _register(kind, function, kernel)

    def decorate(function):
        return _register(kind, function, kernel)

    return _ttjit.public(decorate)


@_ttjit.public_methods
class Program:
    """The oldest spelling: `return ttl.Program(compute, reader, writer)(a, b, y)`."""

    def __init__(self, *threads):
        for thread in threads:
            if not isinstance(thread, _capture.Thread):
                raise TypeError(f"ttl.Program takes kernel functions, found {_described(thread)}")
        call = _capture.current()
        if call is None:
            raise RuntimeError(
                "ttl.Program() works only in the body of an operation that is being called"
            )
        call.threads[:] = threads

    def __call__(self, *tensors):
        return self
