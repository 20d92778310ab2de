# ===- _threads.py - decorators of kernel functions ---------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import inspect

import _ttjit
from ttl import _capture, _errors, _location, _source
from ttl._selectors import KINDS, Kernel, KernelKind, bind, described, names_of

# The processors that a function of each kind may be bound to, and the keyword that binds it. The
# three processors of the compute engine run one function, and "math" names them together.
_PROCESSORS = {"datamovement": ("processor", ("noc0", "noc1")), "compute": ("hint", ("math",))}


def definition(function):
    """Returns the source range of a function's `def`."""
    file, node = _source.require_node(function, "kernel function")
    if not hasattr(node, "name"):  # the function is a lambda
        return _location.start_of(function.__code__)
    return _location.of_definition(file, node)


def _register(kind, function, kernel, processor):
    call = _capture.current()
    if call is None:
        raise RuntimeError(
            f"@ttl.{kind}() can only be used in the body of an operation: write @ttl.operation() "
            "above the function around it"
        )
    if not inspect.isfunction(function):
        _capture.fail(f"@ttl.{kind}() can only decorate a function, found {_described(function)}: "
                      "write it above 'def', without other decorators below it")
    if function.__name__ == "<lambda>":
        _capture.fail(f"@ttl.{kind}() can only decorate a function written with 'def', found a "
                      "lambda")
    name = _chosen_name(kind, kernel) or function.__name__
    thread = _capture.Thread(kind, function, name, definition(function))
    _claim(call, thread, kernel)
    if processor is not None:
        thread.hint, thread.bound_at = _hint(kind, processor, _keyword(kind)), _location.program_location()
    call.threads.append(thread)
    return thread


def _chosen_name(kind, kernel):
    """Returns the name that `kernel=` gives to a function of this kind, or None."""
    if kernel is not None and not isinstance(kernel, (Kernel, KernelKind)):
        _capture.fail(
            f"@ttl.{kind}(kernel=...) must get a ttl.Kernel, for example "
            f'kernel=ttl.Kernel("reader"), found {_described(kernel)}'
        )
    chosen = kernel.kind if isinstance(kernel, Kernel) else kernel
    if chosen is not None and chosen != KINDS[kind]:
        _capture.fail(f"@ttl.{kind}() can only decorate a kernel of kind {KINDS[kind]}, found "
                      f"{chosen}")
    return kernel.name if isinstance(kernel, Kernel) else None


def _claim(call, thread, kernel):
    """Notes the selector that the program gives to a thread; fails if another thread has it."""
    if kernel is None:
        return
    for other in call.threads:
        if other.selector is kernel:
            _capture.fail(f"kernel functions {other.name}() and {thread.name}() have one selector, "
                          f"{kernel!r}: give each function a ttl.Kernel of its own")
    thread.selector = kernel
    if isinstance(kernel, Kernel):
        bind(call, kernel, names_of(kernel, _location.program_frame(), call.body_code))


def _keyword(kind):
    return f"@ttl.{kind}({_PROCESSORS[kind][0]}=...)"


def _hint(kind, processor, keyword):
    """Returns the name of a processor as the compiler spells it; fails if functions of this kind
    cannot run on it. `keyword` says where the program has the name."""
    _, names = _PROCESSORS[kind]
    name = processor.lower() if isinstance(processor, str) else None
    if name in names:
        return name.upper()
    found = repr(processor) if isinstance(processor, str) else _described(processor)
    other = [kind for kind, (_, names) in _PROCESSORS.items() if name in names]
    why = {"compute": ", which computes", "datamovement": ", which moves data"}[other[0]] if other else ""
    _capture.fail(f"{keyword} must be {' or '.join(map(repr, names))}, found {found}{why}")


# The threads that the compiler makes of a unified body, and their kinds.
_PARTS = {"reader": "datamovement", "compute": "compute", "writer": "datamovement"}


def reader_hint(processors):
    """Returns the processor of the reader of a unified body, as the compiler spells it, for the value
    of processors= of @ttl.operation. The writer gets the other one. None: the program leaves the
    choice to the compiler."""
    if processors is None:
        return None
    if not isinstance(processors, dict):
        _capture.fail('@ttl.operation(processors=...) must be a dict such as {"reader": "noc1"}, found '
                      f"{_described(processors)}")
    hints = {}
    for name, processor in processors.items():
        if name not in _PARTS:
            _capture.fail(f"@ttl.operation(processors=...) names {name!r}, but the threads of a body without "
                          "kernel functions are 'reader', 'compute' and 'writer'")
        hints[name] = _hint(_PARTS[name], processor, f"@ttl.operation(processors={{{name!r}: ...}})")
    reader, writer = hints.get("reader"), hints.get("writer")
    if reader is not None and reader == writer:
        _capture.fail("@ttl.operation(processors=...) binds the reader and the writer to processor "
                      f"{reader.lower()!r}: a processor runs one thread")
    return reader or {"NOC0": "NOC1", "NOC1": "NOC0"}.get(writer)


