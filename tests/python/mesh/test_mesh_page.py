# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of docs/mesh.md and compares what they print with the page."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
import page_programs  # noqa: E402


def test_the_programs_of_the_page(tmp_path, capsys):
    assert page_programs.run("mesh.md", tmp_path, capsys) == 12
