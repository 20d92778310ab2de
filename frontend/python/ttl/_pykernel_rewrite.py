# ===- _pykernel_rewrite.py - rewrites kernel functions to the current spelling ----===
# SPDX-License-Identifier: Apache-2.0
#
# Problem: kernel functions in the oldest spelling have buffers as parameters, and most of their
# releases are implicit. The compiler expects kernel functions that capture buffers and call
# wait(), pop(), reserve() and push().
#
# Steps: make pipes of copies between nodes (_pykernel_multicast.py). Decide which method pop() of
# each buffer stands for in this function. Rewrite calls, indices of tensors and methods. Move
# releases behind the last use of a block, and add missing releases at the end of the block of
# statements. Make a function of the result. Every node of the tree keeps the position of the
# user's code.
# ===----------------------------------------------------------------------------===//

import ast
import copy
import types
from typing import NamedTuple

from ttl import (
    _capture,
    _errors,
    _location,
    _pykernel_functions,
    _pykernel_multicast,
    _source,
)

ROW_FUNCTIONS = ("rowmax", "rowsum")


class Words(NamedTuple):
    """The number of times that a function calls each method of one buffer."""

    wait: int
    reserve: int
    push: int
    pop: int

    @property
    def meaning_of_pop(self):
        """Returns the method that pop() stands for. In the oldest spelling, pop() has three
        meanings."""
        if self.wait:
            return "pop"
        return "push" if self.reserve else "wait"


class Function:
    """One kernel function: its syntax tree, and the values of the names that it uses."""

    def __init__(self, thread, buffers, semaphores, shapes, grid):
        self.kind = thread.kind
        self.name = thread.name
        self.location = thread.location
        self.function = thread.function
        self.file, node = _source.require_node(thread.function, "kernel function")
        self.node = copy.deepcopy(node)
        self.shapes = shapes
        names = [argument.arg for argument in node.args.args]
        self.values = {**outer_values(thread.function), **dict(zip(names, buffers + semaphores))}
        self.buffers = dict(zip(names, buffers))
        self.semaphores = dict(zip(names[len(buffers) :], semaphores))
        self._rewrite(grid)

    def _rewrite(self, grid):
        _pykernel_multicast.run(self, grid)
        words = {name: words_of(name, self.node) for name in self.buffers}
        _Calls(self, words).visit(self.node)
        self.body = self.node.body
        _Releases(self).run(self.body)

    def tile_factors(self, name):
        """Returns (rows, columns) of the blocks of the tensor in a variable, or None."""
        value = self.values.get(name)
        return next((factor for tensor, factor in self.shapes if tensor is value), None)

    def fail(self, node, message):
        end = (node.end_lineno, node.end_col_offset + 1)
        place = _location.Location(self.file.name, node.lineno, node.col_offset + 1, *end)
        raise _errors.CompileError(message, place)

    def thread(self):
        """Returns the kernel function in the form that the compiler expects."""
        function = make_function(self)
        return _capture.Thread(self.kind, function, self.name, self.location)


def outer_values(function):
    """Returns the values of the variables that a function captures."""
    values = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            pass  # the variable is not assigned yet
    return values


def words_of(name, tree):
    """Returns the Words of the buffer in the variable `name`."""
    called = [method_of(node, name) for node in ast.walk(tree)]
    return Words(*(called.count(method) for method in Words._fields))


