# ===- _mlir.py - kernels that are written in MLIR ----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# ttl.compile_mlir() compiles a ttl.kernel or ttl.program, from text or a file, to an object like that
# of operation.compile(). ttl.execute() launches it.
# ===--------------------------------------------------------------------------=== #

import os

import _ttjit
from ttl import _options, _report
from ttl._compiled import CompiledKernel, Parameter, compile_with
from ttl._ttnn import settings

# How arrays that are not on the device may be placed: (whether in tile layout, the memory).
_PLACEMENTS = ((True, "DRAM"), (False, "DRAM"), (True, "L1"), (False, "L1"))


class _MlirParameter(Parameter):
    """A parameter of a kernel in MLIR; `key` is the type in the text."""

    def __init__(self, found, index):
        super().__init__(found.names[index], found.type(index))
        self._found, self._index = found, index

    def check(self, kernel, given, placement):
        if not _ttjit.is_tensor(given):
            raise TypeError(f"kernel {kernel} takes a tensor {self.key} as {self.name}, found "
                            f"{type(given).__name__}")
        for each in _PLACEMENTS:
            try:
                tensor = _ttjit.tensor_argument(given, *each)
            except ValueError:  # this type cannot have this layout
                continue
            if self._found.accepts(self._index, tensor):
                return tensor
        tensor = _ttjit.tensor_argument(given, *_PLACEMENTS[0])
        raise TypeError(f"kernel {kernel} takes a tensor {self.key} as {self.name}, found "
                        f"{_ttjit.tensor_key(tensor)}: the shape, the type and the layout must be "
                        "those of the kernel's argument")


@_ttjit.public_methods
class MlirKernel(CompiledKernel):
    """A kernel that was compiled from MLIR, by ttl.compile_mlir(). Calling it with its tensors
    launches it.

    Raises a TypeError for tensors of other shapes, types or layouts, and what ttl.CompiledKernel
    raises.

    Example:

        kernel = ttl.compile_mlir(scale.compile(x, y, 2.0).ir("ttl"))
        assert isinstance(kernel, ttl.MlirKernel)
    """

    def save(self, path):
        """Raises a ValueError: keep the MLIR text instead and compile it again."""
        raise ValueError(f"kernel {self.name} was compiled from MLIR and cannot be saved: keep the "
                         "text, and compile it with ttl.compile_mlir()")

    def _launch(self, tensors):
        if len(tensors) != len(self.parameters):
            raise TypeError(f"kernel {self.name} takes {len(self.parameters)} different tensors, found "
                            f"{len(tensors)}: give each argument a tensor of its own")
        super()._launch(tensors)


MlirKernel.__module__ = "ttl"


def read(source, function):
    """Returns the text of a module, and the name of its file for messages. `function` is the name of the
    caller's function of ttl, for messages."""
    if isinstance(source, os.PathLike):
        is_file = True
    elif isinstance(source, str):
        is_file = "\n" not in source and source.endswith(".mlir")
    else:
        raise TypeError(f"{function}() takes the text of a module, or the path of a .mlir file, found "
                        f"{type(source).__name__}")
    if not is_file:
        _check_text(source, function)
        return source, "<mlir>"
    with open(source, "rb") as file:
        data = file.read()
    try:
        return data.decode(), os.fspath(source)
    except UnicodeDecodeError as error:
        raise ValueError(f"{os.fspath(source)} is not text in UTF-8: {error}") from None


def _check_text(source, function):
    try:
        source.encode()
    except UnicodeEncodeError as error:
        line = source.count("\n", 0, error.start) + 1
        raise ValueError(f"line {line} of the text of {function}() has a character that UTF-8 cannot express: "
                         f"{source[error.start]!r}") from None


def _choose(kernels, name, file):
    """Returns the kernel of this name; without a name, the only kernel."""
    names = ", ".join(each.name for each in kernels)
    if not kernels:
        raise ValueError(f"{file} has no kernel: a kernel is a ttl.kernel or a ttl.program")
    if name is None and len(kernels) > 1:
        raise ValueError(f"{file} has several kernels ({names}): choose one with kernel=")
    found = [each for each in kernels if name in (None, each.name)]
    if not found:
        raise ValueError(f"{file} has no kernel {name!r}; it has {names}")
    return found[0]


def kernel_of(found, chosen, program, diagnostics):
    """Returns the object of a compiled kernel."""
    parameters = [_MlirParameter(found, index) for index in range(len(found.names))]
    return MlirKernel(found.name, tuple(found.grid), chosen, found.ir, program, parameters,
                      _PLACEMENTS[0], diagnostics=_report.diagnostics(diagnostics))


@_ttjit.public
def compile_mlir(source, *, kernel=None, options=None, host_functions=None, trust=False):
    """Compiles a kernel of a module in MLIR, to a ttl.MlirKernel.

    source is the text of the module or the path of a .mlir file, kernel the name of a ttl.kernel or
    ttl.program; it may be left out if there is only one. The module calls the functions of the host
    that host_functions has by name; a call of another one is a fault, unless trust=True lets it
    call functions of any library.

    Raises a ttl.CompileError for errors of the module, a ValueError if it has no such kernel.

    Example:

        kernel = ttl.compile_mlir(scale.compile(x, y, 2.0).ir("ttl"))
        kernel(x, y)
    """
    text, file = read(source, "compile_mlir")
    kernels, diagnostics = _ttjit.mlir_kernels(text, file)
    _report.settle(diagnostics)
    found = _choose(kernels, kernel, file)
    chosen = settings.current(*_options.parse(options))
    program, diagnostics, *_ = compile_with(file, found.ir, found.written, chosen, host_functions,
                                            trust, is_saved=False)
    _report.settle(diagnostics)
    return kernel_of(found, chosen, program, diagnostics)


@_ttjit.public
def execute(kernel, tensors):
    """Launches a compiled kernel, or compiles and launches the text or file of a module in MLIR.

    tensors are in the order of the kernel's arguments.

    Raises a TypeError for tensors that the kernel does not take, and the errors of the launch.

    Example:

        ttl.execute(scale.compile(x, y, 2.0).ir("ttl"), [x, y])
    """
    if not isinstance(kernel, CompiledKernel):
        kernel = compile_mlir(kernel)
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(f"execute() takes a list of tensors, found {type(tensors).__name__}")
    kernel(*tensors)
