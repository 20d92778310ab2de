# SPDX-License-Identifier: Apache-2.0
"""Removes statements from a program as long as it still shows a finding."""

import ast

from fuzz_mutations import compiles

MAX_TRIALS = 150


def minimise(text, shows):
    """Returns the smallest program found for which `shows(text)` is true; it runs each program."""
    trials = MAX_TRIALS
    index = 0
    while trials > 0:
        smaller = _without(text, index)
        if smaller is None:
            return text
        index += 1
        if smaller == text or not compiles(smaller):
            continue
        trials -= 1
        if shows(smaller):
            text, index = smaller, index - 1
    return text


def _blocks(tree):
    """Returns the lists of statements in a tree; the module's own list is first."""
    rest, blocks = [tree], []
    for node in rest:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                blocks.append(block)
        rest += [each for each in ast.iter_child_nodes(node)]
    return blocks


def _without(text, index):
    """Returns the program without its statement number `index`, or None if it has fewer statements."""
    tree = ast.parse(text)
    for block in _blocks(tree):
        if index < len(block):
            removed = block.pop(index)
            if not block:
                if isinstance(removed, ast.Pass):
                    return text
                block.append(ast.Pass())
            return ast.unparse(tree) + "\n"
        index -= len(block)
    return None
