# ===- _operation.py - operations: compile once, run many times ---------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Calling an operation runs its body in Python. It then compiles the kernel functions that the body
# defines, unless an equal call was compiled before. Then it places the tensors on the device and
# launches the program.
# ===--------------------------------------------------------------------------=== #

import functools
import inspect
import types

import _ttjit
from ttl import (
    _block_copies,
    _capture,
    _devices,
    _environment,
    _errors,
    _grid,
    _location,
    _mesh_grids,
    _nodes,
    _options,
    _partial,
    _reads,
    _replay,
    _report,
    _routes,
    _scalars,
    _source,
    _threads,
    _time,
    _unified,
    _unused,
    _values,
)
from ttl._cache import Cache
from ttl._compiled import CompiledKernel, LoweredKernel, parameters_of
from ttl._launch import launch
from ttl._numerics import Explained
from ttl._ttnn import settings

COMPUTE_FLAGS = ("fp32_dest_acc_en", "dst_full_sync_en", "math_approx_mode")
COMPUTE_OPTIONS = (*COMPUTE_FLAGS, "math_fidelity")
OTHER_OPTIONS = (
    "grid memory_space tiled ttnn_interop num_outs indexing_maps iterator_types options "
    "runtime_resource_factory dispatcher processors device_domain mesh_program_placements"
).split()
MATH_FIDELITIES = ("LoFi", "HiFi2", "HiFi3", "HiFi4")
MAX_EXACT = 1024  # the most items of _exact_groups

_cache = Cache()
# The facts of calls that need separate code for nodes with different numbers. The cache holds such
# programs under these facts and _nodes.exact_facts().
_exact_groups = set()
cache_info = _cache.info

# The interactive session sets this to a function observer(operation, args, kwargs, options), which is
# called before each call of an operation.
observer = None


def _flag(name, value):
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, found {value!r}")
    return value


def _check_factory(factory):
    if factory is not None and not callable(factory):
        raise TypeError("runtime_resource_factory= must be a function, found "
                        f"{type(factory).__name__}")
    return factory


class Options:
    """The keywords of the decorator: compile options, the placement of tensors, and constants of
    the body."""

    def __init__(self, keywords, body):
        self.grid = keywords.get("grid", "auto")
        if not (callable(self.grid) or self.grid is None):
            _grid.extents(self.grid)
        self.compute = {name: keywords.get(name) for name in COMPUTE_OPTIONS}
        self.memory_space = keywords.get("memory_space", "DRAM")
        self.tiled = bool(keywords.get("tiled", True))
        self.constants = {}
        self.factory = _check_factory(keywords.get("runtime_resource_factory"))
        self.domain = _devices.checked_domain(keywords.get("device_domain"))
        self.placements = _devices.checked_placements(keywords.get("mesh_program_placements"))
        self.is_dispatcher = _flag("dispatcher", keywords.get("dispatcher", False))
        self.processors = keywords.get("processors")
        self.reader_hint = _threads.reader_hint(self.processors)
        if self.memory_space not in ("L1", "DRAM"):
            raise ValueError(f'memory_space must be "L1" or "DRAM", found {self.memory_space!r}')
        self.given = _options.parse(keywords.get("options"))  # (name, value) pairs
        self._check_flags()
        self._check_fidelity()
        for name, value in keywords.items():
            if name not in (*COMPUTE_OPTIONS, *OTHER_OPTIONS):
                self._constant(name, value, body)

    def _check_flags(self):
        for name in COMPUTE_FLAGS:
            value = self.compute[name]
            if value is not None and (not hasattr(value, "__index__") or value not in (0, 1)):
                raise ValueError(f"{name} must be True or False, found {value!r}")

    def _check_fidelity(self):
        fidelity = self.compute["math_fidelity"]
        if fidelity is None:
            return
        name = getattr(fidelity, "name", fidelity)
        if name not in MATH_FIDELITIES:
            known = ", ".join(MATH_FIDELITIES)
            raise ValueError(f"math_fidelity must be one of {known}, found {name!r}")
        self.compute["math_fidelity"] = name

    def _constant(self, name, value, body):
        option = _source.similar(name, (*COMPUTE_OPTIONS, *OTHER_OPTIONS))
        if option and name not in _values.names_of(body.__code__):
            raise TypeError(f"an operation has no option {name}=; did you mean {option}=?")
        if not isinstance(value, (int, float, str)):
            raise TypeError(
                f"unknown option {name}= with a value of type {type(value).__name__}: only numbers "
                "and strings can be passed to the body as constants"
            )
        self.constants[name] = value

    @property
    def placement(self):
        """Returns how to place tensors that are not on the device: the layout and the memory."""
        return self.tiled, self.memory_space


