# SPDX-License-Identifier: Apache-2.0
"""Reads docs/tutorial.md: its programs, changes to them, and commands with the output that they print.

A block begins with a line such as ```python NAME. The kinds of blocks:
  python NAME   a program, which is kept as file NAME; mlir NAME is the same for MLIR
  diff NAME     the program NAME with some lines removed (-) and added (+); a line "..." separates
                the places of changes. The next diff of NAME starts from the unchanged program
  console       commands, each after "$ ", and their output. "..." stands for any text in a
                line; a line that is "..." stands for any number of lines
"""

import pathlib
import re
import shlex
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "tutorial.md"

_BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Run(NamedTuple):
    """A command of a page: its line and words, the files at that point of the page, and the quoted output."""

    line: int
    words: tuple
    files: dict
    output: str


def changed(program, diff):
    """Returns the program with the changes of a diff block."""
    for place in re.split(r"^\.\.\.\n", diff, flags=re.MULTILINE):
        lines = place.splitlines(keepends=True)
        assert lines and all(line[0] in "-+" for line in lines), f"expected lines with - or +, found: {place}"
        old = "".join(line[1:] for line in lines if line[0] == "-")
        new = "".join(line[1:] for line in lines if line[0] == "+")
        assert program.count(old) == 1, f"expected these lines once in the program:\n{old}"
        program = program.replace(old, new)
    return program


def commands(text):
    """Returns the (command, output) pairs of a console block."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    assert parts[0] == "", f"expected a line '$ COMMAND' first, found: {parts[0]}"
    return list(zip(parts[1::2], parts[2::2]))


def programs_of(page):
    """Returns the page's Python programs by name, without changes by diff blocks."""
    return {name: text for kind, name, text in _BLOCK.findall(page) if kind == "python"}


def runs_of(page):
    """Returns every command of the page, in order."""
    programs, files, runs = {}, {}, []
    for match in _BLOCK.finditer(page):
        kind, name, text = match.groups()
        if kind in ("python", "mlir"):
            programs[name] = files[name] = text
        elif kind == "diff":
            files[name] = changed(programs[name], text)
        else:
            assert kind == "console", f"unknown kind of block: {kind}"
            line = page.count("\n", 0, match.start()) + 1
            runs += [
                Run(line, tuple(shlex.split(command)), dict(files), output)
                for command, output in commands(text)
            ]
    return runs


def matches(quoted, output):
    """Returns whether the output is the quoted one; "..." in the quoted text matches any text."""
    lines = []
    for line in quoted.splitlines(keepends=True):
        parts = [re.escape(part) for part in line.split("...")]
        lines.append(r"(?:.*\n)*?" if line == "...\n" else ".*".join(parts))
    return re.fullmatch("".join(lines), output) is not None
