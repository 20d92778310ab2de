# SPDX-License-Identifier: Apache-2.0
"""The checkers of --check find nothing in correct kernels. `pytest --check=all` checks the launches
of all tests. This file runs pytest with that option on some test files."""

import os
import subprocess
import sys

import pytest

FOLDER = os.path.dirname(__file__)
FILES = ("pipe_patterns", "unified", "transfer_groups", "tensor_backed")


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("name", FILES)
def test_launches_of(name, engine):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--check=all"]
    process = subprocess.run([*command, os.path.join(FOLDER, f"test_{name}.py")], capture_output=True,
                             text=True, env={**os.environ, "TTL_ENGINE": engine})
    assert process.returncode == 0, process.stdout
