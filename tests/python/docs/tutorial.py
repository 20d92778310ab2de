# SPDX-License-Identifier: Apache-2.0
"""Reads docs/tutorial.md: programs, changes of them, and commands with what they print.

A block is opened by a line such as ```python NAME. The kinds:
  python NAME   a program, kept under that name; so does mlir NAME
  diff NAME     the program with lines taken out (-) and put in (+); a line "..." separates
                places. The next block of that name starts from the program again
  console       commands, each after "$ ", and their output; "..." stands for any text of a
                line, and in a line of its own for any lines
"""

import pathlib
import re
import shlex
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "tutorial.md"

_BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Run(NamedTuple):
    """One command of a page: its words, the files as they are then, and the quoted output."""

    line: int
    words: tuple
    files: dict
    output: str


def changed(program, diff):
    """The program after the changes of a diff block."""
    for place in re.split(r"^\.\.\.\n", diff, flags=re.MULTILINE):
        lines = place.splitlines(keepends=True)
        assert lines and all(line[0] in "-+" for line in lines), f"no change of a program: {place}"
        old = "".join(line[1:] for line in lines if line[0] == "-")
        new = "".join(line[1:] for line in lines if line[0] == "+")
        assert program.count(old) == 1, f"not once in the program:\n{old}"
        program = program.replace(old, new)
    return program


def commands(text):
    """The (command, output) pairs of a console block."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)
    assert parts[0] == "", f"output without a command: {parts[0]}"
    return list(zip(parts[1::2], parts[2::2]))


def programs_of(page):
    """The programs of the page by name, without their mistakes."""
    return {name: text for kind, name, text in _BLOCK.findall(page) if kind == "python"}


def runs_of(page):
    """Every command of the page, in order."""
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
    """Whether the output is what the page quotes."""
    lines = []
    for line in quoted.splitlines(keepends=True):
        parts = [re.escape(part) for part in line.split("...")]
        lines.append(r"(?:.*\n)*?" if line == "...\n" else ".*".join(parts))
    return re.fullmatch("".join(lines), output) is not None
