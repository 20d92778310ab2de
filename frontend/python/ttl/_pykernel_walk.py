# ===- _pykernel_walk.py - which blocks a kernel function uses on a node ------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Runs the loops and branches of a kernel function for one node before anything is compiled. Only
# integers have values here: coordinates, loop counters, and constants of the operation. The result
# says how many blocks of each buffer the function acquires, which blocks of tensors it copies, and
# to which nodes it sends. If a loop or a branch around such a statement depends on data, the walk
# ends with Unknown.
# ===--------------------------------------------------------------------------=== #

import ast
import builtins
import collections
import copy
import types

from ttl import _grid, _pykernel_functions
from ttl._api import TABLE
from ttl._pykernel_tree import is_send, method_of, own_calls, own_nodes, words_of

LIMIT = 100_000  # the most statements of one walk

_PURE = tuple(getattr(builtins, name) for name in "abs bool divmod int len max min range sum".split())
_KNOWN_NODES = (
    ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Tuple,
    ast.List, ast.Subscript, ast.Slice, ast.Attribute, ast.Call, ast.operator, ast.unaryop,
    ast.cmpop, ast.boolop, ast.expr_context, ast.keyword,
)
_STORES = ("Assign", "AugAssign", "AnnAssign")


class Unknown(Exception):
    """A value is not known before the kernel runs. `node` is its expression."""

    def __init__(self, node):
        super().__init__(ast.unparse(node))
        self.node = node


class _Left(Exception):
    """A statement leaves the statements around it: "break", "continue" or "return"."""


class Trace:
    """What a kernel function does on one node. `acquired` counts the calls of each (buffer,
    method); `copies` are (name of the tensor, index, whether it is written, expression), `sends`
    are (call, values of the loop counters around it, core, mcast). `rounds` has the values that the
    counter of each loop takes, by the id of the loop."""

    def __init__(self):
        self.acquired = collections.Counter()
        self.rounds = {}
        self.copies = []
        self.sends = []


def traces(function, grid):
    """Returns {(row, column): Trace} for the nodes of a grid of (columns, rows); raises Unknown."""
    columns, rows = grid
    parts = _Parts(function)
    places = [(row, column) for row in range(rows) for column in range(columns)]
    return {place: _Walk(parts, *place).run() for place in places}


class _Walk:
    """Walks one kernel function on one node."""

    def __init__(self, parts, row, column):
        self.parts = parts
        self.trace = Trace()
        self.counters = {}  # the values of the counters of the loops around the statement
        self.names = {
            "__core_index": (row, column).__getitem__,
            "__node": lambda dims=2, dim=2: (column, row),
            "__index": _Index(),
        }

    def run(self):
        try:
            self._run(self.parts.function.node.body)
        except _Left:
            pass
        return self.trace

    def _run(self, statements):
        for statement in statements:
            self.parts.count(statement)
            run = getattr(self, f"_{type(statement).__name__}", self._other)
            run(statement)

    # Statements

    def _other(self, statement):
        if isinstance(statement, (ast.Break, ast.Continue, ast.Return)):
            raise _Left(type(statement).__name__)
        self._note(statement)
        if type(statement).__name__ in _STORES:
            self._assign(statement)

    def _assign(self, statement):
        targets = getattr(statement, "targets", None) or [statement.target]
        value = statement.value
        if isinstance(statement, ast.AugAssign):
            value = ast.BinOp(ast.Name(ast.unparse(statement.target), ast.Load()), statement.op, value)
            ast.copy_location(value, statement)
        try:
            known = self._value(value) if value is not None else None
        except Unknown:
            known = None
        for target in targets:
            self._bind(target, known)

    def _bind(self, target, value):
        """Binds a variable, or variables in a tuple. None stands for an unknown value."""
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value if isinstance(value, tuple) else [None] * len(target.elts)
            for each, part in zip(target.elts, values):
                self._bind(each, part)
        elif isinstance(target, ast.Name):
            self.names[target.id] = _NO_VALUE if value is None else value

    def _For(self, statement):
        try:
            rounds = iter(self._value(statement.iter))
        except (Unknown, TypeError):
            self._skip(statement, statement.iter)
            return
        name = getattr(statement.target, "id", None)
        for value in rounds:
            self._bind(statement.target, value)
            if name:
                self.counters[name] = value
                self.trace.rounds.setdefault(id(statement), set()).add(value)
            if not self._round(statement.body):
                break
        else:
            self._run(statement.orelse)
        self.counters.pop(name, None)

    def _While(self, statement):
        while True:
            try:
                goes_on = self._value(statement.test)
            except Unknown:
                self._skip(statement, statement.test)
                return
            if not goes_on:
                return self._run(statement.orelse)
            self.parts.count(statement.test)
            if not self._round(statement.body):
                return None

    def _round(self, statements):
        """Runs the body of a loop once. Returns whether the loop goes on."""
        try:
            self._run(statements)
        except _Left as left:
            if left.args[0] == "Return":
                raise
            return left.args[0] == "Continue"
        return True

    def _If(self, statement):
        try:
            test = self._value(statement.test)
        except Unknown:
            self._skip(statement, statement.test)
            return
        self._note(statement)
        self._run(statement.body if test else statement.orelse)

    def _With(self, statement):
        self._note(statement)
        self._run(statement.body)

    def _skip(self, statement, cause):
        """Leaves out a loop or a branch with an unknown condition, and forgets the variables that it
        assigns. Raises Unknown if a statement in it acquires, copies or sends blocks."""
        if self.parts.matter(statement):
            raise Unknown(cause)
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.names[node.id] = _NO_VALUE

    # Expressions

    def _note(self, statement):
        """Notes what the expressions of a statement acquire, copy and send."""
        for kind, node, detail in self.parts.of(statement):
            if kind == "acquire":
                self.trace.acquired[detail] += 1
            elif kind == "copy":
                name, index, is_written = detail
                self.trace.copies.append((name, self._value(index), is_written, node))
            else:
                self._note_send(node)

    def _note_send(self, call):
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        core = self._value(keywords["core"])
        shape = self._value(keywords["mcast"]) if "mcast" in keywords else None
        self.trace.sends.append((call, dict(self.counters), core, shape))

    def _value(self, node):
        """Returns the value of an expression; raises Unknown."""
        code = self.parts.code(node)
        try:
            value = eval(code, self.parts.scope, self.names)
        except Exception:  # a mistake in the expression is reported when it is compiled
            raise Unknown(node) from None
        if value is _NO_VALUE or (isinstance(value, tuple) and any(each is _NO_VALUE for each in value)):
            raise Unknown(node)
        return value


