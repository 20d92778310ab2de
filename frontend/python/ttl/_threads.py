# ===- _threads.py - decorators of kernel functions ----------------------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

import inspect

from ttl import _capture, _report, _source


class Kernel:
    """Names a kernel function: `@ttl.compute(kernel=ttl.Kernel("math"))`."""

    def __init__(self, name):
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(f"a kernel's name is an identifier, found {name!r}")
        self.name = name


def _definition(function):
    """The range of a function's `def`."""
    file, node = _source.function_node(function)
    if node is None:
        return _report.Location(file.name, function.__code__.co_firstlineno, 1, 0, 0)
    end = node.col_offset + len(f"def {node.name}")
    return _report.Location(file.name, node.lineno, node.col_offset + 1, node.lineno, end + 1)


def _register(kind, function, kernel, depth):
    call = _capture.current()
    if call is None:
        raise RuntimeError(f"@ttl.{kind}() works only in the body of an operation that is called")
    if not inspect.isfunction(function):
        _capture.fail(f"@ttl.{kind}() decorates a function, found {function!r}", depth + 1)
    if function.__name__ == "<lambda>":
        message = f"@ttl.{kind}() decorates a function written with 'def', found a lambda"
        _capture.fail(message, depth + 1)
    name = kernel.name if kernel else function.__name__
    thread = _capture.Thread(kind, function, name, _definition(function))
    call.threads.append(thread)
    return thread


def _decorator(kind):
    def decorate(function=None, *, kernel=None):
        if function is not None:
            return _register(kind, function, kernel, 1)
        return lambda inner: _register(kind, inner, kernel, 1)

    decorate.__name__ = decorate.__qualname__ = kind
    return decorate


compute = _decorator("compute")
datamovement = _decorator("datamovement")


class Program:
    """The oldest spelling: `return ttl.Program(compute, reader, writer)(a, b, y)`."""

    def __init__(self, *threads):
        for thread in threads:
            if not isinstance(thread, _capture.Thread):
                raise TypeError(f"ttl.Program takes kernel functions, found {thread!r}")
        call = _capture.current()
        if call is None:
            raise RuntimeError("ttl.Program is made in the body of an operation")
        call.threads[:] = threads

    def __call__(self, *tensors):
        return self
