# SPDX-License-Identifier: Apache-2.0
"""Tests that compare results with numpy pass on the interpreter too."""

import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parent


@pytest.mark.parametrize("name", ["unified", "nodes_in_bodies", "transfer_groups"])
def test_on_the_interpreter(name):
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", FOLDER / f"test_{name}.py"],
        env={**os.environ, "TTL_ENGINE": "interp"},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout
