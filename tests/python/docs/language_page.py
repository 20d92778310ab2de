# SPDX-License-Identifier: Apache-2.0
"""Reads the programs of the pages in docs/language: each fenced python block is a program.

The block of README.md is the prelude: the other programs run after it. A comment `# warns: TEXT` in a
program says that the program prints a warning that begins with TEXT. A block of kind `output` after a
program quotes what that program prints.
"""

import importlib.machinery
import importlib.util
import pathlib
import re
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[3]


def _load(name):
    """Imports a Python program of tools/, whose file name has no .py, as a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


status = _load("language-status")
README = status.FOLDER / "README.md"


class Program(NamedTuple):
    page: str  # the page's file name, without .md
    feature: str  # the heading above the program
    line: int  # the line of the first statement on the page
    code: str
    output: str  # what the program prints

    @property
    def name(self):
        return f"{self.page}-{status.anchor(self.feature)}-{self.line}"

    @property
    def warnings(self):
        return re.findall(r"# warns: (.+)$", self.code, re.MULTILINE)


def _section_at(sections, position):
    return ([""] + [heading for start, _, heading in sections if start < position])[-1]


def _output_behind(text, end):
    block = status.FENCE.match(text, end + len(text[end:]) - len(text[end:].lstrip("\n")))
    return block["code"] if block and block["kind"] == "output" else ""


def programs(page, text):
    """Returns the programs of a page, in order."""
    sections, found = status.headings(text), []
    for block in status.FENCE.finditer(text):
        if block["kind"] == "python":
            line = text.count("\n", 0, block.start("code")) + 1
            feature = _section_at(sections, block.start())
            found.append(Program(page, feature, line, block["code"], _output_behind(text, block.end())))
    return found