class _Index:
    """The value of the name __index: __index[i, j] is the tuple (i, j), whose items may be slices."""

    def __getitem__(self, index):
        return index if isinstance(index, tuple) else (index,)


class _NoValue:
    """A value that only the device knows. Each operator with it raises a TypeError."""

    __bool__ = __eq__ = __hash__ = None


_NO_VALUE = _NoValue()


# ===--------------------------------------------------------------------------=== #
# What the statements of a function contain
# ===--------------------------------------------------------------------------=== #


class _Parts:
    """The expressions of one kernel function that a walk looks at, and their code."""

    def __init__(self, function):
        self.function = function
        self.scope = {**function.function.__globals__, **function.values}
        self.codes = {}  # id of an expression -> (code, the expression)
        self.found = {}  # id of a statement -> its parts
        self.steps = 0
        self.methods = {}
        for name in function.buffers:
            words = words_of(name, function.node)
            pop = words.meaning_of_pop
            self.methods[name] = {"reserve": "reserve", "wait": "wait", "pop": pop}

    def count(self, node):
        self.steps += 1
        if self.steps > LIMIT:
            raise Unknown(node)

    def matter(self, statement):
        """Returns whether a statement, or one inside it, acquires, copies or sends blocks."""
        return any(self.of(each) for each in ast.walk(statement) if isinstance(each, ast.stmt))

    def of(self, statement):
        """Returns [(kind, expression, detail)] of a statement without those inside it. The kind is
        "acquire" with (buffer, method), "copy" with (tensor, index, is written), or "send"."""
        found = self.found.get(id(statement))
        if found is None:
            found = self.found[id(statement)] = list(self._find(statement))
        return found

    def _find(self, statement):
        written = set()
        for call in own_calls(statement):
            written |= {id(argument) for argument in call.args[1:]}
            for name, methods in self.methods.items():
                method = methods.get(method_of(call, name))
                if method in ("reserve", "wait"):
                    yield "acquire", call, (name, method)
        for node in own_nodes(statement):
            if isinstance(node, ast.Subscript) and self.function.is_tensor(node.value):
                owner = ast.Name("__index", ast.Load())
                index = ast.copy_location(ast.Subscript(owner, node.slice, ast.Load()), node)
                yield "copy", node, (node.value.id, index, id(node) in written)
            elif is_send(node):
                yield "send", node, None

    def code(self, node):
        """Returns the code of an expression. Raises Unknown if running it may have effects."""
        if id(node) not in self.codes:
            self.codes[id(node)] = (self._compiled(node), node)
        return self.codes[id(node)][0]

    def _compiled(self, node):
        if not all(isinstance(each, _KNOWN_NODES) for each in ast.walk(node)):
            raise Unknown(node)
        made = _Called(self, node).visit(copy.deepcopy(node))
        expression = ast.fix_missing_locations(ast.Expression(made))
        return compile(expression, self.function.file.name, "eval")

    def value_of_name(self, node):
        """Returns what a name, or an attribute of a module, stands for; None if that is unknown."""
        if isinstance(node, ast.Name):
            return self.scope.get(node.id, getattr(builtins, node.id, None))
        owner = self.value_of_name(node.value) if isinstance(node, ast.Attribute) else None
        return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None


class _Called(ast.NodeTransformer):
    """Replaces the functions that return a node's coordinates. Raises Unknown for calls of functions
    that may have effects."""

    def __init__(self, parts, whole):
        self.parts, self.whole = parts, whole

    def visit_Call(self, node):
        called = self.parts.value_of_name(node.func)
        if called is _pykernel_functions.core_index:
            node.func = ast.Name("__core_index", ast.Load())
        elif called is _grid.node or called is _grid.core:
            node.func = ast.Name("__node", ast.Load())
        elif not any(called is each for each in (*_PURE, TABLE["static_range"])):
            raise Unknown(self.whole)
        return self.generic_visit(node)
