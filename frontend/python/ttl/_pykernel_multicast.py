# ===- _pykernel_multicast.py - converts dma() between nodes to pipes ---------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Problem: in @pykernel_gen operations, dma(source, block, core=..., mcast=...) writes into a block that
# other nodes have reserved. The code of those nodes does not mention this transfer; it only waits for a
# semaphore.
#
# Steps: the walk of every node (_pykernel_walk.py) says which nodes run the statement, with which
# values of the loop counters, and which nodes it names. Make a pipe from each node that runs it to the
# nodes that it names, and a net of the pipes for each value of the counters on which they depend.
# Replace the statement by a send. The nodes that are named receive at the end of the block of statements
# that reserves the block, before the block is pushed.
# ===--------------------------------------------------------------------------=== #

import ast
import itertools

from ttl import _pipes
from ttl._api import TABLE
from ttl._pykernel_tree import assigned, dma_of, is_send, method_of, parsed


def run(function, traces):
    """Rewrites the dma() calls between nodes in one kernel function. `traces` are its Trace on each
    node; an Unknown if the walk ended early."""
    _Lists(function, traces).visit(function.node.body, (), ())


class _Lists:
    """Visits the blocks of statements of a function and replaces the sends. `outer` are the blocks
    around a statement, `counters` the counters of the loops around it, each with its loop."""

    def __init__(self, function, traces):
        self.function = function
        self.traces = traces
        self.receives = {}  # id of a block of statements -> [(buffer, statement that receives)]

    def visit(self, statements, outer, counters):
        outer = (*outer, statements)
        number = 0
        while number < len(statements):
            statement = statements[number]
            call = dma_of(statement)
            inner = counters
            if call is not None and is_send(call):
                self._replace(statements, number, call, outer, counters)
            elif isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
                inner = (*counters, (statement.target.id, statement))
            for name in ("body", "orelse"):
                self.visit(getattr(statement, name, []), outer, inner)
            number += 1
        for buffer, receive in self.receives.pop(id(statements), []):
            statements.insert(_end_of_block(statements, buffer), receive)

    def _replace(self, statements, number, call, outer, counters):
        source, target = (ast.unparse(argument) for argument in call.args)
        home, buffer = self._home(target, outer, call)
        names, groups = self._groups(call, counters)
        self._check_scope(call, names, counters, home)
        sends, receives = [], []
        for values, pipes in groups.items():
            net = self._net(pipes, is_same=source == target)
            sends.append((values, f"{net}.if_src(lambda pipe: __copy({source}, pipe).wait())"))
            receives.append((values, f"{net}.if_dst(lambda pipe: __copy(pipe, {target}).wait())"))
        handle = assigned(statements[number])
        statements[number] = parsed(_chosen(names, sends), call)
        if handle:
            _drop_wait(statements, number, handle)
        receive = parsed(_chosen(names, receives), call)
        self.receives.setdefault(id(home), []).append((buffer, receive))

    def _net(self, pipes, is_same):
        """Returns the name of the net of these pipes. A node that sends a block to itself keeps it,
        so that it is no receiver."""
        values = self.function.values
        name = f"__net{sum(each.startswith('__net') for each in values)}"
        made = [
            _pipe((column, row), *part, any(each[2] for each in pipes))
            for (row, column), core, shape in pipes
            for part in _parts(core, shape or (1, 1), (row, column) if is_same else None)
        ]
        values[name] = _pipes.PipeNet(made, _may_be_empty=True)
        values["__copy"] = TABLE["copy"]
        return name

    def _home(self, target, outer, call):
        """Returns the innermost block of statements that reserves the target's block, and the buffer."""
        for statements in reversed(outer):
            for statement in statements:
                if assigned(statement) == target:
                    return statements, _reserved(statement)
        self.function.fail(call, "dma() must write into a block that this function reserves, "
                                 f"found '{target}'")

    def _check_scope(self, call, names, counters, home):
        """Fails if a counter that decides about the pipes has no value at the receives."""
        for name, loop in counters:
            inside = any(statement is loop for statement in home)
            if name in names and inside:
                self.function.fail(
                    call,
                    f"the nodes that take part in this dma() depend on '{name}', the counter of a "
                    f"loop inside the statements that reserve '{ast.unparse(call.args[1])}': "
                    "reserve the block in that loop",
                )

    def _groups(self, call, counters):
        """Returns (names, {values: pipes}): the counters on which the pipes depend, and for their
        values the pipes, as (node, core, shape). `counters` are the pairs of visit()."""
        names = [name for name, _ in counters]
        rounds = {values: self._pipes(call, names, values) for values in self._domain(call, counters)}
        for chosen in ((), *((name,) for name in names)):
            groups = _grouped(rounds, [names.index(name) for name in chosen])
            if groups is not None:
                return chosen, {values: pipes for values, pipes in groups.items() if pipes or not values}
        return tuple(names), {values: pipes for values, pipes in rounds.items() if pipes}

    def _domain(self, call, counters):
        """Returns the values that the counters take together."""
        if isinstance(self.traces, Exception):
            self.function.fail(
                call if not hasattr(self.traces.node, "lineno") else self.traces.node,
                "the nodes that take part in a dma() must be known before the kernel runs, but "
                f"'{self.traces}' is not known: use only core_index(), counters of loops and "
                "constants in it",
            )
        taken = []
        for _, loop in counters:
            values = (trace.rounds.get(id(loop), ()) for trace in self.traces.values())
            taken.append(sorted(set().union(*values)))
        return list(itertools.product(*taken))

    def _pipes(self, call, names, values):
        """Returns the pipes for one combination of the counters' values, as (node, core, shape)."""
        found = {}
        for node, trace in self.traces.items():
            for send, counted, core, shape in trace.sends:
                if send is not call or tuple(counted[name] for name in names) != values:
                    continue
                if found.setdefault(node, (core, shape)) != (core, shape):
                    self.function.fail(
                        call, "dma() names different nodes in one round of the 'for' loops around "
                              "it: make the nodes depend on core_index() and these loops' counters"
                    )
        return tuple((node, *target) for node, target in found.items())


