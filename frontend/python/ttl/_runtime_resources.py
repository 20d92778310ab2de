# ===- _runtime_resources.py - resources that a launch gives to C++ functions -=== #
# SPDX-License-Identifier: Apache-2.0
#
# An operation may have a factory, which runs at every launch and returns the arguments, macros and
# semaphores of C++ functions that the operation calls. The arguments and the semaphores belong to the
# launch. The macros belong to the compiled program.
# ===--------------------------------------------------------------------------=== #

import dataclasses
import re

import _ttjit
from ttl import _selectors, _ttnn

ttnn = _ttnn.package


@_ttjit.public_methods
@dataclasses.dataclass(frozen=True)
class KernelDefine:
    """A macro of a C++ function: KernelDefine(name, value), for ttl.KernelRuntimeResources. A name
    that is no identifier is a ttl.CompileError at the launch.

    Example:

        define = ttl.KernelDefine("SCALE", "3")
    """

    name: str
    value: str


@_ttjit.public_methods
@dataclasses.dataclass(frozen=True)
class CoreRuntimeArgs:
    """The run-time arguments of one core: CoreRuntimeArgs(core, values), numbers of 32 bits. A core
    outside of the grid is a ttl.CompileError at the launch.

    Example:

        arguments = ttl.CoreRuntimeArgs((0, 0), (1, 2))
    """

    core: object
    values: tuple = ()


@_ttjit.public_methods
@dataclasses.dataclass(frozen=True)
class KernelRuntimeResources:
    """The arguments and macros of one thread, which a KernelKind or a ttl.Kernel names. Two for one
    thread are a ttl.CompileError at the launch.

    Example:

        define = ttl.KernelDefine("SCALE", "3")
        resources = ttl.KernelRuntimeResources(ttl.KernelKind.COMPUTE, defines=(define,))
    """

    kernel: object
    runtime_args: tuple = ()
    defines: tuple = ()


@_ttjit.public_methods
@dataclasses.dataclass(frozen=True)
class ProgramRuntimeResources:
    """What a runtime_resource_factory of an operation returns. The operation keeps the objects in
    `lifetimes` alive until its next launch. Wrong resources are a ttl.CompileError at the launch.

    Example:

        resources = ttl.ProgramRuntimeResources()
    """

    semaphore_descriptors: tuple = ()
    kernel_resources: tuple = ()
    fabric_bindings: tuple = ()
    lifetimes: tuple = ()


# ===--------------------------------------------------------------------------=== #
# Checks
# ===--------------------------------------------------------------------------=== #


def _tuple(value, type_, what):
    if not isinstance(value, tuple):
        raise TypeError(f"{what} must be a tuple, found {type(value).__name__}")
    for each in value:
        if type_ is not None and not isinstance(each, type_):
            raise TypeError(f"{what} must have ttl.{type_.__name__} objects, found "
                            f"{type(each).__name__}")
    return value


def _unique(values, what):
    for number, value in enumerate(values):
        if value in values[:number]:
            raise ValueError(f"{what} {value!r} is there twice")


def _check_kernel(kernel, call):
    if isinstance(kernel, (_selectors.KernelKind, _selectors.PipeSourceKernel)):
        if isinstance(kernel, _selectors.KernelKind) and len(kernel) != 1:
            raise ValueError(f"kernel= of ttl.KernelRuntimeResources must be one kind, found {kernel}")
        return
    if not isinstance(kernel, _selectors.Kernel):
        raise TypeError("kernel= of ttl.KernelRuntimeResources must be a ttl.KernelKind or a "
                        f"ttl.Kernel, found {type(kernel).__name__}")
    if kernel.owner is None or kernel.owner[0] is not call.body_code:
        raise ValueError(f"kernel= of ttl.KernelRuntimeResources: operation {call.name}() has no "
                         "thread of this ttl.Kernel")


def _core(core, grid, what):
    try:
        x, y = (core.x, core.y) if hasattr(core, "x") else core
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be a ttnn.CoreCoord, found {core!r}") from None
    if not (0 <= x < grid[0] and 0 <= y < grid[1]):
        raise ValueError(f"{what} ({x}, {y}) is not in the launch, which has {grid[0]} x {grid[1]} "
                         "cores")
    return x, y


def _check_kernel_resources(resources, call, grid):
    _check_kernel(resources.kernel, call)
    args = _tuple(resources.runtime_args, CoreRuntimeArgs, "runtime_args")
    cores = [_core(each.core, grid, "the core of ttl.CoreRuntimeArgs") for each in args]
    _unique(cores, "runtime_args: core")
    for each in args:
        for value in _tuple(each.values, None, "values of ttl.CoreRuntimeArgs"):
            if isinstance(value, bool) or not hasattr(value, "__index__"):
                raise TypeError(f"values of ttl.CoreRuntimeArgs must be ints, found {value!r}")
            if not -(1 << 31) <= value.__index__() < 1 << 32:
                raise ValueError(f"values of ttl.CoreRuntimeArgs must fit in 32 bits, found {value!r}")
    defines = _tuple(resources.defines, KernelDefine, "defines")
    for each in defines:
        if not isinstance(each.name, str) or not isinstance(each.value, str):
            raise TypeError("name and value of ttl.KernelDefine must be strings, found "
                            f"{each.name!r} and {each.value!r}")
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*(\([^()\n\\]*\))?", each.name):
            raise ValueError(f"name of ttl.KernelDefine must be that of a C++ macro, found {each.name!r}")
        if "\n" in each.value or each.value.endswith("\\"):
            raise ValueError(f"value of ttl.KernelDefine must be one line, found {each.value!r}")
    _unique([each.name for each in defines], "defines: name")


