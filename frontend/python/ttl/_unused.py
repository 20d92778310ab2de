# ===- _unused.py - functions of a body that nothing uses ---------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A function in the body of an operation becomes a thread by its decorator. The compiler does not see a
# function that has no decorator and is never called. This file warns of such functions, because an
# author who forgot the decorator would get no result, or a message about another thread.
# ===--------------------------------------------------------------------------=== #

import ast

from ttl import _location, _source, _warnings


def warn(function):
    """Warns of each function in the body of `function` that has no decorator and that nothing
    mentions."""
    file, body = _source.function_node(function)
    if body is None:
        return
    found = [node for node in _source.own_statements(body) if isinstance(node, ast.FunctionDef)]
    if not found:
        return
    used = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
    for node in found:
        if not node.decorator_list and node.name not in used:
            _warn(file, node)


def _warn(file, node):
    _warnings.warn(
        _warnings.KernelWarning(
            f"nothing calls {node.name}(), and no decorator makes it a thread: write @ttl.compute() "
            "or @ttl.datamovement() above it, call it, or delete it",
            _location.of_definition(file, node),
        )
    )
