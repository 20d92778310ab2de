# ===- _pykernel_own.py - blocks that a data movement function does not fill --=== #
# SPDX-License-Identifier: Apache-2.0
#
# In @pykernel_gen operations on a card, the buffer of a tensor that is not a stream lies on the node's
# part of the tensor. A data movement function that reserves its block, and copies nothing into it,
# passes this part on to the compute function or to other nodes. In ttl-jit the buffer has memory of its
# own, so this file adds a copy that fills the block.
# ===--------------------------------------------------------------------------=== #

import ast

from ttl import _pykernel_functions
from ttl._api import TABLE
from ttl._pykernel_tree import assigned, dma_of, is_dma, is_send, method_of, parsed


def run(function):
    """Adds a copy for each reserved block that no statement fills. Returns the numbers of the tensors
    whose parts are copied."""
    owned = set()
    for position, name in enumerate(function.buffer_names):
        for variable in _variables(function.node, name):
            sends = _sends_only(function.node, variable)
            if sends is None:
                continue
            owned.add(position)
            tensor = f"__own{position}"
            function.values[tensor] = function.tensors[position]
            function.values["__core_index"] = _pykernel_functions.core_index
            function.values["__copy"] = TABLE["copy"]
            text = f"__copy({tensor}[__core_index(0), __core_index(1)], {variable}).wait()"
            _insert(function.node, variable, name, sends, text)
    return owned


def _variables(tree, name):
    """Returns the variables that hold a block of a buffer, each once."""
    reserves = (node for node in ast.walk(tree) if isinstance(node, ast.Assign)
                and method_of(node.value, name) == "reserve")
    return dict.fromkeys(filter(None, map(assigned, reserves)))


def _sends_only(tree, variable):
    """Returns the dma() calls to other nodes that send a block; None if something else uses it."""
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == variable
            and isinstance(node.ctx, ast.Load)]
    sends = [node for node in ast.walk(tree) if is_dma(node) and is_send(node)]
    arguments = {id(argument) for call in sends for argument in call.args}
    if any(id(use) not in arguments for use in uses):
        return None
    return [call for call in sends if getattr(call.args[0], "id", None) == variable]


def _insert(node, variable, name, sends, text):
    """Inserts the copy before each send; if there is no send, after the reserve()."""
    for list_name in ("body", "orelse"):
        statements = getattr(node, list_name, None)
        if not isinstance(statements, list):
            continue
        number = 0
        while number < len(statements):
            statement = statements[number]
            if sends and dma_of(statement) in sends:
                statements.insert(number, parsed(text, statement))
                number += 1
            elif not sends and assigned(statement) == variable and method_of(statement.value, name):
                statements.insert(number + 1, parsed(text, statement))
                number += 1
            _insert(statement, variable, name, sends, text)
            number += 1
