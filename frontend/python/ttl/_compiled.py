# ===- _compiled.py - compiled kernels as objects -----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# operation.compile(...) returns a CompiledKernel, which can be launched, inspected and saved.
# operation.lower(...) returns a LoweredKernel, which has IR but no code. Both keep the frontend's IR as
# text. Every other text, such as the IR after a stage, is made from this IR on demand.
# ===--------------------------------------------------------------------------=== #

import inspect
import json

import _ttjit
from ttl import _bundle, _bundle_fields, _host, _launch, _partial, _report, _values
from ttl._ttnn import settings


class Parameter:
    """A parameter of a kernel. `key` describes the tensors that the parameter takes. If `key` is None,
    the only argument that it takes is `value`."""

    def __init__(self, name, key=None, value=None):
        self.name, self.key, self.value = name, key, value

    def __repr__(self):
        return f"{self.name}: {self.key}" if self.key else f"{self.name}={self.value!r}"

    def check(self, kernel, given, placement):
        """Returns the tensor of an argument; None if the parameter takes a value. Raises a
        TypeError if the kernel was not compiled for this argument."""
        if self.key is None:
            if _ttjit.is_tensor(given) or not _is_same(given, self.value):
                self._refuse(kernel, repr(self.value), repr(given))
            return None
        expected = f"a tensor {self.key}"
        if not _ttjit.is_tensor(given):
            self._refuse(kernel, expected, type(given).__name__)
        tensor = _ttjit.tensor_argument(given, *placement)
        if _ttjit.tensor_key(tensor) != self.key:
            self._refuse(kernel, expected, f"a tensor {_ttjit.tensor_key(tensor)}")
        return tensor

    def _refuse(self, kernel, expected, found):
        raise TypeError(f"kernel {kernel} was compiled for {self.name} = {expected}, found {found}: "
                        "call the operation itself, or compile it for these arguments")


def _is_same(given, value):
    if given is value:
        return True
    constant = _values.constant(value)
    return constant is not None and _values.constant(given) == constant


def _signature(parameters):
    """Returns the signature of a kernel. If the last parameters take one value only, this value is
    their default."""
    found, default = [], True
    for each in reversed(parameters):
        default = default and each.key is None
        value = each.value if default else inspect.Parameter.empty
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        found.insert(0, inspect.Parameter(each.name, kind, default=value))
    return inspect.Signature(found)


def parameters_of(bound, placement):
    """Returns the parameters of a call from its bound arguments."""
    found = []
    for name, value in bound.items():
        key = None
        if _ttjit.is_tensor(value):
            key = _ttjit.tensor_key(_ttjit.tensor_argument(value, *placement))
        found.append(Parameter(name, key, None if key else value))
    return found


class Texts:
    """A base class of LoweredKernel and CompiledKernel: the texts that show a kernel. `source` is the IR
    of the frontend."""

    def __init__(self, name, grid, chosen, source, program):
        self.name, self.grid = name, grid
        self._settings, self._source, self._program = chosen, source, program

    def ir(self, step=None):
        """Returns the IR after a stage or pass of the pipeline; "input" is the frontend's IR. Without a
        step it is the IR after the last stage: loops on the direct path to C++, else ttkernel."""
        return self._text(step) if step else self._text("ttkernel") or self._text("loops")

    @property
    def l1(self):
        """The map of L1: the address and the size of each buffer, as text."""
        return self._text("l1")

    @property
    def dst(self):
        """The values in each DST register, as text."""
        return self._text("dst-assignment")

    @property
    def config(self):
        """The compute configuration in force, as a dict: `math_fidelity`, `fp32_dest_acc_en`,
        `math_approx_mode`, `dst_full_sync_en`, and `numerics` and `arch`."""
        return json.loads(self._text("config"))

    @property
    def options(self):
        """The options for which the kernel was compiled, as a dict."""
        return dict(self._settings.changes)

    def _text(self, step):
        chosen = settings.of((*self._settings.changes, ("dump", step)))
        dumped, diagnostics = _ttjit.kernel_text(self._program, self._source, chosen)
        if _report.has_errors(diagnostics):
            _report.settle(diagnostics)
        return dumped.partition("\n")[2]  # the first line is the dump's title


@_ttjit.public_methods
class LoweredKernel(Texts):
    """A kernel after the pipeline, without code: operation.lower(...). `ir(stage)`, `l1` and `dst`
    show it.

    Raises a ValueError for a stage or pass that does not exist.

    Example:

        lowered = scale.lower(x, y, 2.0)
        print(lowered.l1)
    """

    def __repr__(self):
        return f"<lowered kernel {self.name}: grid {_grid_text(self.grid)}>"


