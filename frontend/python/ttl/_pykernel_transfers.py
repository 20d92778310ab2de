# ===- _pykernel_transfers.py - adds data movement that the oldest spelling omits === #
# SPDX-License-Identifier: Apache-2.0
#
# Problem: for a tensor that is not a stream, the node's part of the tensor is in the node's L1.
# The compute function writes blocks that no kernel function copies to the tensor, and waits for
# blocks that no kernel function copies from it.
#
# Steps: find the buffers that only the compute function uses. Copy the compute function's loops
# and branches around their wait() and push(). Replace these calls by copies between the buffer and
# the node's part of the tensor. The result is a data movement function. If the operation already
# has two of these, the statements are appended to the second one.
#
# A part of several blocks moves row by row, and then from the first block again: a counter says which
# block is next.
#
# The compute function may fill a buffer, wait for it and fill it again. The first blocks then stay
# in the compute function: they get a buffer of their own.
# ===--------------------------------------------------------------------------=== #

import ast
import copy
from typing import NamedTuple

from ttl import _buffers, _pykernel_functions
from ttl._api import TABLE
from ttl._pykernel_tree import lists_of, method_of, own_calls, parsed, words_of

MAX_BLOCKS = _buffers.MAX_BLOCKS


def complete(call, functions, reading):
    """Adds code that moves the blocks of buffers which only the compute function uses."""
    compute = next((each for each in functions if each.kind == "compute"), None)
    if compute is None:
        return
    movers = [each for each in functions if each.kind == "datamovement"]
    for name in list(compute.buffers):
        if words_of(name, compute.node).wait and words_of(name, compute.node).reserve:
            _keep_first_blocks(call, compute, name)
    copies = _copies(compute, movers, reading)
    body = _Mirror(compute, copies).run() if copies else []
    if not body:
        return
    values = {"__copy": TABLE["copy"], "__core_index": _pykernel_functions.core_index}
    body = _counters(copies, body[0]) + body
    if len(movers) < 2:
        functions.append(_new_function(compute, body, values))
        return
    for name in copies:
        compute.buffers[name].block_count = MAX_BLOCKS
    movers[1].body = movers[1].node.body = movers[1].body + body
    movers[1].values = {**compute.values, **movers[1].values, **values}


def _counters(copies, place):
    """Returns statements that set the counters of parts of several blocks to zero."""
    return [parsed(f"{move.counter} = 0", place) for move in copies.values() if move.counter]


def _new_function(compute, body, values):
    function = copy.copy(compute)
    function.kind, function.name = "datamovement", f"{compute.name}_transfers"
    function.node = copy.copy(compute.node)
    function.node.name = function.name
    function.body = body
    function.values = {**compute.values, **values}
    return function


class _Move(NamedTuple):
    """How to move the blocks of a buffer: `word` is the method by which the compute function acquires
    ("wait") or releases ("push") a block; `block` and `part` are the rows and columns of a block and of
    a node's part of the tensor."""

    word: str
    tensor: object
    block: tuple
    part: tuple
    counter: str  # the variable with the number of the next block; "" for parts of one block


def _copies(compute, movers, reading):
    """Returns the _Move of each buffer to move, by the parameter of the compute function."""
    found = {}
    for position, (name, buffer) in enumerate(compute.buffers.items()):
        if position >= len(compute.tensors):
            break
        used = [words_of(other, mover.node) for mover in movers
                for other, its in mover.buffers.items() if its is buffer]
        mine = words_of(name, compute.node)
        part = reading.parts[position]
        counter = f"__{name}_next" if part != (1, 1) else ""
        move = (compute.tensors[position], reading.blocks[position], part, counter)
        if mine.reserve and not any(words.wait for words in used):
            found[name] = _Move("push", *move)
        elif mine.wait and not any(words.reserve for words in used):
            found[name] = _Move("wait", *move)
    return found


# ===--------------------------------------------------------------------------=== #
# Buffers of the compute function alone
# ===--------------------------------------------------------------------------=== #


