# ===- _places.py - breakpoints, and the lines of the program that have code --=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import ast
import dataclasses
import difflib
import linecache
import operator
import os
import re


class Mistake(Exception):
    """A mistake of the user, such as a wrong command. The text is shown to the user."""


_COMPARISONS = {"": operator.eq, "=": operator.eq, "==": operator.eq, ">": operator.gt, ">=": operator.ge,
                "<": operator.lt, "<=": operator.le, "%": lambda count, wanted: count % wanted == 0}


@dataclasses.dataclass
class Breakpoint:
    id: int
    kind: str  # "line", "op", "event" or "function"
    file: str = ""
    line: int = 0
    name: str = ""
    buffer_name: str = ""
    node: tuple | None = None
    device: int | None = None  # of the node, on a mesh
    thread: str = ""
    condition: str = ""
    hit_condition: str = ""  # "5", ">= 5" or "% 5": compared with `reached`
    log: str = ""  # a text that is shown instead of a stop
    reached: int = 0  # how often the place was reached and the condition held
    hits: int = 0  # how often the hit condition held too
    buffer: int | None = None  # the number of buffer_name in the current launch
    lines: list = dataclasses.field(default_factory=list)  # (file, line) in the current launch

    def text(self):
        if self.kind == "line":
            file, line = self.lines[0] if self.lines else (self.file, self.line)
            place = f"{os.path.basename(file)}:{line}" if file else f"line {line}"
        else:
            place = " ".join(filter(None, (self.kind, self.name, self.buffer_name)))
        device = "" if self.device is None else f" device {self.device}"
        node = f" on{device} node {self.node[0]},{self.node[1]}" if self.node else ""
        thread = f" in {self.thread}" if self.thread else ""
        condition = f" if {self.condition}" if self.condition else ""
        hits = f" hits {self.hit_condition}" if self.hit_condition else ""
        log = f": {self.log}" if self.log else ""
        return place + node + thread + hits + condition + log

    def counts(self):
        """Adds 1 to `reached`; returns whether the hit condition now holds."""
        self.reached += 1
        if not self.hit_condition:
            return True
        compare, wanted = hit_condition(self.hit_condition)
        return compare(self.reached, wanted)


def hit_condition(text):
    """Splits a hit condition such as ">= 5" into (comparison function, number). Raises a Mistake if it is
    wrong."""
    match = re.fullmatch(r"\s*(==|=|>=|>|<=|<|%|)\s*(\d{1,9})\s*", text)
    if not match or (match[1] == "%" and int(match[2]) == 0):
        raise Mistake(f"expected a number of hits, such as 5, >= 5 or % 5, found '{text}'")
    return _COMPARISONS[match[1]], int(match[2])


def is_path_end(path, end):
    return (not end or path == end or path.endswith("/" + end.lstrip("/"))
            or os.path.abspath(path) == os.path.abspath(end))


# ===--- Functions of the program ---------------------------------------------=== #


def functions(file):
    """Returns the ast nodes of all functions of a file; [] if the file cannot be parsed."""
    lines = tuple(linecache.getlines(file))
    if (file, lines) not in _parsed:
        try:
            nodes = [node for node in ast.walk(ast.parse("".join(lines)))
                     if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        except (SyntaxError, ValueError, RecursionError):
            nodes = []
        _parsed.clear()
        _parsed[file, lines] = nodes
    return _parsed[file, lines]


_parsed = {}


def _first_line(node):
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def function_around(file, line):
    """Returns the ast node of the outermost function that contains this line, or None."""
    around = [node for node in functions(file) if _first_line(node) <= line <= node.end_lineno]
    return min(around, key=_first_line, default=None)


def name_around(file, line):
    """Returns the name of the innermost function that contains this line, or None."""
    around = [node for node in functions(file) if _first_line(node) <= line <= node.end_lineno]
    return max(around, key=_first_line).name if around else None


def move_to_code(file, line, code):
    """Returns the (file, line) of the first line with code at or after `line` in the same function, or None.
    `code` has the (file, line) of every line with code; `file` may be only the end of a path."""
    for path in sorted({each for each, _ in code if is_path_end(each, file)}):
        function = function_around(path, line)
        last = function.end_lineno if function else line
        lines = [each for other, each in code if other == path and line <= each <= last]
        if lines:
            return path, min(lines)
    return None


def check_line(file, line, code):
    """Raises Mistake for a line at which no kernel of its file can ever stop."""
    paths = {each for each, _ in code if is_path_end(each, file)}
    if not paths or any(function_around(path, line) or (path, line) in code for path in paths):
        return
    lines = sorted({each for path, each in code if path in paths})
    if line > lines[-1]:
        raise Mistake(f"the kernel has no code at or after line {line}; its last line with code is {lines[-1]}")
    if not any(map(functions, paths)):  # an MLIR module has no Python functions
        raise Mistake(f"the kernel has no code at line {line}; it has code at {words(lines)}")
    raise Mistake(f"line {line} is in no function that a kernel runs")


def words(lines):
    """Returns "line 3" or "lines 3, 4 and 9"."""
    first = ", ".join(map(str, lines[:-1]))
    return f"lines {first} and {lines[-1]}" if first else f"line {lines[0]}"


def lines_of_function(name, code):
    """Returns the (file, line) of the first line with code of each function of this name."""
    found = []
    for file in sorted({path for path, _ in code}):
        for node in functions(file):
            if node.name == name:
                lines = [line for path, line in code
                         if path == file and node.body[0].lineno <= line <= node.end_lineno]
                if lines:
                    found.append((file, min(lines)))
    return found


def names_of_functions(code):
    return sorted({node.name for file in {path for path, _ in code} for node in functions(file)
                   if any(path == file and node.lineno <= line <= node.end_lineno for path, line in code)})


def hint(name, known):
    similar = difflib.get_close_matches(name, known, 1, 0.6)
    return f"; did you mean {similar[0]}?" if similar else ""