@_ttjit.public_methods
class Operation(Explained, _time.Timed):
    """A decorated operation. Calling it runs it; its kernel is compiled at the first call and then
    taken from a cache."""

    def __init__(self, function, keywords):
        if not inspect.isfunction(function):
            raise TypeError(
                "@ttl.operation() can only decorate a function written with 'def', found "
                f"{_threads.described(function)}"
            )
        _check_no_method(function)
        functools.update_wrapper(self, function)
        _source.remember(function)
        self.function, self.keywords = function, keywords
        self.signature = inspect.signature(function)
        self.options = Options(keywords, function)
        # whether the body makes kernel functions; None until that is known
        self.has_kernels = None
        self.replays = _replay.Replays(self)
        self.lifetimes = ()  # objects from the runtime_resource_factory, alive until the next launch
        self.last_defines = {}  # the macros of the last launch

    def __call__(self, *args, options=None, **kwargs):
        if self.options.is_dispatcher:
            raise ValueError(
                f"operation {self.function.__name__}() has dispatcher=True, so it is control-only: "
                "call it in the body of another operation, or call its operations one by one"
            )
        if observer is not None:
            observer(self, args, kwargs, options)
        if not kwargs and options is None:
            known, tensors, numbers = self.replays.find(args)
            if known is not None:
                _cache.hits += 1
                _capture.note_grid(known.grid)
                return launch(known.program, tensors, known.names, numbers, known.settings)
        if _capture.current():
            _capture.fail(
                f"operation {self.function.__name__}() cannot be called in the body of an "
                "operation that has kernel functions: call it after that operation; only the body "
                "of an operation without kernel functions may call another operation"
            )
        if _mesh_grids.applies(self, args, kwargs, options):
            return _mesh_grids.call(self, args, kwargs, options)
        if _partial.is_used(args, kwargs):
            return self.call_once(args, kwargs, options)
        call = self._run_body(args, kwargs, self._settings(options))
        try:
            self._launch(call, None if kwargs or options is not None else args)
        finally:
            call.release()

    def call_once(self, args, kwargs, options):
        """Calls the operation with arguments of which it may write only a part (ttl.partial), or which later
        calls do not have. The call is not recorded for replays: a later call of the same tensors may differ."""
        args, kwargs, partial = _partial.unwrap(args, kwargs)
        call = self._run_body(args, kwargs, self._settings(options))
        try:
            chosen = [entry.argument for entry in call.tensors if id(entry.value) in partial]
            with _partial.marked(chosen):
                self._launch(call, None)
        finally:
            call.release()

    def changed(self, keywords, names):
        """Returns this operation with other keywords of the decorator, and other values of names that
        its body reads."""
        other = type(self)(self.function, {**self.keywords, **keywords})
        other.options.constants.update(names)
        return other

    async def async_(self, *args, **kwargs):
        """Calls the operation in another thread, so that other tasks go on: `await op.async_(a, y)`.
        The tensors must not be used before it has returned."""
        import asyncio  # slow to import

        return await asyncio.to_thread(self, *args, **kwargs)

    def schedule(self):
        """Returns an empty ttl.Schedule of this operation. Its methods, such as tile() and prefetch(), add
        steps; calling it calls the operation with them."""
        from ttl import _schedules  # few programs need it

        return _schedules.Schedule(self)

    def _launch(self, call, args):
        """Compiles and launches a call. `args` are None if a repeated call must run the body."""
        resources = None if call.settings.compile_only else self._resources(call)
        program, tables = self._compiled(call)
        if call.settings.compile_only:
            return
        if args is not None and self.options.factory is None and call.devices == 1:
            self.replays.note(args, call, program, tables, _cache.last_plan)
        arguments = [tensor.argument for tensor in call.tensors]
        names = [tensor.name for tensor in call.tensors]
        launch(program, arguments, names, _nodes.launch_numbers(call, tables), call.settings, resources)

    def _resources(self, call):
        """Returns what the factory of the operation makes for a launch, as _ttjit.launch() takes
        it; None if there is no factory. Sets the macros that the call is compiled with."""
        if self.options.factory is None:
            return None
        from ttl import _runtime_resources  # slow to import

        resources, call.defines = _runtime_resources.prepare(self, call, self._first_free_semaphore(call))
        self.last_defines = call.defines
        return resources

    def _first_free_semaphore(self, call):
        """Returns the first semaphore id that a call does not use. Compiles the call with the macros
        of the last launch, which are probably those of this one, so that the program is used again.
        If the C++ functions do not compile with these macros, the lowered IR tells the id."""
        call.defines = self.last_defines
        try:
            return self._compiled(call)[0].first_free_semaphore
        except _errors.CompileError:
            call.defines = {}
            program = _compile(_ttjit.lower_operation, call)
            from ttl import _runtime_resources  # slow to import

            lowered = LoweredKernel(call.name, call.grid, call.settings, call.initial_ir, program)
            return _runtime_resources.first_free_semaphore(lowered.ir())

    def _compiled(self, call):
        """Returns the program of a call and the tables that its launches fill: from the cache if an
        equal call was compiled before, otherwise newly compiled."""
        _scalars.choose(call, self.signature.parameters)
        facts = self._facts(call)
        is_exact = facts in _exact_groups
        if is_exact:
            _nodes.split(call, exact=True)
            facts = (facts, _nodes.exact_facts(call))
        found = _cache.find(_scalars.facts(call, facts), call, self)
        is_new = found is None
        if is_new:
            call.wants_ir = _environment.wants_initial_ir()
            program = self._compile_new(call)
            if call.has_exact_groups and not is_exact:
                facts = _note_exact_groups(facts, call)
            # The compiler may have used further numbers as constants, which changes the facts.
            found = (program, tuple(call.tables))
            _cache.keep(_scalars.facts(call, facts), call.reads, found, self)
        _environment.write_runner(call.name, found[0], is_new)
        return found

    def compile(self, *args, options=None, **kwargs):
        """Compiles a call with these arguments and returns the kernel as an object, without running
        it. Other values that the kernel reads, such as global variables, are fixed at this moment."""
        call, arguments = self._bound_call(args, kwargs, options)
        try:
            program = self._compile_new(call)
            program.finish()
            count = len(_tensors(arguments, self.options))
            captured = [(tensor.name, tensor.argument) for tensor in call.tensors[count:]]
            return CompiledKernel(
                call.name, call.grid, call.settings, call.initial_ir, program,
                parameters_of(arguments, self.options.placement), self.options.placement, captured,
                _nodes.launch_numbers(call, tuple(call.tables)), _report.diagnostics(call.diagnostics),
            )
        finally:
            call.release()

    def lower(self, *args, options=None, **kwargs):
        """Compiles like compile(), but stops before code is made."""
        call, _ = self._bound_call(args, kwargs, options)
        try:
            program = _compile(_ttjit.lower_operation, call)
            return LoweredKernel(call.name, call.grid, call.settings, call.initial_ir, program)
        finally:
            call.release()

    def _bound_call(self, args, kwargs, options):
        call = self._run_body(args, kwargs, self._settings(options))
        call.wants_ir = call.wants_locations = True
        args, kwargs, _ = _partial.unwrap(args, kwargs)
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return call, bound.arguments

    def _compile_new(self, call):
        return _compile(_ttjit.compile_operation, call, _environment.write_ir)

    def ir(self, *args, **kwargs):
        """Returns the `ttl` IR of a call with these arguments as text, without running it."""
        call = self._run_body(args, kwargs, self._settings())
        return _compile(_ttjit.frontend_ir, call)

    def _settings(self, options=None):
        """Returns the options in force for a call at this point. `options` is the text that the call
        passes as options=."""
        given = (*self.options.given, *_options.parse(options))
        return settings.current(*given, *_environment.options())

    def _run_body(self, args, kwargs, chosen):
        _environment.check_profiles()
        args, kwargs, _ = _partial.unwrap(args, kwargs)
        if _capture.is_walking():
            _capture.fail(
                f"operation {self.function.__name__}() cannot be called while a kernel function is "
                "compiled: call it before or after this operation"
            )
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.function.__name__}(): {error}") from None
        bound.apply_defaults()
        tensors = _tensors(bound.arguments, self.options)
        grid = self._grid(args, kwargs, chosen)

        devices = _devices.of_call(self, grid, tensors)

        def call_of(node):
            made = Call(self, grid, tensors, chosen, node)
            made.arguments = bound.arguments
            made.devices, made.mesh = devices
            made.placed = _devices.placed(self.options.placements, made.mesh)
            return made
        call = call_of(0)
        if not self._makes_kernels(bound.arguments.values()):
            thread = _unified.thread(self.body(), call.name, bound.arguments)
            thread.hint = self.options.reader_hint
            call.threads.append(thread)
            _capture.note_grid(grid)
            return call
        self._check_no_processors(call)
        self._run_on(call, bound)
        _block_copies.prepare(call)
        if call.asks_node:
            _nodes.run_others(call, lambda node: self._run_on(call_of(node), bound))
            _nodes.require_groups(call)
        return call

    def _check_no_processors(self, call):
        if self.options.processors:
            _capture.fail(f"@ttl.operation(processors=...) is for a body without kernel functions, and {call.name}() "
                          "has some: bind each of them, for example @ttl.datamovement(processor=\"noc1\")",
                          location=call.location)

    def _makes_kernels(self, arguments):
        given = [value for value in arguments if inspect.isfunction(value)]
        if given:
            return _unified.makes_kernels(self.function, given)
        if self.has_kernels is None:
            self.has_kernels = _unified.makes_kernels(self.function)
        return self.has_kernels

    def _run_on(self, call, bound):
        result = _capture.run(call, lambda: self._call_body(call, bound))
        _threads.check(call, result)
        return call

    def _call_body(self, call, bound):
        return self.body()(*bound.args, **bound.kwargs)

    def _grid(self, args, kwargs, chosen):
        return _grid.chosen_grid(self.options.grid, args, kwargs, chosen)

    def body(self):
        """Returns the function of the body; constants given to the decorator are variables in
        it."""
        if not self.options.constants:
            return self.function
        f = self.function
        scope = {**f.__globals__, **self.options.constants}
        body = types.FunctionType(f.__code__, scope, f.__name__, f.__defaults__, self._closure())
        body.__kwdefaults__ = f.__kwdefaults__
        return body

    def _closure(self):
        """Returns the variables of the functions around the body; constants replace those of their
        names."""
        f, constants = self.function, self.options.constants
        return tuple(types.CellType(constants[name]) if name in constants else cell
                     for name, cell in zip(f.__code__.co_freevars, f.__closure__ or ()))

    def _facts(self, call):
        """Returns the properties of a call on which its compiled program depends, apart from the
        values that the walk reads."""
        code = tuple(
            (thread.kind, thread.name, thread.hint, thread.function.__code__, thread.location)
            for thread in call.threads
        )
        buffers = tuple(buffer.key() for buffer in call.buffers)
        tensors = tuple((t.name, _ttjit.tensor_key(t.argument), t.mesh_shards) for t in call.tensors)
        compute = tuple(self.options.compute.items())
        macros = tuple((thread, tuple(each)) for thread, each in call.defines.items())
        mesh = _devices.key(call)
        general = (call.name, call.grid, compute, call.settings.key, macros, mesh)
        if call.asks_node:
            general = (*general, _nodes.facts(call))
        return (general, code, buffers, tensors)


