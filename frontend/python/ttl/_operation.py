# ===- _operation.py - operations: compile once, run many times ----------------===//
# SPDX-License-Identifier: Apache-2.0
#
# Calling an operation runs its body in Python, compiles the kernel functions
# that the body defines unless an equal call was compiled before, places the
# tensors and launches.
# ===----------------------------------------------------------------------------===//

import collections
import functools
import inspect
import operator
import types

import _ttjit
from ttl import _capture, _errors, _key, _report

COMPUTE_OPTIONS = ("fp32_dest_acc_en", "dst_full_sync_en", "math_approx_mode", "math_fidelity")
OTHER_OPTIONS = (
    "grid memory_space tiled ttnn_interop num_outs indexing_maps iterator_types options"
).split()
MATH_FIDELITIES = ("LoFi", "HiFi2", "HiFi3", "HiFi4")
CACHE_LIMIT = 1024
MAX_NODES = 1 << 20  # of an emulated grid

CacheInfo = collections.namedtuple("CacheInfo", "hits misses size")


class _Cache:
    """Compiled programs by key, the least recently used forgotten first."""

    def __init__(self):
        self.entries = collections.OrderedDict()
        self.hits = self.misses = 0

    def find(self, key):
        entry = self.entries.get(key)
        if entry is None:
            self.misses += 1
            return None
        self.hits += 1
        self.entries.move_to_end(key)
        return entry[0]

    def keep(self, key, program, objects):
        self.entries[key] = (program, objects)
        if len(self.entries) > CACHE_LIMIT:
            self.entries.popitem(last=False)


_cache = _Cache()


def cache_info():
    """How many calls were answered from the launch cache."""
    return CacheInfo(_cache.hits, _cache.misses, len(_cache.entries))


class Options:
    """Keywords of the decorator: compile options, placement, constants of the body."""

    def __init__(self, keywords):
        self.grid = keywords.get("grid", "auto")
        self.compute = {name: keywords.get(name) for name in COMPUTE_OPTIONS}
        self.memory_space = keywords.get("memory_space", "DRAM")
        self.tiled = bool(keywords.get("tiled", True))
        self.text = str(keywords.get("options", ""))
        self.constants = {}
        if self.memory_space not in ("L1", "DRAM"):
            raise ValueError(f'memory_space is "L1" or "DRAM", found {self.memory_space!r}')
        self._check_fidelity()
        for name, value in keywords.items():
            if name not in (*COMPUTE_OPTIONS, *OTHER_OPTIONS):
                self._constant(name, value)

    def _check_fidelity(self):
        fidelity = self.compute["math_fidelity"]
        if fidelity is None:
            return
        name = getattr(fidelity, "name", fidelity)
        if name not in MATH_FIDELITIES:
            known = ", ".join(MATH_FIDELITIES)
            raise ValueError(f"math_fidelity is one of {known}, found {name!r}")
        self.compute["math_fidelity"] = name

    def _constant(self, name, value):
        if not isinstance(value, (int, float, str)):
            raise TypeError(
                f"unknown option {name}= with a value of type {type(value).__name__}: only numbers "
                "and strings become constants of the body"
            )
        self.constants[name] = value

    @property
    def placement(self):
        """How tensors that are not on the device are placed there."""
        return self.tiled, self.memory_space


