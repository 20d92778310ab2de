# SPDX-License-Identifier: Apache-2.0
"""Runs a few cases of each kind of fuzz_damaged.py, which can run any number of cases."""

import os
import pathlib
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).parent / "fuzz_damaged.py"


@pytest.mark.parametrize("kind, count", [("kernel", 150), ("schedule", 100), ("replay", 20), ("trace", 20),
                                         ("dap", 100)])
def test_damaged_files_and_sessions(kind, count):
    process = subprocess.run([sys.executable, SCRIPT, kind, f"--count={count}", "--jobs=2"], text=True,
                             capture_output=True, timeout=600, check=False, env=dict(os.environ))
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stdout == f"{count} cases of {kind}, 0 findings\n"