def method_of(node, name):
    """Returns the method that a node calls on the variable `name`, or None."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    owner = node.func.value
    return node.func.attr if isinstance(owner, ast.Name) and owner.id == name else None


# ===--------------------------------------------------------------------------===//
# Rewriting calls
# ===--------------------------------------------------------------------------===//


class _Calls(ast.NodeTransformer):
    """Rewrites expressions. A statement may become several statements."""

    def __init__(self, function, words):
        self.function = function
        self.words = words

    def visit_AsyncFunctionDef(self, node):
        return self.generic_visit(node)

    def visit_Await(self, node):
        return self.visit(node.value)

    def visit_Expr(self, node):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            owner = call.func.value
            if isinstance(owner, ast.Name) and owner.id in self.function.semaphores:
                return [self.generic_visit(part) for part in self._semaphore(node, call)]
        return self.generic_visit(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return node
        for name, words in self.words.items():
            if method_of(node, name) == "pop":
                node.func.attr = words.meaning_of_pop
        if node.func.attr in ROW_FUNCTIONS:
            return self._row_function(node)
        return node

    def _row_function(self, node):
        """Rewrites x.rowmax() to rowmax(x)."""
        name = f"__{node.func.attr}"
        self.function.values[name] = getattr(_pykernel_functions, node.func.attr)
        function = ast.copy_location(ast.Name(name, ast.Load()), node.func)
        node.args.insert(0, node.func.value)
        node.func = function
        return node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        owner = node.value
        factors = self.function.tile_factors(owner.id) if isinstance(owner, ast.Name) else None
        if factors and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == len(factors):
            node.slice.elts = [in_tiles(*each) for each in zip(node.slice.elts, factors)]
        return node

    def _semaphore(self, statement, call):
        """Returns the statements that replace a method call of a semaphore."""
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        core, shape = keywords.pop("core", None), keywords.pop("mcast", None)
        reset = keywords.pop("reset", None)
        call.keywords = [ast.keyword(name, value) for name, value in keywords.items()]
        if call.func.attr == "wait":
            call.func.attr = "wait_eq"
            owner = copy.deepcopy(call.func.value)
            return [statement] if reset is None else [statement, method(call, owner, "set", reset)]
        if core is None:
            return [statement]
        call.func.value = _remote(call, core, shape if self._is_constant(core) else None)
        if shape is not None and not self._is_constant(core):
            return [_on_each(statement, shape)]
        return [statement]

    def _is_constant(self, node):
        """Returns whether an expression has the same value on every node of the launch."""
        values = self.function.values
        names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
        has_calls = any(isinstance(each, ast.Call) for each in ast.walk(node))
        return not has_calls and all(isinstance(values.get(name), int) for name in names)


def in_tiles(index, factor):
    """Returns the index of a block as a range of tiles."""
    if factor == 1:
        return index
    if isinstance(index, ast.Slice):
        for name in ("lower", "upper"):
            bound = getattr(index, name)
            setattr(index, name, bound and _times(bound, factor))
        return index
    upper = ast.BinOp(_times(copy.deepcopy(index), factor), ast.Add(), ast.Constant(factor))
    return _at(ast.Slice(_times(index, factor), upper), index)


def _times(node, factor):
    return _at(ast.BinOp(node, ast.Mult(), ast.Constant(factor)), node)


def _at(node, place):
    """Gives the node the position of `place` where it has none; returns it."""
    for each in ast.walk(node):
        if not hasattr(each, "lineno") and isinstance(each, (ast.expr, ast.stmt)):
            ast.copy_location(each, place)
    return node


def method(place, owner, name, *arguments):
    """Returns the statement `owner.name(arguments)` at the position of `place`."""
    call = ast.Call(ast.Attribute(owner, name, ast.Load()), list(arguments), [])
    return _at(ast.Expr(call), place)


def _remote(call, core, shape):
    """Returns the expression `semaphore.get_remote(core)`, or one with get_remote_multicast for
    the rectangle of nodes at `core`."""
    owner = call.func.value
    row, column = _pair(core)
    if shape is None:
        argument, name = ast.Tuple([column, row], ast.Load()), "get_remote"
    else:
        rows, columns = _pair(shape)
        sides = ((column, columns), (row, rows))
        ranges = [ast.Slice(low, ast.BinOp(copy.deepcopy(low), ast.Add(), n)) for low, n in sides]
        slices = [_slice_call(each) for each in ranges]
        argument, name = ast.Tuple(slices, ast.Load()), "get_remote_multicast"
    return _at(ast.Call(ast.Attribute(owner, name, ast.Load()), [argument], []), call)


def _on_each(statement, shape):
    """Returns copies of a statement, one for each node of a rectangle. The statement names the
    first node of the rectangle."""
    coordinates = statement.value.func.value.args[0].elts
    for position, name in enumerate(("__column", "__row")):
        offset = ast.Name(name, ast.Load())
        coordinates[position] = ast.BinOp(coordinates[position], ast.Add(), offset)
    for name, extent in zip(("__column", "__row"), reversed(_pair(shape))):
        count = ast.Call(ast.Name("range", ast.Load()), [extent], [])
        statement = ast.For(ast.Name(name, ast.Store()), count, [statement], [])
    return _at(statement, shape)


def _slice_call(node):
    return ast.Call(ast.Name("slice", ast.Load()), [node.lower, node.upper], [])


def _pair(node):
    """Returns the two parts of a coordinate."""
    if isinstance(node, ast.Tuple) and len(node.elts) == 2:
        return node.elts
    parts = [copy.deepcopy(node) for _ in range(2)]
    return [ast.Subscript(p, ast.Constant(i), ast.Load()) for i, p in enumerate(parts)]


# ===--------------------------------------------------------------------------===//
# Adding push() and pop()
# ===--------------------------------------------------------------------------===//

_LISTS = ("body", "orelse", "finalbody", "handlers")
_ENDS = (ast.Return, ast.Break, ast.Continue)


def lists_of(statement):
    """Returns the blocks of statements inside a statement."""
    return [getattr(statement, name) for name in _LISTS if getattr(statement, name, None)]


def own_calls(statement):
    """Returns the calls in a statement itself, without those in the statements inside it."""
    found, rest = [], [statement]
    while rest:
        node = rest.pop()
        if isinstance(node, ast.Call):
            found.append(node)
        rest += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
    return sorted(found, key=lambda call: (call.lineno, call.col_offset))


class _Releases:
    """Adds the releases that a function in the oldest spelling omits."""

    RELEASES = {"wait": "pop", "reserve": "push"}

    def __init__(self, function):
        self.function = function
        node = function.node
        self.words = {name: words_of(name, node) for name in function.buffers}
        self.in_with = {
            id(item.context_expr)
            for each in ast.walk(node)
            if isinstance(each, ast.With)
            for item in each.items
        }

    def run(self, statements):
        missing = []
        for statement in statements:
            for inner in lists_of(statement):
                self.run(inner)
            missing += self._missing(statement)
        self._postpone(statements)
        place = len(statements) - isinstance(statements[-1], _ENDS)
        statements[place:place] = missing

    def _missing(self, statement):
        """Returns releases for the blocks that a statement acquires and that the function never
        releases."""
        found = []
        for call in own_calls(statement):
            for name, words in self.words.items():
                acquire = method_of(call, name)
                release = self.RELEASES.get(acquire)
                if release and not getattr(words, release) and id(call) not in self.in_with:
                    owner = ast.Name(name, ast.Load())
                    found.append(method(call, owner, release))
        return found

    def _postpone(self, statements):
        """Moves a pop() behind the last statement that uses its block."""
        for number in range(len(statements) - 1, -1, -1):
            name = self._waited(statements[number])
            if name is None:
                continue
            block, buffer = name
            pops = [i for i in range(number + 1, len(statements))
                    if isinstance(statements[i], ast.Expr)
                    and method_of(statements[i].value, buffer) == "pop"]
            last = _last_use(statements, number, block)
            if pops and last > pops[0]:
                statements.insert(last, statements.pop(pops[0]))

    def _waited(self, statement):
        """Returns (variable, buffer) of `variable = buffer.wait()`, or None."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target = statement.targets[0]
        for buffer in self.function.buffers:
            if isinstance(target, ast.Name) and method_of(statement.value, buffer) == "wait":
                return target.id, buffer
        return None