class Operation:
    """A decorated operation; calling it compiles (cached) and runs it."""

    def __init__(self, function, keywords):
        functools.update_wrapper(self, function)
        self.function = function
        self.signature = inspect.signature(function)
        self.options = Options(keywords)

    def __call__(self, *args, options=None, **kwargs):
        if _capture.current():
            _capture.fail(
                f"operation {self.function.__name__}() is called inside another operation's body, "
                "which is not supported yet: call it after that operation",
                depth=1,
            )
        call = self._run_body(args, kwargs)
        key, objects = self._key(call, options)
        program = _cache.find(key)
        if program is None:
            program, diagnostics = _ttjit.compile_operation(call)
            _report.settle(diagnostics)
            _cache.keep(key, program, objects)
        arguments = [tensor.argument for tensor in call.tensors]
        names = [tensor.name for tensor in call.tensors]
        try:
            record = _ttjit.launch(program, arguments, names)
        except KeyboardInterrupt as interrupt:
            _report.explain(interrupt)
            raise
        if record is not None:
            raise _report.fault(record)

    def ir(self, *args, **kwargs):
        """The `ttl` IR of a call with these arguments, as text; nothing runs."""
        call = self._run_body(args, kwargs)
        self._key(call, None)
        text, diagnostics = _ttjit.frontend_ir(call)
        _report.settle(diagnostics)
        return text

    def _run_body(self, args, kwargs):
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        tensors = _tensors(bound.arguments, self.options)
        grid = _grid(self.options.grid, args, kwargs)
        call = Call(self, grid, tensors)
        result = _capture.run(call, lambda: self._body()(*bound.args, **bound.kwargs))
        _check_threads(call, result)
        return call

    def _body(self):
        if not self.options.constants:
            return self.function
        f = self.function
        scope = {**f.__globals__, **self.options.constants}
        body = types.FunctionType(f.__code__, scope, f.__name__, f.__defaults__, f.__closure__)
        body.__kwdefaults__ = f.__kwdefaults__
        return body

    def _key(self, call, options):
        builder = _key.KeyBuilder(call)
        threads = tuple(
            (thread.kind, thread.name, builder.function(thread.function))
            for thread in call.threads
        )
        buffers = tuple(buffer.key() for buffer in call.buffers)
        tensors = tuple((t.name, _ttjit.tensor_key(t.argument)) for t in call.tensors)
        settings = (
            call.name,
            call.grid,
            tuple(self.options.compute.items()),
            self.options.text,
            options or "",
            _ttjit.options_key(),
        )
        return (settings, threads, buffers, tensors), builder.kept


class Call(_capture.OperationCall):
    """One call of an operation."""

    def __init__(self, operation, grid, tensors):
        code = operation.function.__code__
        location = _report.Location(code.co_filename, code.co_firstlineno, 1, 0, 0)
        name = operation.function.__name__
        super().__init__(name, code, location, grid, tensors, operation.options)

    def capture_tensor(self, value):
        """Adds a tensor that a kernel function uses although it is no argument."""
        argument = _ttjit.tensor_argument(value, *self.options.placement)
        entry = _capture.Tensor(f"captured{len(self.tensors)}", value, argument)
        self.tensors.append(entry)
        return entry


def _tensors(arguments, options):
    """One entry per tensor object among the arguments, in order."""
    found = {}
    for name, value in arguments.items():
        if _ttjit.is_tensor(value) and id(value) not in found:
            argument = _ttjit.tensor_argument(value, *options.placement)
            found[id(value)] = _capture.Tensor(name, value, argument)
    return list(found.values())


def _grid(grid, args, kwargs):
    """A grid in any of its forms as a tuple of extents."""
    if callable(grid):
        grid = grid(*args, **kwargs)
    if grid is None or (isinstance(grid, str) and grid in ("auto", "full")):
        return tuple(_ttjit.auto_grid())
    try:
        extents = tuple(operator.index(extent) for extent in grid)
    except TypeError:
        extents = ()
    fit = all(1 <= extent <= MAX_NODES for extent in extents)
    if not extents or isinstance(grid, str) or not fit:
        raise ValueError(
            'grid is "auto", "full", a function of the arguments, or a tuple of integers from 1 '
            f"to {MAX_NODES}, found {grid!r}"
        )
    return extents


def _check_threads(call, result):
    if result is not None and type(result).__name__ != "Program":
        raise _errors.CompileError(
            f"operation {call.name}() returns {type(result).__name__}: an operation returns "
            "nothing and writes its results into tensors",
            call.location,
        )
    if not call.threads:
        raise _errors.CompileError(
            f"operation {call.name}() defines no kernel functions: decorate them with "
            "@ttl.compute() and @ttl.datamovement() (unified bodies are not supported yet)",
            call.location,
        )
    _check_count(call, "compute", 1, "one compute kernel")
    _check_count(call, "datamovement", 2, "two data movement kernels")


def _check_count(call, kind, limit, text):
    threads = [thread for thread in call.threads if thread.kind == kind]
    if len(threads) > limit:
        names = ", ".join(thread.name for thread in threads)
        raise _errors.CompileError(
            f"operation {call.name}() has {len(threads)} @ttl.{kind}() functions ({names}): a "
            f"node has at most {text}",
            threads[limit].location,
        )


def operation(function=None, **keywords):
    """Decorator of operations: `@ttl.operation(grid=(8, 8))`."""
    if inspect.isfunction(function):
        return Operation(function, keywords)
    if function is not None:
        keywords = {"grid": function, **keywords}
    return lambda inner: Operation(inner, keywords)


kernel = operation
atom = operation
