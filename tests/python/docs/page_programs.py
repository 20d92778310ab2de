# SPDX-License-Identifier: Apache-2.0
"""Runs the Python programs of a page of docs/ in order, and compares their output with the page."""

import os
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[3] / "docs"
PROGRAM = re.compile(r"^```python\n(.*?)^```\n(?:\n?```output\n(.*?)^```\n)?", re.M | re.S)


def run(name, folder, capsys):
    """Runs the programs of the page in this folder; returns their number."""
    text, names = (DOCS / name).read_text(), {"__name__": "page"}
    found = list(PROGRAM.finditer(text))
    for program in found:
        line = text.count("\n", 0, program.start(1))
        file = folder / f"line{line}.py"
        file.write_text("\n" * line + program[1])
        exec(compile(file.read_text(), os.fspath(file), "exec"), names)
        assert capsys.readouterr().out == (program[2] or "")
    return len(found)
