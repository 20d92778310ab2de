# SPDX-License-Identifier: Apache-2.0
"""Makes a program smaller while it still shows a finding."""

import ast

from fuzz_mutations import compiles

MAX_TRIALS = 150


def minimise(text, shows):
    """The smallest program found. `shows(text)` runs a program."""
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
    """Lists of statements, of the whole module first."""
    rest, blocks = [tree], []
    for node in rest:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                blocks.append(block)
        rest += [each for each in ast.iter_child_nodes(node)]
    return blocks


def _without(text, index):
    """The program without its statement number `index`; None if it has no more."""
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
