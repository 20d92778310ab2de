# ===- _source.py - functions back to their syntax trees -----------------------===//
# SPDX-License-Identifier: Apache-2.0
#
# Whole files are parsed, not the functions alone, so that positions are those
# of the file.
# ===----------------------------------------------------------------------------===//

import ast
import difflib
import linecache

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class SourceFile:
    """A parsed file and where its functions stand."""

    def __init__(self, name, text):
        self.name = name
        self.text = text
        self.lines = text.splitlines()
        self.functions = {}
        self.lambdas = {}
        for node in ast.walk(ast.parse(text, name)):
            if isinstance(node, _FUNCTIONS):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                self.functions[first, node.name] = node
            elif isinstance(node, ast.Lambda):
                self.lambdas.setdefault(node.lineno, []).append(node)

    def find(self, code):
        """The node of a function's code object, or None."""
        if code.co_name != "<lambda>":
            return self.functions.get((code.co_firstlineno, code.co_name))
        candidates = self.lambdas.get(code.co_firstlineno, [])
        places = {(line, column) for line, _, column, _ in code.co_positions() if line}
        inside = [c for c in candidates if (c.body.lineno, c.body.col_offset) in places]
        return inside[0] if inside else candidates[0] if len(candidates) == 1 else None


_files = {}


def source_file(name):
    """The parsed file of that name, read again when its text changed."""
    text = "".join(linecache.getlines(name))
    known = _files.get(name)
    if known is None or known.text != text:
        known = _files[name] = SourceFile(name, text)
    return known


def function_node(function):
    """(SourceFile, node) of a Python function; the node is None if there is no source."""
    code = function.__code__
    file = source_file(code.co_filename)
    return file, file.find(code)


def similar(name, candidates):
    """The candidate that a misspelled name probably means, or None."""
    return next(iter(difflib.get_close_matches(name, list(candidates), 1, 0.7)), None)