def _check_semaphores(descriptors, first_free, grid):
    _tuple(descriptors, None, "semaphore_descriptors")
    for each in descriptors:
        if not isinstance(each, ttnn.SemaphoreDescriptor):
            raise TypeError("semaphore_descriptors must have ttnn.SemaphoreDescriptor objects, found "
                            f"{type(each).__name__}")
        if each.id < first_free:
            raise ValueError(f"semaphore_descriptors: id {each.id} is used by the operation itself; "
                             f"the first free one is {first_free}")
        for part in each.core_ranges.ranges():
            for core in (part.start, part.end):
                _core(core, grid, "semaphore_descriptors: core")
    _unique([each.id for each in descriptors], "semaphore_descriptors: id")


def _check(resources, call, first_free, grid):
    if not isinstance(resources, ProgramRuntimeResources):
        raise TypeError(f"the runtime_resource_factory of operation {call.name}() must return a "
                        f"ttl.ProgramRuntimeResources, found {type(resources).__name__}")
    _check_semaphores(resources.semaphore_descriptors, first_free, grid)
    kernels = _tuple(resources.kernel_resources, KernelRuntimeResources, "kernel_resources")
    for each in kernels:
        _check_kernel_resources(each, call, grid)
    _unique([each.kernel for each in kernels], "kernel_resources: kernel")
    if _tuple(resources.fabric_bindings, None, "fabric_bindings"):
        raise ValueError("fabric_bindings must be empty, because the host has no fabric managers")
    _tuple(resources.lifetimes, None, "lifetimes")


# ===--------------------------------------------------------------------------=== #
# Threads
# ===--------------------------------------------------------------------------=== #


def _is_own(thread, kernel):
    """Returns whether a selector names a thread: it is the thread's ttl.Kernel, or it is the KernelKind
    of a thread without a ttl.Kernel."""
    has_kernel = isinstance(thread.selector, _selectors.Kernel) and thread.selector.kind is not None
    if isinstance(kernel, _selectors.Kernel):
        return thread.selector is kernel
    return _selectors.KINDS[thread.kind] is kernel and not has_kernel


def _thread_name(call, kernel):
    """Returns the name of the thread of a call that a selector names; None if the call has no
    thread of a kind."""
    if isinstance(kernel, _selectors.PipeSourceKernel):
        raise ValueError("runtime_args and defines cannot be given to ttl.PIPE_SOURCE_KERNEL: name the "
                         "thread by a ttl.Kernel, which the callbacks of if_src() can have, too")
    if call.is_unified:
        return _selectors.threads_of(call, kernel)[0]
    return next((thread.name for thread in call.walked_threads if _is_own(thread, kernel)), None)


# ===--------------------------------------------------------------------------=== #
# Launches
# ===--------------------------------------------------------------------------=== #


def _cores(ranges):
    return [(x, y) for part in ranges.ranges() for y in range(part.start.y, part.end.y + 1)
            for x in range(part.start.x, part.end.x + 1)]


def _position(core):
    return (core.x, core.y) if hasattr(core, "x") else tuple(core)


def _record(resources, threads):
    """Returns the semaphores and arguments as _ttjit.launch() takes them."""
    semaphores = [(each.id, each.initial_value, _cores(each.core_ranges))
                  for each in resources.semaphore_descriptors]
    arguments = [
        (thread, [(_position(args.core), [value.__index__() & 0xFFFFFFFF for value in args.values])
                  for args in each.runtime_args])
        for each, thread in zip(resources.kernel_resources, threads)
    ]
    return semaphores, [each for each in arguments if each[0] and each[1]]


def first_free_semaphore(ir):
    """Returns the first semaphore id that is not in the IR of a kernel."""
    ids = re.findall(r"^ *%\S+ = ttl\.create_semaphore .*\bsemaphore_id = (\d+) : i32", ir, re.MULTILINE)
    return max(map(int, ids), default=-1) + 1


def prepare(operation, call, first_free):
    """Calls the factory of the operation before a launch, checks what it returns, and keeps its
    `lifetimes` in the operation until the next launch. Returns the record of the resources for
    _ttjit.launch(), and the macros of each thread."""
    grid = (*call.grid, 1)[:2]
    ranges = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0),
                                               ttnn.CoreCoord(grid[0] - 1, grid[1] - 1))})
    resources = operation.options.factory(
        tensors=[entry.value for entry in call.tensors], core_ranges=ranges,
        first_free_semaphore_id=first_free)
    _check(resources, call, first_free, grid)
    kernels = [each for each in resources.kernel_resources if each.runtime_args or each.defines]
    threads = [_thread_name(call, each.kernel) for each in kernels]
    used = dataclasses.replace(resources, kernel_resources=tuple(kernels))
    operation.lifetimes = resources.lifetimes
    defines = {thread: [f"{macro.name} {macro.value}" for macro in each.defines]
               for each, thread in zip(kernels, threads) if thread and each.defines}
    return _record(used, threads), defines
