# SPDX-License-Identifier: Apache-2.0
"""Runs every command of docs/tt-mlir-passes.md and compares what it prints with the page.

python3 tests/python/docs/test_tt_mlir_passes_page.py --update writes what `ttl-jit explain` prints."""

import pathlib
import re
import sys
import tempfile

import pytest
import tutorial
from test_tutorial import BUILD, output_of

PAGE = tutorial.ROOT / "docs" / "tt-mlir-passes.md"
RUNS = tutorial.runs_of(PAGE.read_text())
HINT = "run python3 tests/python/docs/test_tt_mlir_passes_page.py --update"


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"line {run.line}: {' '.join(run.words)}")
def test_commands_print_what_the_page_quotes(run, tmp_path):
    output = output_of(run, tmp_path)
    if not tutorial.matches(run.output, output):
        assert output == run.output, f"docs/tt-mlir-passes.md:{run.line} quotes other output: {HINT}"


def test_ttc_is_a_link():
    assert (BUILD / "bin" / "ttc").readlink() == pathlib.Path("ttl-opt")


def updated(page):
    """Returns the page with the output that `ttl-jit explain` prints now."""
    def explained(match):
        command = match[1]
        run = tutorial.Run(0, tuple(command.split()), {}, "")
        with tempfile.TemporaryDirectory() as folder:
            return f"$ {command}\n{output_of(run, pathlib.Path(folder))}"

    return re.sub(r"^\$ (ttl-jit explain.*)\n((?!\$ |```).*\n)*", explained, page, flags=re.MULTILINE)


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    PAGE.write_text(updated(PAGE.read_text()))