def check_processors(call):
    """Fails if two functions of a call are bound to one processor."""
    bound = {}
    for thread in call.threads:
        other = bound.setdefault(thread.hint, thread) if thread.hint else thread
        if other is thread:
            continue
        name = thread.hint.lower()
        free = next(each for each in _PROCESSORS["datamovement"][1] if each != name)
        _capture.fail(f"kernel functions {other.name}() and {thread.name}() are both bound to processor "
                      f"{name!r}: bind one of them to {free!r}",
                      [_errors.Note(f"{other.name}() is bound here", other.bound_at)], thread.bound_at)


def _fail_result(call, result):
    """Raises a CompileError at the first return statement with a value; notes show the others."""
    first, *others = _source.returns(call.function) or [call.location]
    raise _errors.CompileError(
        f"operation {call.name}() returns {described(result)}: an operation must not return a "
        "value; write its results into tensors",
        first,
        [_errors.Note("or here", other) for other in others],
    )


def check(call, result):
    """Checks what the body of an operation made, and that it returned `result`, nothing."""
    if result is not None and type(result).__name__ != "Program":
        _fail_result(call, result)
    if not call.threads:
        raise _errors.CompileError(
            f"operation {call.name}() defined no kernel functions in this call, but its body "
            "mentions @ttl.compute() or @ttl.datamovement(): define kernel functions on every "
            "path, or remove these decorators",
            call.location,
        )
    _check_count(call, "compute", 1, "one compute kernel")
    _check_count(call, "datamovement", 2, "two data movement kernels")
    check_processors(call)


def _check_count(call, kind, limit, text):
    threads = [thread for thread in call.threads if thread.kind == kind]
    if len(threads) > limit:
        names = ", ".join(thread.name for thread in threads)
        raise _errors.CompileError(
            f"operation {call.name}() has {len(threads)} @ttl.{kind}() functions ({names}): a "
            f"node can have at most {text}; join functions of this kind into one",
            threads[limit].location,
        )


def _described(value):
    if isinstance(value, _capture.Thread):
        return f"the kernel function {value.name}()"
    return described(value)


@_ttjit.public
def compute(function=None, *, kernel=None, hint=None):
    """Decorates the compute kernel function: `@ttl.compute()`. An operation has at most one.

    kernel= is a selector: ttl.Kernel("name") gives the thread a name for messages. hint="math"
    has no effect: the function always runs on the compute processors of a node.

    Raises a RuntimeError outside of an operation, and a ttl.CompileError for what is no function,
    or no processor for it.

    Example, in the body of an operation:

        @ttl.compute()
        def compute():
            pass
    """
    return _decorate("compute", function, kernel, hint)


@_ttjit.public
def datamovement(function=None, *, kernel=None, processor=None):
    """Decorates a data movement kernel function: `@ttl.datamovement()`. An operation has at most
    two.

    kernel= is a selector: ttl.Kernel("name") gives the thread a name for messages. processor="noc0"
    binds the function to RISCV_1, which uses NoC 0, and "noc1" to RISCV_0, which uses NoC 1.
    Functions without it get the processors that are left, in their order.

    Raises a RuntimeError outside of an operation, and a ttl.CompileError for what is no function,
    or no processor for it.

    Example, in the body of an operation:

        @ttl.datamovement(processor="noc1")
        def reader():
            pass
    """
    return _decorate("datamovement", function, kernel, processor)


def _decorate(kind, function, kernel, processor):
    if function is not None:
        return _register(kind, function, kernel, processor)

    def decorate(function):
        return _register(kind, function, kernel, processor)

    return _ttjit.public(decorate)


@_ttjit.public_methods
class Program:
    """A program in the oldest spelling: the body of an operation returns ttl.Program(compute,
    reader, writer)(x, y).

    Raises a TypeError for arguments that are no kernel functions, a RuntimeError outside of an
    operation.

    Example, in the body of an operation:

        @ttl.compute()
        def compute():
            pass

        program = ttl.Program(compute)(x, y)
    """

    def __init__(self, *threads):
        for thread in threads:
            if not isinstance(thread, _capture.Thread):
                raise TypeError("the arguments of ttl.Program must be kernel functions, found "
                                f"{_described(thread)}")
        call = _capture.current()
        if call is None:
            raise RuntimeError(
                "ttl.Program() can only be used in the body of an operation"
            )
        call.threads[:] = threads

    def __call__(self, *tensors):
        from ttl import _pykernel_bind  # few programs have parameters to bind

        _pykernel_bind.bind(_capture.current(), tensors)
        return self
