# ===- _pykernel_tree.py - parts of the syntax trees of kernel functions ------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The files _pykernel_*.py look for the same calls in the trees of kernel functions, and make
# statements at the position of others.
# ===--------------------------------------------------------------------------=== #

import ast
from typing import NamedTuple

_LISTS = ("body", "orelse", "finalbody", "handlers")
ENDS = (ast.Return, ast.Break, ast.Continue)


class Words(NamedTuple):
    """The number of times that a function calls each method of one buffer."""

    wait: int
    reserve: int
    push: int
    pop: int

    @property
    def meaning_of_pop(self):
        """Returns the method that pop() stands for. In @pykernel_gen operations, pop() has three
        meanings."""
        if self.wait:
            return "pop"
        return "push" if self.reserve else "wait"

    @property
    def takes(self):
        """Returns whether the function takes filled blocks."""
        return bool(self.wait or (self.pop and not self.reserve))


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


def lists_of(statement):
    """Returns the blocks of statements inside a statement."""
    return [getattr(statement, name) for name in _LISTS if getattr(statement, name, None)]


def own_nodes(statement):
    """Returns the nodes of a statement itself, without the statements inside it."""
    found, rest = [], [statement]
    while rest:
        node = rest.pop()
        found.append(node)
        rest += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
    return found


def own_calls(statement):
    """Returns the calls in a statement itself, in their order."""
    found = [node for node in own_nodes(statement) if isinstance(node, ast.Call)]
    return sorted(found, key=lambda call: (call.lineno, call.col_offset))


def is_dma(node):
    return isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", None)) == "dma"


def is_send(node):
    """Returns whether a node is a dma() to other nodes."""
    return is_dma(node) and any(keyword.arg == "core" for keyword in node.keywords)


def dma_of(statement):
    """Returns the dma() in a statement `tx = dma()`, `dma().wait()` or `dma()`, or None."""
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Await):
        value = value.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and not is_dma(value):
        value = value.func.value
    return value if is_dma(value) else None


def assigned(statement):
    """Returns the name of the variable in `variable = value`, or None."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return getattr(statement.targets[0], "id", None)
    return None


def names_in(statements):
    return {
        node.id for each in statements for node in ast.walk(each) if isinstance(node, ast.Name)
    }


# ===--------------------------------------------------------------------------=== #
# Making statements
# ===--------------------------------------------------------------------------=== #


def place_at(node, place):
    """Gives the node the position of `place` where it has none; returns it."""
    for each in ast.walk(node):
        if not hasattr(each, "lineno") and isinstance(each, (ast.expr, ast.stmt)):
            ast.copy_location(each, place)
    return node


def parsed(text, place):
    """Parses a statement and gives it the source position of the node `place`."""
    (statement,) = ast.parse(text).body
    for node in ast.walk(statement):
        if hasattr(node, "lineno"):
            ast.copy_location(node, place)
    return statement


def method(place, owner, name, *arguments):
    """Returns the statement `owner.name(arguments)` at the position of `place`."""
    call = ast.Call(ast.Attribute(owner, name, ast.Load()), list(arguments), [])
    return place_at(ast.Expr(call), place)
