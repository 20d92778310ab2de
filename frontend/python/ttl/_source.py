# ===- _source.py - finds the syntax trees of functions -----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Whole files are parsed, not single functions, so that positions are those of the file. A file may
# have been edited since Python read it. This file therefore uses the text that compiles to the
# function's code.
# ===--------------------------------------------------------------------------=== #

import ast
import functools
import linecache
import os
import stat
import sys
import time
import types

from ttl import _errors, _location

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MAX_TEXTS = 8  # the most texts of one file that are kept
_STARTED = time.time()


# The names of the fields of each kind of node that hold statements. Other kinds have no such fields.
_BODIES = {
    kind: tuple(
        name
        for name in kind._fields
        if name in ("body", "orelse", "finalbody", "handlers", "cases")
    )
    for kind in vars(ast).values()
    if isinstance(kind, type)
    and issubclass(kind, (ast.mod, ast.stmt, ast.excepthandler, ast.match_case))
}


def _statements(tree):
    """Returns all statements of a module. Faster than ast.walk(), which also visits expressions."""
    rest = [tree]
    while rest:
        node = rest.pop()
        yield node
        for name in _BODIES.get(type(node), ()):
            rest += getattr(node, name)


def own_statements(function):
    """Returns all statements of a function's syntax tree, without those of functions and classes
    inside it."""
    found, rest = [], list(function.body)
    while rest:
        node = rest.pop(0)
        found.append(node)
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            rest[:0] = [each for name in _BODIES.get(type(node), ()) for each in getattr(node, name)]
    return found


class SourceFile:
    """One text of a file, parsed. It finds the syntax trees of the file's functions."""

    def __init__(self, name, text):
        self.name = name
        self.text = text
        # Columns of syntax trees count bytes. The compiler needs the lines to convert columns to
        # characters, but only if the text is not ASCII.
        self.lines = [] if text.isascii() else text.splitlines()
        self.tree = ast.parse(text, name)
        self.functions = {}
        for node in _statements(self.tree):
            if isinstance(node, _FUNCTIONS):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                self.functions[first, node.name] = node

    @functools.cached_property
    def lambdas(self):
        """The lambdas that begin on each line: {line: nodes}."""
        found = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Lambda):
                found.setdefault(node.lineno, []).append(node)
        return found

    @functools.cached_property
    def codes(self):
        """The code objects of the text; none if Python does not compile it."""
        # This compiles the text, not the tree, because Python refuses to compile trees as deep as
        # those of long elif chains.
        try:
            return _codes_in(compile(self.text, self.name, "exec", dont_inherit=True))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return set()

    def find(self, code):
        """Returns the syntax tree node of a function's code object, or None."""
        if code.co_name != "<lambda>":
            return self.functions.get((code.co_firstlineno, code.co_name))
        candidates = self.lambdas.get(code.co_firstlineno, [])
        places = {(line, column) for line, _, column, _ in code.co_positions() if line}
        inside = [c for c in candidates if (c.body.lineno, c.body.col_offset) in places]
        return inside[0] if inside else candidates[0] if len(candidates) == 1 else None


def _codes_in(code):
    """Returns a code object and all code objects inside it, as a set."""
    codes, rest = set(), [code]
    while rest:
        code = rest.pop()
        codes.add(code)
        rest += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return codes


# ===--------------------------------------------------------------------------=== #
# Texts of files
# ===--------------------------------------------------------------------------=== #

_texts = {}  # name of a file -> the texts that it had when operations were defined
_nodes = {}  # (code, name of its file) -> (SourceFile, node)
_files = {}  # (name, text) -> SourceFile, or None if the text does not compile


def remember(function):
    """Keeps the current text of a function's file."""
    name = function.__code__.co_filename
    text = _current_text(name, function.__globals__)
    known = _texts.setdefault(name, [])
    if text and text not in known:
        known.insert(0, text)
        del known[_MAX_TEXTS:]


def _current_text(name, scope):
    """Returns the current text of a file, a lazily loaded module, `python3 -c` or standard
    input."""
    linecache.checkcache(name)
    text = "".join(linecache.getlines(name, scope))
    if not text and name == "<string>":
        text = _command_line()
    if not text and name == "<stdin>":
        text = _standard_input()
    if text and name in ("<string>", "<stdin>"):
        # Register the text, so that messages and tracebacks can show its lines.
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return text