def _last_use(statements, start, name):
    """Returns the number of the last statement behind `start` that reads a variable before it is
    assigned again."""
    last = start
    for number in range(start + 1, len(statements)):
        uses = [n.ctx for n in ast.walk(statements[number])
                if isinstance(n, ast.Name) and n.id == name]
        if any(isinstance(context, ast.Load) for context in uses):
            last = number
        if any(isinstance(context, ast.Store) for context in uses):
            break
    return last


# ===--------------------------------------------------------------------------===//
# Making functions
# ===--------------------------------------------------------------------------===//


def _names_in(statements):
    return {
        node.id for each in statements for node in ast.walk(each) if isinstance(node, ast.Name)
    }


def make_function(function):
    """Makes a Python function without parameters that captures the values. The compiler can find
    its syntax tree."""
    body = function.body or [ast.Pass(lineno=function.node.lineno, col_offset=0)]
    no_arguments = ast.arguments([], [], None, [], [], None, [])
    inner = ast.FunctionDef(function.node.name, no_arguments, body, [], None)
    ast.copy_location(inner, function.node)
    used = [name for name in function.values if name in _names_in(body)]
    captured = ast.arguments([], [ast.arg(name) for name in used], None, [], [], None, [])
    result = ast.Return(ast.Name(inner.name, ast.Load()))
    outer = ast.FunctionDef("scope", captured, [inner, result], [], None)
    tree = ast.Module([ast.copy_location(outer, function.node)], [])
    code = compile(ast.fix_missing_locations(tree), function.file.name, "exec", dont_inherit=True)
    scope = next(each for each in code.co_consts if isinstance(each, types.CodeType))
    make = types.FunctionType(scope, function.function.__globals__)
    made = make(*(function.values[name] for name in used))
    _source.note_node(made, function.file, inner)
    return made