@_ttjit.public_methods
class CompiledKernel(Texts):
    """A kernel that was compiled for certain arguments: operation.compile(...). Calling it launches
    it.

    It takes tensors of the same shapes, types and layouts. `ir(stage)`, `l1`, `dst`, `llvm`, `asm`
    and `cpp()` show it, `stats`, `timings`, `engines` and `buffers` tell about it, `save(path)`
    writes it. `program_descriptor(...)` takes the arguments of a launch; `ttnn.generic_op` runs what
    it returns.

    Raises a TypeError for other arguments, and a ttl.RuntimeFault for a fault of the launch.

    Example:

        kernel = scale.compile(x, y, 2.0)
        kernel(x, y)
        print(kernel.stats["launches"])
    """

    def __init__(self, name, grid, chosen, source, program, parameters, placement, captured=(),
                 numbers=(), diagnostics=()):
        super().__init__(name, grid, chosen, source, program)
        self.parameters = tuple(parameters)
        self.diagnostics = list(diagnostics)
        self._placement, self._captured, self._numbers = placement, captured, numbers
        self.__signature__ = _signature(self.parameters)

    def __call__(self, *args, **kwargs):
        args, kwargs, partial = _partial.unwrap(args, kwargs)
        given, tensors, seen, marked = self._bind(args, kwargs), [], set(), []
        for parameter in self.parameters:
            tensor = parameter.check(self.name, given[parameter.name], self._placement)
            if tensor is not None and id(given[parameter.name]) not in seen:
                seen.add(id(given[parameter.name]))
                tensors.append((parameter.name, tensor))
                if id(given[parameter.name]) in partial:
                    marked.append(tensor)
        with _partial.marked(marked):
            self._launch([*tensors, *self._captured])

    def _bind(self, args, kwargs):
        """Returns the arguments of a launch by name."""
        try:
            bound = self.__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"kernel {self.name}: {error}") from None
        bound.apply_defaults()
        return bound.arguments

    def _launch(self, tensors):
        expected = len(self._program.written)
        if len(tensors) != expected:
            raise TypeError(
                f"kernel {self.name} was compiled for {expected} different tensors, found "
                f"{len(tensors)}: compile it for calls that pass one tensor twice"
            )
        names = [name for name, _ in tensors]
        chosen = settings.of((*self._settings.changes, *_launch.run_options()))
        _launch.launch(self._program, [tensor for _, tensor in tensors], names, self._numbers, chosen)

    @property
    def engines(self):
        """The engine of each kernel thread: a dict of "jit", "interp" or "emitted" by the thread's name."""
        return self._program.report()["engines"]

    @property
    def processors(self):
        """The processor of each kernel thread: a dict of "noc0", "noc1" or "math", which names the
        whole compute engine, by the thread's name."""
        return self._program.report()["processors"]

    @property
    def notes(self):
        """What the frontend chose for the kernel, in lines of text; --stats shows them, too."""
        return list(self._program.report()["notes"])

    @property
    def timings(self):
        """The milliseconds of each step of the compilation, as a dict."""
        return self._program.report()["timings"]

    @property
    def stats(self):
        """The counts of all launches so far, with their number and times, as a dict."""
        report = self._program.report()
        times = {name: report[name] for name in ("launches", "first_ms", "best_ms", "total_ms")}
        return {**times, **report["stats"]}

    @property
    def buffers(self):
        """One dict for each circular buffer. Addresses and sizes are in bytes of L1."""
        return self._program.buffers()

    @property
    def llvm(self):
        """The LLVM IR of the threads."""
        return self._code("llvm")

    @property
    def asm(self):
        """The machine code of the threads, as assembly."""
        return self._code("asm")

    def _code(self, kind):
        text = self._text(kind)
        if not text:
            raise ValueError(f"kernel {self.name} has no {kind} text, because the interpreter runs "
                             'it: compile it with options="--engine=jit"')
        return text

    def cpp(self, thread=None):
        """Returns the Metalium C++ of a thread, or of all threads, one after the other."""
        files, diagnostics = self._program.cpp()
        if _report.has_errors(diagnostics):
            _report.settle(diagnostics)
        known = [name.removesuffix(".cpp").removeprefix(f"{self.name}_") for name, _ in files]
        if thread is None:
            return "\n".join(text for _, text in files)
        if thread not in known:
            raise ValueError(f"kernel {self.name} has no thread {thread!r}; its threads are "
                             f"{', '.join(known)}")
        return files[known.index(thread)][1]

    def program_descriptor(self, *args, **kwargs):
        """Returns the kernel as a ttnn.ProgramDescriptor of kernels in Metalium C++, which
        ttnn.generic_op() runs on these tensors. The tensors must be on the device, because the
        descriptor has their addresses."""
        from ttl import _program_descriptor  # slow to import

        given, tensors = self._bind(args, kwargs), {}
        for parameter in self.parameters:
            value = given[parameter.name]
            if parameter.check(self.name, value, self._placement) is not None:
                tensors.setdefault(id(value), (parameter.name, value))
        return _program_descriptor.make(self.name, self._program, [*tensors.values(), *self._captured])

    def save(self, path):
        """Writes the kernel to a file that ttl.load() reads. The file does not need the kernel's
        Python source."""
        self._check_saving()
        of_host = _ttjit.host_options()
        mode = _numerics_of(self._settings)
        numerics = [] if mode == "host" else [["numerics", mode]]
        _bundle.write(path, {
            "name": self.name,
            "grid": list(self.grid),
            "options": [*([name, value] for name, value in self._settings.changes
                          if name not in (*of_host, "numerics")), *numerics],
            "parameters": [[each.name, each.key, each.value] for each in self.parameters],
            "placement": list(self._placement),
            "numbers": self._numbers,
            "written": self._program.written,
            "ir": self._source,
        })

    def _check_saving(self):
        """Raises a ValueError if the kernel depends on objects of this process."""
        reason = None
        if self._captured:
            names = ", ".join(name for name, _ in self._captured)
            reason = f"it uses tensors that are not its arguments ({names}); pass them as arguments"
        for name, value in self._settings.changes:
            if name not in _ttjit.host_options() and _bundle_fields.names_a_path(name, value):
                reason = f"its option --{name} names a file, {value}, which would not be saved"
        for each in self.parameters:
            if not isinstance(each.value, (int, float, str, bool, type(None))):
                kind = type(each.value).__name__
                reason = (f"its argument {each.name} is of type {kind}; only tensors, numbers and "
                          "strings can be saved")
        if reason:
            raise ValueError(f"kernel {self.name} cannot be saved: {reason}")

    def __repr__(self):
        engines = "+".join(sorted(set(self.engines.values())))
        shown = ", ".join(map(repr, self.parameters))
        return f"<kernel {self.name}({shown}): grid {_grid_text(self.grid)}, {engines}>"

    def _repr_html_(self):
        from ttl import _html  # slow to import

        return _html.page(self)