def _grouped(rounds, places):
    """Returns {values: pipes} for the counters at these places; None if the pipes depend on other
    counters, too."""
    groups = {}
    for values, pipes in rounds.items():
        if groups.setdefault(tuple(values[place] for place in places), pipes) != pipes:
            return None
    return groups


def _chosen(names, cases):
    """Returns the text of the statement for the values that the counters have."""
    if not names:
        return cases[0][1]
    lines = []
    for values, statement in cases:
        test = " and ".join(f"{name} == {value}" for name, value in zip(names, values))
        lines.append(f"{'elif' if lines else 'if'} {test}:\n {statement}")
    return "\n".join(lines) or "pass"


def _reserved(statement):
    """Returns the buffer of `block = buffer.reserve()`; None for any other value."""
    return getattr(getattr(getattr(statement.value, "func", None), "value", None), "id", None)


def _end_of_block(statements, buffer):
    """Returns the index of the first push() or pop() of the buffer among the statements; the number of
    the statements if there is none."""
    for number, statement in enumerate(statements):
        if method_of(getattr(statement, "value", None), buffer) in ("push", "pop"):
            return number
    return len(statements)


def _pipe(source, core, shape, is_collective):
    """Returns a pipe. Nodes are (row, column) in arguments of dma() and (column, row) in pipes."""
    (row, column), (rows, columns) = core, shape
    if not is_collective:
        return _pipes.Pipe(source, (column, row))
    return _pipes.Pipe(source, (slice(column, column + columns), slice(row, row + rows)))


def _parts(core, shape, left_out):
    """Yields rectangles, as (core, shape), that together have the nodes of one rectangle without the
    node `left_out`."""
    (row, column), (rows, columns) = core, shape
    y, x = left_out or (-1, -1)
    if not (row <= y < row + rows and column <= x < column + columns):
        yield core, shape
        return
    parts = (
        ((row, column), (y - row, columns)),
        ((y + 1, column), (row + rows - y - 1, columns)),
        ((y, column), (1, x - column)),
        ((y, x + 1), (1, column + columns - x - 1)),
    )
    yield from (part for part in parts if min(part[1]) > 0)


def _drop_wait(statements, number, handle):
    """Removes the wait() for a handle, because the send already waits."""
    for position in range(number + 1, len(statements)):
        text = ast.unparse(statements[position])
        if text in (f"{handle}.wait()", f"await {handle}"):
            del statements[position]
            return
        if assigned(statements[position]) == handle:
            return
