# ===- _pykernel_multicast.py - converts dma() between nodes to pipes --------------===
# SPDX-License-Identifier: Apache-2.0
#
# Problem: dma(source, block, core=..., mcast=...) writes into a block that other nodes have
# reserved. The code of those nodes does not mention this transfer; it only waits for a semaphore.
#
# Steps: find out for every node, from its coordinates, whether it runs the statement and which
# nodes the statement names. Make a pipe for each of these. Replace the statement by a send. The
# nodes that are named receive at the end of the block of statements that reserves the block,
# before the block is pushed.
#
# The branches around the statement, core= and mcast= must depend only on the coordinates and on
# constants.
# ===----------------------------------------------------------------------------===//

import ast
import copy
import itertools

from ttl import _pipes, _pykernel_functions
from ttl._api import TABLE


def run(function, grid):
    """Rewrites the dma() calls between nodes in one kernel function. `grid` is (columns, rows)."""
    _Lists(function, grid).visit(function.node.body, [])


def _is_remote(call):
    names = {keyword.arg for keyword in call.keywords}
    return isinstance(call.func, ast.Name) and call.func.id == "dma" and "core" in names


def _remote_call(statement):
    """Returns the dma() between nodes in a statement `tx = dma()`, `dma().wait()` or `dma()`, or
    None."""
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value
    return value if isinstance(value, ast.Call) and _is_remote(value) else None


class _Lists:
    """Visits the blocks of statements. `around` lists the (test, truth) of the branches around a
    statement."""

    def __init__(self, function, grid):
        self.function = function
        self.grid = grid
        self.receives = {}  # id of the block of statements -> [(variable, statement)]

    def visit(self, statements, around, outer=()):
        outer = (*outer, statements)
        number = 0
        while number < len(statements):
            statement = statements[number]
            call = _remote_call(statement)
            if call is not None:
                self._replace(statements, number, call, around, outer)
            elif isinstance(statement, ast.If):
                self.visit(statement.body, [*around, (statement.test, True)], outer)
                self.visit(statement.orelse, [*around, (statement.test, False)], outer)
            else:
                self.visit(getattr(statement, "body", []), around, outer)
            number += 1
        statements += self.receives.pop(id(statements), [])

    def _replace(self, statements, number, call, around, outer):
        net = f"__net{sum(name.startswith('__net') for name in self.function.values)}"
        self.function.values[net] = _pipes.PipeNet(self._pipes(call, around), _may_be_empty=True)
        self.function.values["__copy"] = TABLE["copy"]
        source, target = (ast.unparse(argument) for argument in call.args)
        handle = _assigned(statements[number])
        statements[number] = _at(f"{net}.if_src(lambda pipe: __copy({source}, pipe).wait())", call)
        if handle:
            _drop_wait(statements, number, handle)
        received = _at(f"{net}.if_dst(lambda pipe: __copy(pipe, {target}).wait())", call)
        self.receives.setdefault(id(self._home(target, outer, call)), []).append(received)

    def _home(self, target, outer, call):
        """Returns the innermost block of statements that reserves the target's block."""
        for statements in reversed(outer):
            if any(_assigned(statement) == target for statement in statements):
                return statements
        self.function.fail(call, "dma() must write into a block that this function reserves, "
                                 f"found '{target}'")

    def _pipes(self, call, around):
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        pipes = []
        columns, rows = self.grid
        for y, x in itertools.product(range(rows), range(columns)):
            values = self._values(y, x)
            if all(bool(self._evaluate(test, values)) == truth for test, truth in around):
                core = self._evaluate(keywords["core"], values)
                shape = self._evaluate(keywords["mcast"], values) if "mcast" in keywords else None
                pipes.append(_pipe((x, y), core, shape))
        return pipes

    def _values(self, y, x):
        """Returns the values of this node's variables that are assigned only once, at the
        start."""
        values = {**self.function.values, "core_index": lambda dim: (y, x)[dim]}
        for name, value in list(values.items()):
            if value is _pykernel_functions.core_index:
                values[name] = values["core_index"]
        for statement in self.function.node.body:
            name = _assigned(statement)
            if name:
                try:
                    values[name] = _evaluate(statement.value, values, self.function)
                except Exception:  # the value is known only on the device
                    values.pop(name, None)
        return values

    def _evaluate(self, node, values):
        try:
            return _evaluate(node, values, self.function)
        except Exception:
            self.function.fail(
                node,
                "the nodes that take part in a dma() must be known before the kernel runs, but "
                f"'{ast.unparse(node)}' is not known: use only core_index() and constants in it",
            )


def _evaluate(node, values, function):
    expression = ast.fix_missing_locations(ast.Expression(copy.deepcopy(node)))
    scope = {**function.function.__globals__, **values}
    return eval(compile(expression, function.file.name, "eval"), scope)


def _pipe(source, core, shape):
    """Returns a pipe. Nodes are (rows, columns) in this spelling and (columns, rows) in pipes."""
    row, column = core
    if shape is None:
        return _pipes.Pipe(source, (column, row))
    rows, columns = shape
    return _pipes.Pipe(source, (slice(column, column + columns), slice(row, row + rows)))


def _assigned(statement):
    """Returns the name of the variable in `variable = value`, or None."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return getattr(statement.targets[0], "id", None)
    return None


def _drop_wait(statements, number, handle):
    """Removes the wait() for a handle, because the send already waits."""
    for position in range(number + 1, len(statements)):
        text = ast.unparse(statements[position])
        if text == f"{handle}.wait()":
            del statements[position]
            return
        if _assigned(statements[position]) == handle:
            return


def _at(text, place):
    """Parses a statement and gives it the source position of the node `place`."""
    (statement,) = ast.parse(text).body
    for node in ast.walk(statement):
        if hasattr(node, "lineno"):
            ast.copy_location(node, place)
    return statement
