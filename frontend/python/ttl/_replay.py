# ===- _replay.py - launches that need not run the body again -----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Running an operation's body and comparing the values that its kernels read takes ten times as long
# as a small launch. Both are left out if they must have the same result as in an earlier call. This is
# true for a call with tensors of equal specifications and with equal numbers, if
#
# * the body consists of assignments, kernel functions and calls that make buffers, and the
#   program's functions that it calls do too,
#
# * the options of the code around the call are those of the earlier call, and
#
# * the body and its kernel functions mention no variables from outside other than numbers, strings,
#   parts of libraries, and functions of which the same is true, and these are the same objects as
#   before.
#
# Every other call takes the long way (_operation.py).
# ===--------------------------------------------------------------------------=== #

import ast
import builtins
import inspect
import math
import sys
import types

import _ttjit
from ttl import _api, _buffers, _capture, _effects, _environment, _grid, _source, _threads, _values
from ttl._ttnn import settings

LIMIT = 64  # the most calls of an operation that are kept for replays
MAX_REFUSALS = 16  # after this many calls that cannot be repeated, the operation is not checked again
_MISSING = object()
_UNKNOWN = (None, (), ())
_STEPS = ("thread", "cell", "global", "attribute", "item", "absent")

# The functions that a body may call: they depend on their arguments and the grid only.
_MAKERS = (_buffers.make_dataflow_buffer_like, _buffers.make_dfb, _buffers.make_dfb_allocation_group)
_DECORATORS = (_threads.compute, _threads.datamovement)
_PLACES = ("processor", "hint")  # the decorators' keywords that bind a function to a processor
_NUMERIC = (*(getattr(builtins, name) for name in "abs bool divmod int len max min range".split()),
            math.ceil, math.floor, math.gcd, math.prod, math.sqrt)

_EXPRESSIONS = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp,
                ast.Compare, ast.BoolOp, ast.IfExp, ast.Tuple, ast.List, ast.Slice, ast.Call, ast.keyword,
                ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context)


# ===--------------------------------------------------------------------------=== #
# Bodies that do the same at each call


