# SPDX-License-Identifier: Apache-2.0
"""The programs of docs/python.md run, one after the other, and print what the page says."""

import os
import re
from pathlib import Path

import ttl

PAGE = Path(__file__).resolve().parents[3] / "docs" / "python.md"
PROGRAM = re.compile(r"^```python\n(.*?)^```\n(?:```output\n(.*?)^```\n)?", re.M | re.S)


def test_programs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, names = PAGE.read_text(), {"__name__": "page"}
    found = list(PROGRAM.finditer(text))
    for program in found:
        line = text.count("\n", 0, program.start(1))
        file = tmp_path / f"line{line}.py"
        file.write_text("\n" * line + program[1])
        exec(compile(file.read_text(), os.fspath(file), "exec"), names)
        assert capsys.readouterr().out == (program[2] or "")
    assert len(found) == 8


def test_every_name_of_a_kernel_is_listed():
    members = {name for name in dir(ttl.CompiledKernel) if not name.startswith("_")}
    text = PAGE.read_text()
    missing = [name for name in members | {"parameters", "diagnostics"} if f"`kernel.{name}" not in text]
    assert not missing
