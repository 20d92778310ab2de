# ===- _pykernel_sums.py - products that are added up -------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# In @pykernel_gen operations, a loop may store several matrix products into one block, which then has the
# sum of the products. This file writes such stores as store(product, acc=True), if the block is reserved
# before the loop. If the block is a node's whole part of an output and the loop reserves and releases it,
# both calls are moved out of the loop first.
# ===--------------------------------------------------------------------------=== #

import ast

from ttl._pykernel_tree import assigned, method_of, parsed

_LOOPS = (ast.For, ast.While)


def has_products(function, name):
    """Returns whether everything that a function stores into the blocks of a buffer is a matrix
    product."""
    values = [call.args[0] for call in _stores(function, name) if call.args]
    return bool(values) and all(_is_product(function, value) for value in values)


def move_out(function, name):
    """Moves the reserve() and push() of a buffer out of the loops around them."""
    path = _path_of_reserve(function.node.body, name, ())
    loop = next((place for place in path if isinstance(place[0][place[1]], _LOOPS)), None)
    if loop is None:
        return
    variable = _take_reserve(path[-1], name)
    _drop_releases(function.node, name)
    statements, number = loop
    place = statements[number]
    statements.insert(number + 1, parsed(f"{name}.push()", place))
    statements.insert(number, parsed(f"{variable} = {name}.reserve()", place))


def add_up(function):
    """Writes acc=True into the stores of products in loops, if the block is reserved before the loop.
    Returns the names of the buffers."""
    found = []
    for name in function.buffer_names:
        loops = _loops_around(function.node, lambda node: method_of(node, name) == "reserve")
        for call in _stores(function, name):
            around = _loops_around(function.node, lambda node: node is call)
            if len(around) > len(loops) and call.args and _is_product(function, call.args[0]):
                call.keywords = [ast.keyword("acc", ast.copy_location(ast.Constant(True), call))]
                found.append(name)
    return found


def _stores(function, name):
    """Returns the store() calls on the blocks of a buffer."""
    variables = set()
    for node in ast.walk(function.node):
        if isinstance(node, ast.Assign) and method_of(node.value, name) == "reserve":
            variables.add(assigned(node))
        elif isinstance(node, ast.withitem) and method_of(node.context_expr, name) == "reserve":
            variables.add(getattr(node.optional_vars, "id", None))
    return [
        node
        for node in ast.walk(function.node)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "store"
        and (
            getattr(node.func.value, "id", None) in variables - {None}
            or method_of(node.func.value, name) == "reserve"
        )
    ]


def _is_product(function, value):
    if isinstance(value, ast.Name):
        given = [node.value for node in ast.walk(function.node) if assigned(node) == value.id]
        return len(given) == 1 and _is_product(function, given[0])
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.MatMult)


def _loops_around(tree, wanted):
    """Returns the loops around the first node that is wanted."""

    def find(node, loops):
        if wanted(node):
            return loops
        inner = [*loops, node] if isinstance(node, _LOOPS) else loops
        found = (find(child, inner) for child in ast.iter_child_nodes(node))
        return next((each for each in found if each is not None), None)

    return find(tree, []) or []


def _path_of_reserve(statements, name, path):
    """Returns the (statements, number) from the function's body to the statement that reserves a
    block of the buffer; () if there is none."""
    for number, statement in enumerate(statements):
        here = (*path, (statements, number))
        for inner in ("body", "orelse"):
            found = _path_of_reserve(getattr(statement, inner, []), name, here)
            if found:
                return found
        if any(method_of(node, name) == "reserve" for node in ast.walk(statement)):
            return here
    return ()


def _take_reserve(place, name):
    """Removes reserve() from a statement. Returns the variable that holds the block."""
    statements, number = place
    statement = statements[number]
    variable = f"__{name}_sum"
    if isinstance(statement, ast.Assign) and method_of(statement.value, name) == "reserve":
        statements[number] = ast.copy_location(ast.Pass(), statement)
        return assigned(statement)
    if isinstance(statement, ast.With):
        return _take_item(statements, number, name)
    _Replace(name, variable).visit(statement)
    return variable


def _take_item(statements, number, name):
    statement = statements[number]
    item = next(item for item in statement.items if method_of(item.context_expr, name) == "reserve")
    statement.items.remove(item)
    if not statement.items:
        statements[number : number + 1] = statement.body
    return item.optional_vars.id


class _Replace(ast.NodeTransformer):
    """Replaces reserve() by the variable that holds the block."""

    def __init__(self, name, variable):
        self.name, self.variable = name, variable

    def visit_Call(self, node):
        if method_of(node, self.name) == "reserve":
            return ast.copy_location(ast.Name(self.variable, ast.Load()), node)
        return self.generic_visit(node)


def _drop_releases(tree, name):
    for node in ast.walk(tree):
        for inner in ("body", "orelse"):
            statements = getattr(node, inner, None)
            if isinstance(statements, list):
                for number, statement in enumerate(statements):
                    call = getattr(statement, "value", None)
                    if method_of(call, name) in ("pop", "push"):
                        statements[number] = ast.copy_location(ast.Pass(), statement)