def _numerics_of(chosen):
    """Returns the numeric mode of these settings."""
    return dict(chosen.changes).get("numerics", _ttjit.process_numerics())


def _check_numerics(path, options):
    """Raises a ValueError if a kernel was saved for another numeric mode than that in force."""
    saved, current = dict(options).get("numerics", "host"), _numerics_of(settings.current())
    if saved != current:
        raise ValueError(f"{path} was saved for --numerics={saved}, and --numerics={current} is in force: load it "
                         f"under ttl.options(numerics={saved!r}), or compile and save the kernel in this mode")


def _grid_text(grid):
    return "x".join(map(str, grid))


@_ttjit.public
def load(path, *, host_functions=None, trust=False):
    """Returns the kernel that CompiledKernel.save() wrote to a file.

    host_functions are the functions of the host that the kernel may call, {name: callable or
    ttl.host_function}; a call of another one is a fault. With trust=True the file may call
    functions of any library.

    Raises a ValueError for a damaged file and for a kernel of the other numeric mode (--numerics), and
    an OSError for a file that cannot be read.

    Example:

        scale.compile(x, y, 2.0).save("scale.ttl")
        ttl.load("scale.ttl")(x, y)
    """
    saved = _bundle_fields.check(path, _bundle.read(path))
    _check_numerics(path, saved["options"])
    with _bundle_fields.field(path, "options"):
        chosen = settings.current(*saved["options"])
    with _bundle_fields.field(path, "ir"):
        program, diagnostics, name, grid = compile_with(
            path, saved["ir"], saved["written"], chosen, host_functions, trust, is_saved=True)
    _report.settle(diagnostics)
    for field, value, expected in (("name", saved["name"], name), ("grid", saved["grid"], tuple(grid))):
        if value != expected:
            raise _bundle.Damaged(f"{path} is damaged: the field '{field}' is {value!r}, but that of "
                                  f"its IR is {expected!r}")
    return CompiledKernel(
        name, saved["grid"], chosen, saved["ir"], program,
        [Parameter(*each) for each in saved["parameters"]], saved["placement"],
        numbers=saved["numbers"], diagnostics=_report.diagnostics(diagnostics),
    )


def _host_functions(given):
    """Returns {name: HostFunction} for the argument of load()."""
    found = {}
    if given is not None and not isinstance(given, dict):
        raise TypeError("host_functions= must be a dict of functions by name, found "
                        f"{type(given).__name__}")
    for name, function in (given or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"a name in host_functions= must be a string, found {name!r}")
        is_declared = isinstance(function, _host.HostFunction)
        found[name] = function if is_declared else _host.host_function(function)
    return found


def compile_with(path, ir, written, chosen, host_functions, trust, is_saved):
    """Compiles the IR of a file; returns (program, diagnostics, name, grid)."""
    functions = _host_functions(host_functions)
    try:
        compiled = _ttjit.compile_text(ir, written, chosen, functions, bool(trust), is_saved)
    except KeyError as error:
        raise TypeError(f"host_functions=: the kernel of {path} does not call the function "
                        f"{error}") from None
    if compiled[0] is not None:
        compiled[0].finish()
    return compiled


for _class in (CompiledKernel, LoweredKernel):
    _class.__module__ = "ttl"
