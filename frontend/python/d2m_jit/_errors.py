# ===- _errors.py - D2mJitError -----------------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #


class D2mJitError(Exception):
    """A mistake in a kernel, or in a call of it, with its position in the Python source.

    `file`, `line` and `col` are the position, `msg` says what is wrong and `hint` what to do.
    `source_lines` are those of the kernel, and `snippet_line` the number of the line among them.
    `cause` is an exception whose type says what kind of mistake it is, such as a TypeError.
    """

    def __init__(self, msg, place, cause, hint=None):
        self.msg, self.hint, self.cause = msg, hint, cause
        self.file, self.line, self.col = place.file, place.line, place.column
        self.source_lines, self.snippet_line = place.lines, place.number
        super().__init__(self._text())

    def _text(self):
        parts = [f"d2m_jit error at {self.file}:{self.line}:{self.col}"]
        first = max(self.snippet_line - 1, 1)
        for number in range(first, min(self.snippet_line + 1, len(self.source_lines)) + 1):
            mark = "-->" if number == self.snippet_line else "   "
            shown = self.line + number - self.snippet_line
            parts.append(f"  {mark} {shown} | {self.source_lines[number - 1]}")
        parts.append(f"{type(self.cause).__name__}: {self.msg}")
        if self.hint:
            parts.append(f"hint: {self.hint}")
        return "\n".join(parts)


class Place:
    """A position in a kernel: a line (from 1) and a column (from 0) of its file, the kernel's lines, and
    the number of the line among these, from 1."""

    def __init__(self, source, line, column):
        self.file, self.line, self.column = source.name, line, column
        self.lines, self.number = source.lines, line - source.first + 1


class Source:
    """The source of a kernel: the name of its file, the number of its first line, and its lines."""

    def __init__(self, file, node):
        decorators = [each.lineno for each in node.decorator_list]
        self.name = file.name
        self.first = min([node.lineno, *decorators])
        self.lines = file.text.splitlines()[self.first - 1 : node.end_lineno]

    def place(self, node):
        return Place(self, node.lineno, node.col_offset)