def _check_no_method(function):
    first = function.__code__.co_varnames[: function.__code__.co_argcount][:1]
    owner = function.__qualname__.rpartition(".")[0]
    if first in (("self",), ("cls",)) and owner and not owner.endswith("<locals>"):
        raise TypeError(
            f"@ttl.operation() cannot decorate {function.__name__}(), a method of {owner}: an "
            f"operation is a function of tensors; drop '{first[0]}' and put @staticmethod above "
            "the decorator, or move the function out of the class"
        )


class Call(_capture.OperationCall):
    """One call of an operation."""

    def __init__(self, operation, grid, tensors, chosen, node=0):
        code = operation.function.__code__
        location = _location.start_of(code)
        name = operation.function.__name__
        super().__init__(name, code, location, grid, tensors, operation.options)
        self.function = operation.function
        self.node = node
        self.settings = chosen
        self.wants_ir = self.wants_locations = False
        self.diagnostics = ()
        self.initial_ir = None  # the compiler sets this if wants_ir

    @functools.cached_property
    def reads(self):
        """Returns the recorder of the values that the compiler's walk reads. It also captures
        tensors."""
        return _reads.Recorder(self)

    def release(self):
        """Drops the references of the call to itself, so that its tensors are freed with the last
        reference to them: the L1 of a device has room for few tensors."""
        for run in self.runs:
            run.__dict__.pop("reads", None)
            run.runs, run.groups, run.scalars = (), None, None

    def capture_tensor(self, value):
        """Adds a tensor that a kernel function uses but that is not an argument."""
        argument = _ttjit.tensor_argument(value, *self.options.placement)
        entry = _capture.Tensor(f"captured{len(self.tensors)}", value, argument)
        self.tensors.append(entry)
        return entry


