# SPDX-License-Identifier: Apache-2.0
"""Runs every command of docs/microcores.md and compares what it prints with the page."""

import pytest
import tutorial
from test_tutorial import output_of

RUNS = tutorial.runs_of((tutorial.ROOT / "docs" / "microcores.md").read_text())


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"line {run.line}: {' '.join(run.words)}")
def test_commands_print_what_the_page_quotes(run, tmp_path):
    output = output_of(run, tmp_path)
    if not tutorial.matches(run.output, output):
        assert output == run.output, f"docs/microcores.md:{run.line} quotes other output"