def _keep_first_blocks(call, compute, name):
    """Replaces the buffer by a new one in the first calls of reserve() and push(), and in the
    calls of wait() and pop(). It replaces as many calls of each as there are calls of wait()."""
    buffer = compute.buffers[name]
    kept = f"__{name}_kept"
    made = _buffers.DataflowBuffer(
        buffer.dtype, buffer.tiled, buffer.shape, buffer.block_count, None, call,
        buffer.location,
    )
    made.name = f"{name}_kept"
    call.buffers.append(made)
    compute.values[kept] = made
    compute.buffers[kept] = made
    left = dict.fromkeys(("wait", "pop", "reserve", "push"), words_of(name, compute.node).wait)
    calls = [each for each in ast.walk(compute.node) if method_of(each, name) in left]
    for each in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        if left[each.func.attr]:
            left[each.func.attr] -= 1
            each.func.value.id = kept


# ===--------------------------------------------------------------------------=== #
# Statements copied from the compute function


class _Mirror:
    """Copies the compute function's statements around the blocks that must be moved."""

    def __init__(self, compute, copies):
        self.compute = compute
        self.copies = copies
        self.needed = set()  # variables that the copied statements read

    def run(self):
        while True:
            before = set(self.needed)
            body = self._of(self.compute.body)
            if self.needed == before:
                return body

    def _of(self, statements):
        kept = []
        for statement in statements:
            if isinstance(statement, (ast.For, ast.While, ast.If, ast.With)):
                kept += self._compound(statement)
            elif isinstance(statement, (ast.Break, ast.Continue, ast.Return)):
                kept.append(statement)
            else:
                kept += self._simple(statement)
        return kept

    def _with(self, statement):
        """Copies a `with` statement, which releases at its end the blocks that its items
        acquire."""
        items = ast.Expr(ast.Tuple([item.context_expr for item in statement.items], ast.Load()))
        body = self._of(statement.body)
        return self._at_calls(items, "wait") + body + self._at_calls(items, "push", "reserve")

    def _compound(self, statement):
        if isinstance(statement, ast.With):
            return self._with(statement)
        made = copy.copy(statement)
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if inner:
                setattr(made, name, self._of(inner))
        if not lists_of(made):
            return []
        made.body = made.body or [ast.copy_location(ast.Pass(), statement)]
        header = statement.iter if isinstance(statement, ast.For) else statement.test
        self._need(header)
        return [made]

    def _at_calls(self, statement, wanted, method=None):
        """Returns a copy between buffer and tensor for each call of `method` in the statement. Only
        buffers count whose entry in self.copies has the word `wanted`. Without `method`, the calls
        of the method `wanted` count."""
        made = []
        for call in own_calls(statement):
            for name, move in self.copies.items():
                if move.word == wanted and method_of(call, name) == (method or wanted):
                    made += _copy_statements(call, name, move, self._tensor(move.tensor))
        return made

    def _simple(self, statement):
        made = self._at_calls(statement, "wait") + self._at_calls(statement, "push")
        if made or not isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            return made
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        stored = {n.id for each in targets for n in ast.walk(each) if isinstance(n, ast.Name)}
        if not stored & self.needed:
            return []
        self._need(statement.value)
        return [statement]

    def _need(self, expression):
        self.needed |= {n.id for n in ast.walk(expression) if isinstance(n, ast.Name)}

    def _tensor(self, tensor):
        """Returns the name of a variable that holds the tensor."""
        name = next((n for n, value in self.compute.values.items() if value is tensor), None)
        if name is None:
            number = [id(value) for value in self.compute.tensors].index(id(tensor))
            name = f"__tensor{number}"
            self.compute.values[name] = tensor
        return name


def _copy_statements(place, buffer, move, tensor):
    """Returns the statements that copy one block between a buffer and the node's part of a
    tensor."""
    axes = zip(range(2), move.block, move.part, _steps(move))
    part = f"{tensor}[{', '.join(_range(*axis) for axis in axes)}]"
    copied = f"__copy({part}, __block)" if move.word == "wait" else f"__copy(__block, {part})"
    acquire = "reserve" if move.word == "wait" else "wait"
    made = [parsed(f"with {buffer}.{acquire}() as __block:\n {copied}.wait()", place)]
    if move.counter:
        made.append(parsed(f"{move.counter} = {move.counter} + 1", place))
    return made


def _steps(move):
    """Returns the row and the column of the next block in a part, as text."""
    if not move.counter:
        return "", ""
    rows, columns = move.part
    return f" + {move.counter} // {columns} % {rows}", f" + {move.counter} % {columns}"


def _range(dim, block, part, step):
    number = f"(__core_index({dim}) * {part}{step})" if step else f"__core_index({dim})"
    return f"{number} * {block}:({number} + 1) * {block}"
