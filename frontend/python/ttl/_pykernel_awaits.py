# ===- _pykernel_awaits.py - kernel functions that await and yield blocks -----=== #
# SPDX-License-Identifier: Apache-2.0
#
# Before buffers had methods, a parameter was the block itself: `await x` waited for it, and
# `yield y` passed it on. This file writes such functions with wait(), reserve() and push().
# ===--------------------------------------------------------------------------=== #

import ast

from ttl._pykernel_tree import assigned, parsed


def run(function):
    """Rewrites a kernel function that awaits or yields its parameters."""
    used = {
        node.value.id
        for node in ast.walk(function.node)
        if isinstance(node, (ast.Await, ast.Yield))
        and isinstance(node.value, ast.Name)
        and node.value.id in function.buffer_names
    }
    if used:
        _Statements(function, used).visit(function.node)


class _Statements(ast.NodeTransformer):
    """Rewrites statements. `names` are the parameters that the function awaits or yields. The block of
    a parameter x is in the new variable __x_block."""

    def __init__(self, function, names):
        self.names = names
        # The names that the function assigns. A data movement function does not assign the block that
        # it yields: dma() fills the block.
        self.made = {assigned(each) for each in ast.walk(function.node) if isinstance(each, ast.stmt)}

    def generic_visit(self, node):
        super().generic_visit(node)
        for name in ("body", "orelse"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                self._reserve(statements)
        return node

    def _reserve(self, statements):
        """Inserts reserve() for the blocks that these statements push and that the function does not
        assign."""
        for name in sorted(self.names - self.made):
            push = next((each for each in statements if ast.unparse(each) == f"{name}.push()"), None)
            if push is not None:
                statements.insert(0, parsed(f"__{name}_block = {name}.reserve()", statements[0]))

    def visit_Expr(self, node):
        value = node.value
        name = getattr(getattr(value, "value", None), "id", None)
        if name in self.names and isinstance(value, ast.Yield):
            return parsed(f"{name}.push()", node)
        if name in self.names and isinstance(value, ast.Await):
            return parsed(f"__{name}_block = {name}.wait()", node)
        return self.generic_visit(node)

    def visit_Assign(self, node):
        name = assigned(node)
        if name not in self.names:
            return self.generic_visit(node)
        reserve = parsed(f"__{name}_block = {name}.reserve()", node)
        store = parsed(f"__{name}_block.store(0)", node)
        store.value.args = [self.visit(node.value)]
        return [reserve, store]

    def visit_Name(self, node):
        if node.id in self.names:
            node.id = f"__{node.id}_block"
        return node
