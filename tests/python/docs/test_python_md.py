# SPDX-License-Identifier: Apache-2.0
"""The programs of docs/python.md run in order and print what the page quotes."""

import page_programs
import ttl


def test_programs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert page_programs.run("python.md", tmp_path, capsys) == 9


def test_every_name_of_a_kernel_is_listed():
    members = {name for name in dir(ttl.CompiledKernel) if not name.startswith("_")}
    text = (page_programs.DOCS / "python.md").read_text()
    missing = [name for name in members | {"parameters", "diagnostics"} if f"`kernel.{name}" not in text]
    assert not missing