def _command_line():
    """Returns the program text of `python3 -c`."""
    arguments = sys.orig_argv[1:]
    for option, value in zip(arguments, arguments[1:]):
        if option.startswith("-") and not option.startswith("--") and option.endswith("c"):
            return value + "\n"
    return ""


def _standard_input():
    """Returns the program text that Python read from standard input, if standard input is a
    file."""
    try:
        status = os.fstat(0)
        if stat.S_ISREG(status.st_mode):
            return os.pread(0, status.st_size, 0).decode()
    except (OSError, ValueError):
        pass
    return ""


def _parse(name, text):
    """Returns the SourceFile of a text, or None if the text does not parse."""
    if (name, text) not in _files:
        try:
            _files[name, text] = SourceFile(name, text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            _files[name, text] = None
    return _files[name, text]


# ===--------------------------------------------------------------------------=== #
# Syntax trees of functions
# ===--------------------------------------------------------------------------=== #


def function_node(function):
    """Returns (SourceFile, node) of a Python function; the node is None if there is no source.
    Raises a CompileError if the file was edited since Python read the function."""
    code = function.__code__
    known = _nodes.get((code, code.co_filename))
    if known is None:
        known = _find(code, function.__globals__)
        if known[1] is not None:
            _nodes[code, code.co_filename] = known
    return known


def _find(code, scope):
    name = code.co_filename
    remembered = _texts.get(name, ())
    texts = [*remembered, "".join(linecache.getlines(name, scope)), _current_text(name, scope)]
    files = [_parse(name, text) for text in dict.fromkeys(texts) if text]
    was_edited = _was_edited(name)
    if was_edited or len(files) > 1:
        for file in files:
            if file is not None and code in file.codes:
                return file, file.find(code)
        files = [file if file is not None and file.codes else None for file in files]
    # No text compiles to this code: an import hook may have rewritten it, as pytest does with
    # asserts. Look for the name and the line instead.
    for file in files[: len(remembered)] if was_edited else files:
        node = file.find(code) if file else None
        if node is not None:
            return file, node
    if not was_edited or not files:
        return SourceFile(name, ""), None
    raise _errors.CompileError(
        f"{name} was edited after Python read {code.co_name}() from it: run the program again",
        _location.start_of(code),
    )


def _was_edited(name):
    try:
        return os.stat(name).st_mtime >= _STARTED
    except (OSError, ValueError):
        return False


def returns(function):
    """Returns the positions of the statements that return a value from a function."""
    file, node = function_node(function)
    return [
        _location.Location(file.name, each.lineno, each.col_offset + 1, each.end_lineno,
                           each.end_col_offset + 1)
        for each in (own_statements(node) if node else ())
        if isinstance(each, ast.Return) and each.value is not None
        and not (isinstance(each.value, ast.Constant) and each.value.value is None)
    ]


def require_node(function, what):
    """Returns the same pair as function_node; raises a CompileError if there is no source."""
    file, node = function_node(function)
    if node is None:
        code = function.__code__
        raise _errors.CompileError(
            f"the source of {what} {code.co_name}() is not available: Python read it from "
            f"{code.co_filename}:{code.co_firstlineno}; move the function into a file",
            _location.start_of(code),
        )
    return file, node


def is_bound_outside(function, name):
    """Returns whether a function around this one has a local variable of that name, or its module
    has a global one."""
    file, _ = function_node(function)
    inner = function.__code__
    while inner is not None:
        inner = next((code for code in file.codes if _contains(code, inner)), None)
        if inner is not None and name in (*inner.co_varnames, *inner.co_cellvars):
            return True
    return name in function.__globals__


def _contains(code, inner):
    """Returns whether `inner` is the code of a function directly inside `code`. An import hook may
    have made another code object of the same function."""
    return any(
        isinstance(const, types.CodeType)
        and (const.co_name, const.co_firstlineno) == (inner.co_name, inner.co_firstlineno)
        for const in code.co_consts
    )


def similar(name, candidates):
    """Returns the candidate that a misspelled name probably means, or None."""
    import difflib  # slow to import

    return next(iter(difflib.get_close_matches(name, list(candidates), 1, 0.7)), None)


def note_node(function, file, node):
    """Records the syntax tree from which a function was made, so that function_node() finds it."""
    code = function.__code__
    _nodes[code, code.co_filename] = (file, node)
