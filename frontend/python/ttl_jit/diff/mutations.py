# SPDX-License-Identifier: Apache-2.0
"""Mutants of programs: numbers, operators and functions of a valid program are exchanged. Most
mutants are valid; those that are not must be refused with the same message in all runs."""

import ast
import random

from ttl_jit.diff.functions import FUNCTIONS

_OPERATORS = (ast.Add, ast.Sub, ast.Mult)
_UNARY = sorted(
    name for name, each in FUNCTIONS.items()
    if each.text == f"ttl.math.{name}({{0}})" and each.kinds == "f"
)
MOST_CHANGES = 3


class _Mutator(ast.NodeTransformer):
    """Changes the nodes with these numbers, in the order of the visit, if they can be changed."""

    def __init__(self, choice, numbers):
        self.choice, self.numbers, self.count = choice, numbers, 0

    def _is_chosen(self):
        self.count += 1
        return self.count - 1 in self.numbers

    def visit_Constant(self, node):
        if type(node.value) is int and self._is_chosen():
            changed = self.choice.choice((node.value + 1, max(node.value - 1, 0), 1, 2))
            return ast.copy_location(ast.Constant(changed), node)
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, _OPERATORS) and self._is_chosen():
            node.op = self.choice.choice(_OPERATORS)()
        return node

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr in _UNARY and self._is_chosen():
            node.attr = self.choice.choice(_UNARY)
        return node


def mutant(text, seed):
    """Returns a mutant of the program."""
    choice = random.Random(seed)
    counter = _Mutator(choice, ())
    counter.visit(ast.parse(text))
    numbers = {choice.randrange(max(counter.count, 1)) for _ in range(choice.randint(1, MOST_CHANGES))}
    tree = _Mutator(choice, numbers).visit(ast.parse(text))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
