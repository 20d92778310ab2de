# ===- _kernel.py - @d2m.kernel -----------------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A call translates the kernel to an operation of ttl (_translate.py) and runs it. Calls with the same
# grid, integers, and layouts of tensors share one translation.
# ===--------------------------------------------------------------------------=== #

import ast
import contextlib
import functools
import inspect
import os
import types

import ttl
from ttl import _grid, _operation, _source
from ttl._api import TABLE
from ttl._pykernel_tree import parsed
from ttl._ttnn import settings
from ttl._ttnn import types as ttnn_types

from d2m_jit import _printing
from d2m_jit._errors import D2mJitError, Place, Source
from d2m_jit._layout import bfloat16, float16, float32, uint32
from d2m_jit._tensors import LazyTensor
from d2m_jit._translate import Translator

_TYPES = {float32: "float32", bfloat16: "bfloat16", uint32: "uint32"}


def _checking_races():
    """Returns a context with the check for races, unless an option already names checks. Without it, two
    nodes that store to one block in no fixed order would give a result that depends on the host."""
    names_checks = "check" in dict(settings.block.get()) or os.environ.get("TTL_CHECK")
    return contextlib.nullcontext() if names_checks else ttl.options(check="race")


class Kernel:
    """A kernel. Call it with its tensors, then its integers, and grid=(rows, columns). The last num_outs
    tensors are the outputs."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        _source.remember(function)
        self.function = function
        self.made = {}  # what a translation depends on -> the operation

    @functools.cached_property
    def tree(self):
        return _source.require_node(self.function, "kernel")

    @functools.cached_property
    def source(self):
        return Source(*self.tree)

    def __call__(self, *args, grid, num_outs=1, block_factors=None, indexing_maps=None,
                 iterator_types=None, kernel_io_in_dram=None):
        if any(each is not None for each in (block_factors, indexing_maps, iterator_types)):
            self._fail(NotImplementedError, "block_factors=, indexing_maps= and iterator_types= are not supported",
                       "write the loops in the kernel, with core_index() and range()")
        tensors = self._check(args, num_outs)
        numbers = args[len(tensors) :]
        operation = self._operation(tensors, numbers, self._grid(grid))
        arguments = (*(tensor.data for tensor in tensors), *numbers)
        try:
            with _checking_races():
                operation(*arguments)
            _printing.note(operation, arguments)
        except ttl.CompileError as error:
            place = Place(self.source, error.line, max(error.column - 1, 0))
            raise D2mJitError(error.message, place, error) from error

    # Arguments

    def _fail(self, kind, message, hint=None):
        cause = kind(message)
        raise D2mJitError(message, self.source.place(self.tree[1]), cause, hint) from cause

    def _grid(self, grid):
        extents = tuple(grid)
        if len(extents) != 2 or not all(isinstance(extent, int) and extent > 0 for extent in extents):
            self._fail(ValueError, f"grid must be (rows, columns), found {grid!r}")
        return extents

    def _check(self, args, num_outs):
        """Checks the arguments of a call. Returns the tensors among them."""
        name = self.function.__name__
        names = list(inspect.signature(self.function).parameters)
        if len(args) != len(names):
            self._fail(TypeError, f"kernel {name}() takes {len(names)} arguments ({', '.join(names)}), found "
                                  f"{len(args)}")
        count = 0
        for number, value in enumerate(args):
            if isinstance(value, LazyTensor):
                if number > count:
                    self._fail(TypeError, f"argument {number} of {name}() is a tensor behind an integer: tensors must "
                                          "precede scalars")
                value.check()
                count += 1
            elif isinstance(value, bool) or not isinstance(value, int):
                self._fail(TypeError, f"argument {number} of {name}() must be a tensor on the device or an integer, "
                                      f"found {type(value).__name__}", "bring it there: to_layout(x, layout)")
        if num_outs < 1 or num_outs > count:
            self._fail(ValueError, f"num_outs must be from 1 to the number of tensors, {count}, found {num_outs}")
        self._check_tensors(args[:count], num_outs)
        return args[:count]

    def _check_tensors(self, tensors, num_outs):
        for number, tensor in enumerate(tensors):
            layout = tensor.layout
            if len(layout.logical_shape) != 2 or not layout.tiled or layout.dtype is float16:
                self._fail(ValueError, f"tensor {number} of {self.function.__name__}() must have two dimensions, tiles "
                                       f"and elements other than f16, found {layout.logical_shape} of {layout.dtype}, "
                                       f"tiled={layout.tiled}", "to_layout() returns it with another layout")
            if tensor.is_view and number >= len(tensors) - num_outs:
                self._fail(ValueError, f"output {number} of {self.function.__name__}() is a view",
                           "store into a tensor that empty() returned")

    # Translating

    def _operation(self, tensors, numbers, grid):
        values = self._values()
        known = tuple((name, value) for name, value in values.items() if isinstance(value, (int, str)))
        aliases = tuple(next(n for n, other in enumerate(tensors) if other is each) for each in tensors)
        facts = (grid, numbers, known, aliases, tuple(tensor.layout.key() for tensor in tensors))
        if facts not in self.made:
            self.made[facts] = self._translated(tensors, numbers, grid, values)
        return self.made[facts]

    def _values(self):
        """Returns {name: value} of the global and enclosing variables that the kernel uses."""
        names = self.function.__code__.co_names
        found = {name: self.function.__globals__[name] for name in names if name in self.function.__globals__}
        for name, cell in zip(self.function.__code__.co_freevars, self.function.__closure__ or ()):
            try:
                found[name] = cell.cell_contents
            except ValueError:
                pass  # the variable is not assigned yet
        return found

    def _translated(self, tensors, numbers, grid, values):
        node = self.tree[1]
        names = list(inspect.signature(self.function).parameters)
        layouts = dict(zip(names, (tensor.layout for tensor in tensors)))
        translator = Translator(self.source, values, layouts, dict(zip(names[len(tensors) :], numbers)))
        body = translator.body(node.body)
        self._check_order(translator, dict(zip(names, tensors)))
        makes = [parsed(f"{buffer} = __buffer({name}, shape={tuple(layouts[name].block_shape)}, block_count=2)", node)
                 for buffer, name in translator.moves]
        makes += [parsed(f"{name} = __semaphore(initial={initial})", node)
                  for name, initial in translator.semaphores.made.items()]
        function = self._function(makes + body or [ast.Pass()], names, translator.calls.used)
        return _operation.operation(grid=tuple(reversed(grid)))(function)

    def _check_order(self, translator, tensors):
        """Fails if one tensor is loaded under one name and stored under another."""
        for stored in translator.stored:
            for loaded in translator.loaded:
                if tensors[stored] is tensors[loaded]:
                    self._fail(ValueError, f"'{loaded}' and '{stored}' are one tensor, which the kernel loads and "
                                           "stores: the order of both is not fixed", "store into another tensor")

    def _function(self, body, names, used):
        """Makes the function that becomes the operation. Its global variables are those of _scope()."""
        file, node = self.tree
        arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
        made = ast.copy_location(ast.FunctionDef(node.name, arguments, body, [], None), node)
        tree = ast.fix_missing_locations(ast.Module([made], []))
        code = compile(tree, file.name, "exec", dont_inherit=True)
        inner = next(each for each in code.co_consts if isinstance(each, types.CodeType))
        function = types.FunctionType(inner, _scope(used), node.name)
        _source.note_node(function, file, made)
        return function


def _scope(used):
    scope = {f"__{name}": TABLE[name] for name in used if name in TABLE}
    dtypes = {f"__dtype_{kind.value}": getattr(ttnn_types, name) for kind, name in _TYPES.items()}
    own = {"__copy": TABLE["copy"], "__buffer": ttl.make_dataflow_buffer_like, "__node": _grid.node,
           "__range": range, "__semaphore": ttl.Semaphore, "__name__": "d2m_jit"}
    return {**scope, **dtypes, **own}


def kernel(function):
    """Decorates a function: makes a kernel of it."""
    if not inspect.isfunction(function):
        raise TypeError(f"@d2m.kernel decorates a function, found {type(function).__name__}")
    return Kernel(function)