class _Body:
    """Checks the statements of a body, or of a function that it calls. `tensors` are the names of
    its parameters that are tensors. `checked` are the functions that are being checked: pairs of
    code and tensors."""

    def __init__(self, function, tensors, checked=None):
        self.function = function
        self.tensors = tensors
        self.checked = set() if checked is None else checked

    def repeats(self):
        _, node = _source.function_node(self.function)
        return isinstance(node, ast.FunctionDef) and all(map(self._statement, node.body))

    def _statement(self, node):
        if isinstance(node, ast.FunctionDef):
            return self._definition(node)
        if isinstance(node, ast.Assign):
            targets = all(self._is_target(target) for target in node.targets)
            return targets and self._is_value(node.value)
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Return):
            return node.value is None or self._is_value(node.value)
        return isinstance(node, ast.Pass)

    def _definition(self, node):
        defaults = node.args.defaults or [d for d in node.args.kw_defaults if d is not None]
        decorators = all(self._is_decorator(each) for each in node.decorator_list)
        return decorators and not defaults and node.name not in self.tensors

    def _is_decorator(self, node):
        if not isinstance(node, ast.Call) or node.args:
            return False
        if any(each.arg not in _PLACES or not self._is_value(each.value) for each in node.keywords):
            return False
        return any(self._object(node.func) is known for known in _DECORATORS)

    def _is_target(self, node):
        if isinstance(node, ast.Tuple):
            return all(self._is_target(part) for part in node.elts)
        return isinstance(node, ast.Name) and node.id not in self.tensors

    def _is_value(self, node):
        """Returns whether evaluating the expression changes nothing and reads no elements of
        tensors."""
        if not isinstance(node, _EXPRESSIONS):
            return False
        if isinstance(node, ast.Name):
            return node.id not in self.tensors
        if isinstance(node, ast.Attribute) and self._is_tensor(node.value):
            return node.attr == "shape"  # tensors with equal keys may differ in other attributes
        if isinstance(node, ast.Call):
            return self._is_call(node)
        return all(self._is_value(child) for child in ast.iter_child_nodes(node))

    def _is_call(self, node):
        callee = self._object(node.func)
        parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(callee is known for known in _MAKERS):
            parts = [part for part in parts if not self._is_tensor(part)]
        elif _is_program_function(callee):
            return self._is_program_call(node, callee)
        elif callee is not _grid.grid_size and not any(callee is known for known in _NUMERIC):
            return False
        return all(self._is_value(part) for part in parts)

    def _is_program_call(self, node, callee):
        """Returns whether a function of the program, when it is called so, does only what is allowed
        in a body that repeats."""
        code = callee.__code__
        if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            return False
        given = [*zip(code.co_varnames[: code.co_argcount], node.args),
                 *((keyword.arg, keyword.value) for keyword in node.keywords)]
        tensors = frozenset(name for name, value in given if self._is_tensor(value))
        if not all(self._is_tensor(value) or self._is_value(value) for _, value in given):
            return False
        if (code, tensors) in self.checked:
            return True
        self.checked.add((code, tensors))
        return _Body(callee, tensors, self.checked).repeats()

    def _is_tensor(self, node):
        return isinstance(node, ast.Name) and node.id in self.tensors

    def _object(self, node):
        """Returns the object that a name or an attribute of a library means, or None."""
        if isinstance(node, ast.Name):
            return self._variable(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._object(node.value)
            return vars(owner).get(node.attr) if isinstance(owner, types.ModuleType) else None
        return None

    def _variable(self, name):
        """Returns the object that a name means before the body runs, or None."""
        function = self.function
        code = function.__code__
        if name in code.co_varnames + code.co_cellvars:
            return None
        if name in code.co_freevars:
            return _content(function.__closure__[code.co_freevars.index(name)])
        return function.__globals__.get(name, vars(builtins).get(name))


# ===--------------------------------------------------------------------------=== #
# Variables from outside


def _is_fixed(value):
    """Returns whether code that reads the value again finds the same, if it is the same object."""
    if _values.constant(value) is not None:
        return True
    if type(value) is tuple:
        return all(_is_fixed(part) for part in value)
    if isinstance(value, (types.ModuleType, type)):
        return _effects.is_library(value)
    if isinstance(value, _api.Function):
        return True
    known = (types.FunctionType, types.BuiltinFunctionType)
    return isinstance(value, known) and _effects.is_library(value)


def _is_program_function(value):
    return type(value) is types.FunctionType and not _effects.is_library(value)


def _content(cell):
    """Returns what a cell of a closure holds, or _MISSING if its variable has no value."""
    try:
        return cell.cell_contents
    except ValueError:
        return _MISSING


class _Changes(Exception):
    """A variable may change without becoming another object."""


class _Guards:
    """Everything from outside that a function, the functions inside it and the program's functions
    that it mentions can read. Raises _Changes if some of it cannot be guarded."""

    def __init__(self, function):
        self.variables = []  # (scope, name, value)
        self.cells = []  # (cell, value)
        self.functions = []  # (function, its code, its defaults)
        self.seen = set()  # ids of functions
        self._function(function)

    def hold(self):
        """Returns whether all guarded variables and functions are the same objects as before."""
        if not _ttjit.are_unchanged(self.variables, _MISSING):
            return False
        for cell, value in self.cells:
            if _content(cell) is not value:
                return False
        for function, code, defaults in self.functions:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                return False
            if function.__kwdefaults__ or function.__dict__:
                return False
        return True

    def _value(self, value):
        if not _is_program_function(value):
            if not _is_fixed(value):
                raise _Changes
        elif id(value) not in self.seen:
            if value.__kwdefaults__ or value.__dict__ or not _is_fixed(value.__defaults__):
                raise _Changes
            self.functions.append((value, value.__code__, value.__defaults__))
            self._function(value)

    def _function(self, function):
        self.seen.add(id(function))
        self._scopes(function.__globals__, _values.names_of(function.__code__))
        for cell in function.__closure__ or ():
            self.cells.append((cell, _content(cell)))
            self._value(_content(cell))  # refuses _MISSING

    def _scopes(self, own, names):
        """Guards the names in a function's variables and in the modules of libraries among them."""
        scopes, seen = [own], set()
        while scopes:
            scope = scopes.pop()
            seen.add(id(scope))
            for name in names:
                value = scope.get(name, _MISSING)
                # Names that a library's module lacks need no guard: reading them would have failed.
                if scope is own or value is not _MISSING:
                    self.variables.append((scope, name, value))
                if scope is own and value is not _MISSING:
                    self._value(value)
                if isinstance(value, types.ModuleType) and _effects.is_library(value):
                    if id(vars(value)) not in seen:
                        scopes.append(vars(value))


class _Entry:
    def __init__(self, function, guards, program, call, numbers):
        self.code, self.guards = function.__code__, guards
        self.program, self.grid, self.settings = program, call.grid, call.settings
        self.names = [tensor.name for tensor in call.tensors]
        self.numbers = numbers  # for each table, the place in a call's numbers, or [the number]

    def fits(self, function):
        return function.__code__ is self.code and self.guards.hold()


class Replays:
    """The calls of one operation that may be repeated."""

    def __init__(self, operation):
        self.operation = operation
        self.entries = {}
        self.run_time = ()  # the places of the arguments whose numbers launches pass to the kernel
        self.refusals = 0
        self.is_simple = self._is_simple()

    def _is_simple(self):
        """Returns whether a call's arguments alone can decide what it does."""
        options, function = self.operation.options, self.operation.function
        is_fixed_grid = isinstance(options.grid, (str, tuple, type(None)))
        return is_fixed_grid and not options.constants and not function.__kwdefaults__

    def _key(self, args):
        """Returns (key, tensors, run-time numbers) of a call with these arguments; the key is None
        if the call takes the long way."""
        placement = self.operation.options.placement
        return _ttjit.replay_key(settings.block.get(), args, *placement, self.run_time)

    def _with_defaults(self, args):
        function = self.operation.function
        missing = function.__code__.co_argcount - len(args)
        defaults = function.__defaults__
        return args + defaults[-missing:] if missing and defaults else args

    def find(self, args):
        """Returns the entry, the tensors and the numbers of a call that launches the same program as an
        earlier one; (None, (), ()) for any other call."""
        if not self.entries or _capture.current() or _capture.is_walking() or sys.gettrace():
            return _UNKNOWN
        if len({id(value) for value in args}) < len(args) and _has_aliases(args):
            return _UNKNOWN
        key, tensors, numbers = self._key(self._with_defaults(args))
        entry = self.entries.get(key)
        if entry is None or not entry.fits(self.operation.function):
            return _UNKNOWN
        if _environment.is_compile_only():
            return _UNKNOWN
        return entry, tensors, [numbers[each] if type(each) is int else each for each in entry.numbers]

    def note(self, args, call, program, tables, plan):
        """Notes a call that took the long way, if it may be repeated."""
        args = self._with_defaults(args)
        count = self.operation.function.__code__.co_argcount
        if not self.is_simple or self.refusals >= MAX_REFUSALS or len(args) != count:
            return
        places = self._note_numbers(call, tables)
        if places != set(self.run_time) or tables and call.scalars is None:
            return  # a call with other numbers would have the same key
        key, tensors, _ = self._key(args)
        if key is None or key in self.entries and self.entries[key].fits(self.operation.function):
            return
        if call.asks_node or _has_aliases(args) or len(call.tensors) != len(tensors):
            return
        if plan is None or any(slot.kind not in _STEPS for slot in plan.slots):
            return
        entry = self._entry(call, program, tables)
        if entry is None:
            self.refusals += 1
            return
        if len(self.entries) >= LIMIT:
            self.entries.clear()
        self.entries[key] = entry

    def _note_numbers(self, call, tables):
        """Returns the places of the run-time numbers of a call that its body does not read."""
        function = self.operation.function
        names = [name for _, name in tables] if call.scalars else []
        code = function.__code__
        places = {code.co_varnames.index(name) for name in names
                  if call.is_unified or not _reads(function, name)}
        if not places <= set(self.run_time):
            self.run_time = tuple(sorted(places | set(self.run_time)))
            self.entries.clear()
        return places

    def _numbers(self, call, tables):
        """Returns for each table the place of its number in what _ttjit.replay_key() returns, or
        the number itself, which is a part of the key then."""
        variables = self.operation.function.__code__.co_varnames
        places = [variables.index(name) for _, name in tables] if call.scalars else []
        return [self.run_time.index(place) if place in self.run_time else call.scalars.column(*table)
                for place, table in zip(places, tables)]

    def _entry(self, call, program, tables):
        function = self.operation.function
        names = {tensor.name for tensor in call.tensors}
        if not call.is_unified and not _Body(function, names).repeats():
            return None
        try:
            return _Entry(function, _Guards(function), program, call, self._numbers(call, tables))
        except _Changes:
            return None


def _reads(function, name):
    """Returns whether a body reads a variable outside of the functions that it defines."""
    _, node = _source.function_node(function)
    rest = list(node.body)
    while rest:
        each = rest.pop()
        if isinstance(each, ast.FunctionDef):
            rest += each.decorator_list
        elif isinstance(each, ast.Name) and each.id == name:
            return True
        else:
            rest += ast.iter_child_nodes(each)
    return False


def _has_aliases(args):
    """Returns whether a tensor is passed twice."""
    tensors = [id(value) for value in args if _ttjit.is_tensor(value)]
    return len(set(tensors)) < len(tensors)
