# ===- _pykernel_rewrite.py - rewrites kernel functions to the current spelling === #
# SPDX-License-Identifier: Apache-2.0
#
# Problem: kernel functions of @pykernel_gen operations have buffers as parameters, and most of their
# releases are implicit. The compiler expects kernel functions that capture buffers and call
# wait(), pop(), reserve() and push().
#
# Steps: write awaits as method calls (_pykernel_awaits.py) and load blocks that are a node's own part
# (_pykernel_own.py). When the blocks of the tensors are known, make pipes of copies between nodes
# (_pykernel_multicast.py) and partial sums of products (_pykernel_sums.py). Decide which method
# pop() of each buffer stands for in this function. Rewrite calls, indices of tensors and methods.
# Move releases behind the last use of a block, and add missing releases at the end of the block of
# statements. Make a function of the result. Every node of the tree keeps the position of the user's
# code.
# ===--------------------------------------------------------------------------=== #

import ast
import copy
import types

from ttl import (
    _capture,
    _errors,
    _location,
    _pykernel_awaits,
    _pykernel_functions,
    _pykernel_multicast,
    _pykernel_own,
    _pykernel_sums,
    _source,
)
from ttl._pykernel_tree import (
    ENDS,
    lists_of,
    method,
    method_of,
    names_in,
    own_calls,
    place_at,
    words_of,
)

ROW_FUNCTIONS = ("rowmax", "rowsum")


class Function:
    """One kernel function: its syntax tree, and the values of the names that it uses. `tensors` are
    those of the program, in the order of the buffers' parameters."""

    def __init__(self, thread, tensors):
        self.kind = thread.kind
        self.hint, self.bound_at = thread.hint, thread.bound_at
        self.name = thread.name
        self.location = thread.location
        self.function = thread.function
        self.file, node = _source.require_node(thread.function, "kernel function")
        self.node = copy.deepcopy(node)
        self.tensors = tensors
        names = [argument.arg for argument in node.args.args]
        self.buffer_names = names[: len(tensors)]
        self.semaphore_names = names[len(tensors) :]
        self.values = {**self._implied_streams(), **outer_values(thread.function)}
        self.buffers = dict.fromkeys(self.buffer_names)
        _pykernel_awaits.run(self)
        self.owned = _pykernel_own.run(self) if self.kind == "datamovement" else set()

    def _implied_streams(self):
        """Returns the tensors by the names that a script gives their streams: that of 'lhs_cb' is 'lhs_stream'.
        Programs often forget `lhs_stream = Stream(lhs)`. A name that has a value is not implied."""
        names = [name.removesuffix("_cb") + "_stream" for name in self.buffer_names]
        streams = dict(zip(names, self.tensors))
        return {name: tensor for name, tensor in streams.items()
                if name in self.function.__code__.co_names and name not in self.function.__globals__}

    def rewrite(self, buffers, semaphores, reading, grid, traces):
        """Rewrites the tree. `traces` are the function's Trace on each node, or an Unknown."""
        self.reading, self.columns = reading, grid[0]
        self.buffers = dict(zip(self.buffer_names, buffers))
        self.semaphores = dict(zip(self.semaphore_names, semaphores))
        self.values.update({**self.buffers, **self.semaphores})
        _pykernel_multicast.run(self, traces)
        summed = _pykernel_sums.add_up(self)
        words = {name: words_of(name, self.node) for name in self.buffers}
        _Calls(self, words).visit(self.node)
        self.body = self.node.body
        _Releases(self).run(self.body)
        return summed

    def replace_tensor(self, old, new):
        """Replaces a tensor among the values that the function captures."""
        self.values = {name: new if value is old else value for name, value in self.values.items()}

    def is_tensor(self, node):
        return isinstance(node, ast.Name) and self.position_of(node.id) is not None

    def position_of(self, name):
        """Returns the number of the tensor in a variable, or None."""
        value = self.values.get(name)
        return next((n for n, tensor in enumerate(self.tensors) if tensor is value), None)

    def place(self, node):
        """Returns the source range of a node."""
        end = (node.end_lineno, node.end_col_offset + 1)
        return _location.Location(self.file.name, node.lineno, node.col_offset + 1, *end)

    def fail(self, node, message):
        raise _errors.CompileError(message, self.place(node))

    def thread(self):
        """Returns the kernel function in the form that the compiler expects."""
        function = make_function(self)
        thread = _capture.Thread(self.kind, function, self.name, self.location)
        thread.hint, thread.bound_at = self.hint, self.bound_at
        return thread


def outer_values(function):
    """Returns the values of the variables that a function captures."""
    values = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            pass  # the variable is not assigned yet
    return values


# ===--------------------------------------------------------------------------=== #
# Rewriting calls
# ===--------------------------------------------------------------------------=== #


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
        position = self.function.position_of(getattr(node.value, "id", None))
        if position is None or not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) != 2:
            return node
        if position in self.function.reading.numbered:
            node.slice.elts = _of_number(node.slice.elts[0], self.function.columns)
        blocks = self.function.reading.blocks[position]
        node.slice.elts = [in_tiles(*each) for each in zip(node.slice.elts, blocks)]
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


def _of_number(number, columns):
    """Returns the row and the column of the block with this number."""
    operators = (ast.FloorDiv(), ast.Mod())
    return [place_at(ast.BinOp(copy.deepcopy(number), each, ast.Constant(columns)), number)
            for each in operators]


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
    return place_at(ast.Slice(_times(index, factor), upper), index)


def _times(node, factor):
    return place_at(ast.BinOp(node, ast.Mult(), ast.Constant(factor)), node)


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
    return place_at(ast.Call(ast.Attribute(owner, name, ast.Load()), [argument], []), call)


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
    return place_at(statement, shape)


def _slice_call(node):
    return ast.Call(ast.Name("slice", ast.Load()), [node.lower, node.upper], [])


def _pair(node):
    """Returns the two parts of a coordinate."""
    if isinstance(node, ast.Tuple) and len(node.elts) == 2:
        return node.elts
    parts = [copy.deepcopy(node) for _ in range(2)]
    return [ast.Subscript(p, ast.Constant(i), ast.Load()) for i, p in enumerate(parts)]


# ===--------------------------------------------------------------------------=== #
# Adding push() and pop()
# ===--------------------------------------------------------------------------=== #


class _Releases:
    """Adds the releases, push() and pop(), that a function of a @pykernel_gen operation omits."""

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
        place = len(statements) - isinstance(statements[-1], ENDS)
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


# ===--------------------------------------------------------------------------=== #
# Making functions
# ===--------------------------------------------------------------------------=== #


def make_function(function):
    """Makes a Python function without parameters that captures the values. The compiler can find
    its syntax tree."""
    body = function.body or [ast.Pass(lineno=function.node.lineno, col_offset=0)]
    no_arguments = ast.arguments([], [], None, [], [], None, [])
    inner = ast.FunctionDef(function.node.name, no_arguments, body, [], None)
    ast.copy_location(inner, function.node)
    used = [name for name in function.values if name in names_in(body)]
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
