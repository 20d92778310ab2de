# ===- _models.py - modules of tensor functions as Python objects -------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# ttl.load_mlir() makes kernels of a module of tt-mlir's TTIR or ttnn, or of TOSA. A function of the module then is a
# callable object (_model_calls.py, and _mesh_models.py for several chips).
# ===--------------------------------------------------------------------------=== #

import _ttjit
import _ttl_load
from ttl import _mlir, _options, _report
from ttl._compiled import compile_with
from ttl._mesh_models import MeshFunction
from ttl._model_calls import ModelFunction
from ttl._ttnn import settings

# ===--------------------------------------------------------------------------=== #
# Modules


@_ttjit.public_methods
class Model:
    """A module that ttl.load_mlir() has read: each of its functions is an attribute, a
    ttl.ModelFunction.

    Raises an AttributeError for a name that no function has.

    Example:

        text = '''func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
          %0 = "ttir.exp"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
          return %0 : tensor<4x8xf32>
        }'''
        model = ttl.load_mlir(text)
        print(model.main.arguments, model.ir())
    """

    def __init__(self, functions, text):
        self.functions, self._text = functions, text

    def ir(self):
        """Returns the module after the passes that made kernels of it, as text."""
        return self._text

    def __getattr__(self, name):
        found = self.__dict__.get("functions", {}).get(name)
        if found is None:
            known = ", ".join(self.__dict__.get("functions", {})) or "none"
            raise AttributeError(f"the module has no function '{name}'; its functions: {known}")
        return found

    def __dir__(self):
        return sorted({*super().__dir__(), *self.functions})

    def __repr__(self):
        return f"<model with the functions {', '.join(self.functions)}>"


ModelFunction.__module__ = Model.__module__ = "ttl"


def _compiled(text, file, chosen, records):
    """Compiles the kernels of a text that the functions launch; returns them by name."""
    found, diagnostics = _ttjit.mlir_kernels(text, file)
    _report.settle(diagnostics)
    needed = {name for each in records for name, is_kernel, *_ in each["steps"] if is_kernel}
    kernels = {}
    for each in found:
        if each.name not in needed:
            continue
        program, diagnostics, *_ = compile_with(file, each.ir, each.written, chosen, None, False,
                                                is_saved=False)
        _report.settle(diagnostics)
        kernels[each.name] = _mlir.kernel_of(each, chosen, program, diagnostics)
    return kernels


def _grid_of(grid):
    if grid is None:
        return 8, 8
    columns, rows = grid
    if not all(isinstance(each, int) and 1 <= each <= 4096 for each in (columns, rows)):
        raise ValueError(f"grid must be (columns, rows), each from 1 to 4096, found {grid!r}")
    return columns, rows


@_ttjit.public
def load_mlir(source, *, grid=None, options=None):
    """Makes kernels of a module of tt-mlir's TTIR, D2M or ttnn, or of TOSA, and returns a ttl.Model.

    source is the text of the module or the path of a .mlir file. grid is the most (columns, rows) of
    cores that a kernel uses. Ops that no kernel computes run as functions of numpy; report() of a
    function names them.

    Raises a ttl.CompileError for errors of the module, such as an op that is not supported.

    Example:

        text = '''func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
          %0 = "ttir.exp"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
          return %0 : tensor<4x8xf32>
        }'''
        y = ttl.load_mlir(text).main(np.zeros((4, 8), np.float32))
    """
    return load(source, grid, options)


def load(source, grid, options=None, choose=None):
    """Does what load_mlir() does. choose() gets the names of the functions and returns those that are needed;
    others are not compiled."""
    text, file = _mlir.read(source, "load_mlir")
    columns, rows = _grid_of(grid)
    extension = _ttl_load.load_on_demand("_ttjit_models", "ttjit-modules")
    kernels, functions, lowered, diagnostics = extension.lower_model(text, file, rows, columns)
    _report.settle(diagnostics)
    if not functions:
        raise ValueError(f"{file} has no function with a body: a module needs a func.func of ops of ttir, ttnn or "
                         "tosa")
    if choose is not None:
        names = choose([each["name"] for each in functions])
        functions = [each for each in functions if each["name"] in names]
    chosen = settings.current(*_options.parse(options))
    compiled = _compiled(kernels, file, chosen, functions)
    device = _ttjit.device_of(chosen)
    return Model({each["name"]: _function_of(each, compiled, device) for each in functions}, lowered)


def _function_of(record, compiled, device):
    if record["mesh"] is None:
        return ModelFunction(record, compiled, device)
    return MeshFunction(record, compiled, device)
