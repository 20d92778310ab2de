# SPDX-License-Identifier: Apache-2.0
"""The programs of docs/pykernel.md and docs/d2m-jit.md run on every engine, and print what the pages say."""

import page_programs
import pytest

import ttl


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
@pytest.mark.parametrize("page, count", [("pykernel.md", 4), ("d2m-jit.md", 3)])
def test_programs(page, count, engine, tmp_path, monkeypatch, capsys):
    pytest.importorskip("torch" if page == "d2m-jit.md" else "numpy")
    monkeypatch.chdir(tmp_path)
    with ttl.options(engine=engine):
        assert page_programs.run(page, tmp_path, capsys) == count
