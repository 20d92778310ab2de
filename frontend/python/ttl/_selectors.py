# ===- _selectors.py - names of the threads of an operation -------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A selector names a thread of an operation: a KernelKind names the thread of that kind, and a
# Kernel names a further thread. The keyword kernel= of the decorators gives a kernel function a
# selector. In unified bodies, kernel= of a call, such as ttl.call_extern_func(), names its thread.
# ===--------------------------------------------------------------------------=== #

import enum

import _ttjit
from ttl import _capture, _errors

MOVERS = 2  # the most data movement threads of a node


class KernelKind(enum.Flag):
    """The kinds of kernel functions: COMPUTE and DATA_MOVEMENT. They select the thread of that kind
    in kernel=. Any other value is a ValueError.

    Example, in the body of an operation:

        @ttl.compute(kernel=ttl.KernelKind.COMPUTE)
        def compute():
            pass
    """

    COMPUTE = enum.auto()
    DATA_MOVEMENT = enum.auto()


KINDS = {"compute": KernelKind.COMPUTE, "datamovement": KernelKind.DATA_MOVEMENT}


class PipeSourceKernel:
    """ttl.PIPE_SOURCE_KERNEL: the data movement thread that runs the callbacks of if_src(), in
    kernel= of a unified body. Without such a thread it is a ttl.CompileError.

    Example, in the body of an operation:

        selector = ttl.PIPE_SOURCE_KERNEL
    """

    kind = KernelKind.DATA_MOVEMENT

    def __repr__(self):
        return "ttl.PIPE_SOURCE_KERNEL"


PIPE_SOURCE_KERNEL = PipeSourceKernel()


@_ttjit.public_methods
class Kernel:
    """One more thread of a kind: ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT). Given a name instead, it
    sets the name of a kernel function in messages.

    It belongs to one operation: make it in the body, or in the function that defines the operation.

    Raises a TypeError for another argument, and a ttl.CompileError where two functions have one
    selector.

    Example, in the body of an operation:

        @ttl.compute(kernel=ttl.Kernel("math"))
        def compute():
            pass
    """

    def __init__(self, kind):
        self.name = self.owner = None
        if isinstance(kind, str):
            if not kind.isidentifier():
                raise ValueError(f"a kernel's name must be an identifier, found {kind!r}")
            self.name, self.kind = kind, None
            return
        if not isinstance(kind, KernelKind):
            raise TypeError(f"Kernel kind must be a KernelKind, or the kernel's name; found {kind!r}")
        if len(kind) != 1:
            raise ValueError(f"a ttl.Kernel must have one kind, found {kind}")
        self.kind = kind

    def __repr__(self):
        return f'ttl.Kernel({self.kind or repr(self.name)})'


def described(value):
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "None" if value is None else f"an object of type {type(value).__name__}"


def bind(call, kernel, names):
    """Binds a Kernel to the operation of the call, under the name of the variable that holds it."""
    if kernel.kind is None:
        return
    if len(names) > 1:
        _capture.fail(f"this ttl.Kernel is known under multiple names, {' and '.join(names)}: make "
                      "one ttl.Kernel for each thread")
    owner = (call.body_code, names[0] if names else "kernel")
    if kernel.owner is not None and kernel.owner[0] is not call.body_code:
        operation, name = kernel.owner[0].co_name, kernel.owner[1]
        _capture.fail(f"this ttl.Kernel is already bound as '{name}' of operation {operation}(): make "
                      "a ttl.Kernel in the body of each operation, or in the function that defines "
                      "the operation")
    kernel.owner = kernel.owner or owner


def names_of(kernel, frame, body_code):
    """Returns the names of the variables that hold a Kernel in the body of an operation."""
    while frame is not None and frame.f_code is not body_code:
        frame = frame.f_back
    scopes = [] if frame is None else [frame.f_locals]
    return [name for scope in scopes for name, value in scope.items() if value is kernel]


# ===--------------------------------------------------------------------------=== #
# Selectors in unified bodies
# ===--------------------------------------------------------------------------=== #


def _flattened(selector):
    """Returns the single selectors of a selector, which may be several KernelKinds or a tuple."""
    if isinstance(selector, KernelKind):
        return list(selector)
    if isinstance(selector, tuple) and selector:
        return [each for part in selector for each in _flattened(part)]
    is_known = isinstance(selector, PipeSourceKernel) or (
        isinstance(selector, Kernel) and selector.kind is not None
    )
    if not is_known:
        _fail("kernel= must be a ttl.KernelKind, a ttl.Kernel of a kind, or a tuple of these, found "
              f"{described(selector)}")
    return [selector]


def _fail(message):
    raise _errors.CompileError(message)


def threads_of(call, selector, most=None):
    """Returns the names of the threads of a unified body that a selector names: "compute",
    "reader", "writer" or "pipe_source". `most` is how many it may name."""
    parts = _flattened(selector)
    if len(set(map(id, parts))) < len(parts):
        _fail("kernel= must name different threads, found one of them twice")
    if most is not None and len(parts) > most:
        _fail(f"kernel= must name one thread, found {len(parts)}")
    return [_thread(call, part) for part in parts]


def _thread(call, selector):
    if isinstance(selector, PipeSourceKernel):
        return "pipe_source"
    if not isinstance(selector, Kernel):
        if selector is KernelKind.COMPUTE:
            return "compute"
        _note(call, selector, KernelKind.DATA_MOVEMENT)
        return "reader"
    bind(call, selector, [])
    _note(call, selector, selector.kind)
    if selector.kind is KernelKind.COMPUTE:
        return "compute"
    kernels = [each for each in call.selectors if isinstance(each, Kernel)
               and each.kind is KernelKind.DATA_MOVEMENT]
    return "writer" if selector is kernels[0] else "reader"


def _note(call, selector, kind):
    """Notes a thread that a statement names; fails if the body needs more threads than a node
    has."""
    if not any(each is selector for each in call.selectors):
        call.selectors.append(selector)
    same = [each for each in call.selectors if getattr(each, "kind", each) is kind]
    limit = 1 if kind is KernelKind.COMPUTE else MOVERS
    if len(same) > limit:
        _fail(f"operation requires {len(same)} {kind.name.lower()} kernels, but the target supports "
              f"{limit}: let kernel= name fewer threads")