def _note_exact_groups(facts, call):
    """Remembers that calls with these facts need separate code for nodes with different numbers;
    returns the exact facts of this call."""
    if len(_exact_groups) >= MAX_EXACT:
        _exact_groups.clear()
    _exact_groups.add(facts)
    return (facts, _nodes.exact_facts(call))


def _compile(compiler, call, show=None):
    """Calls `compiler`, a function of _ttjit such as compile_operation, and returns its result. If
    it reports errors and numbers differ between nodes, it is called again and makes separate code
    for nodes with different numbers. `show` is called with the IR of the call, which may be None,
    and the result, even after an error."""
    _unused.warn(call.function)
    result, diagnostics = _capture.walk(compiler, call)
    while call.scalars is not None and call.scalars.dropped(diagnostics):
        result, diagnostics = _capture.walk(compiler, call)
    _scalars.note(call, diagnostics)
    if call.asks_node and _report.has_errors(diagnostics):
        call.__dict__.pop("reads", None)
        if _nodes.split(call, exact=True):
            again = _capture.walk(compiler, call)
            if not _report.has_errors(again[1]):
                call.has_exact_groups = True
                result, diagnostics = again
    if show is not None:
        show(call.initial_ir, result)
    call.diagnostics = diagnostics
    _report.settle(diagnostics)
    _routes.check_connections(call)
    return result


def _tensors(arguments, options):
    """Returns one entry for each tensor object among the arguments, in order."""
    found = {}
    for name, value in arguments.items():
        if _ttjit.is_tensor(value) and id(value) not in found:
            argument = _tensor_argument(name, value, options)
            found[id(value)] = _capture.Tensor(name, value, argument)
            found[id(value)].mesh_shards = _mesh_grids.shards_of(value)
    return list(found.values())


def _tensor_argument(name, value, options):
    if getattr(value, "num_devices", 1) > 1 and value.device() is None:
        raise ValueError(f"argument '{name}': the parts of the tensor are on the host: put them on the mesh with "
                         "ttnn.to_device(tensor, mesh)")
    try:
        return _ttjit.tensor_argument(value, *options.placement)
    except ValueError as error:
        raise ValueError(f"argument '{name}': {error}") from None


@_ttjit.public
def operation(function=None, **keywords):
    """Decorates a function as an operation: `@ttl.operation(grid=(8, 8))`. Calling it compiles the
    kernel and runs it.

    grid= are the extents of the grid of nodes, "auto", or a function of the arguments;
    options="..." are options of the kernel. The function makes buffers and defines kernel
    functions, or is a unified body. Tensors are ttnn tensors, arrays of numpy or torch; other
    arguments are constants of the compilation.

    Raises a ttl.CompileError before the kernel runs, and a ttl.RuntimeFault while it runs.

    Example:

        @ttl.operation(grid=(1, 1))
        def doubled(x, y):
            x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y))
            ttl.copy(x[0, 0], x_dfb.reserve())
            y_dfb.reserve().store(x_dfb.wait() * 2)
            ttl.copy(y_dfb.wait(), y[0, 0])

        doubled(x, y)
    """
    if inspect.isfunction(function):
        return Operation(function, keywords)
    if function is not None:
        keywords = {"grid": function, **keywords}

    def decorate(function):
        return Operation(function, keywords)

    return _ttjit.public(decorate)


kernel = atom = operation
