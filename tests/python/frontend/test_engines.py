# SPDX-License-Identifier: Apache-2.0
"""Runs tests that compare results with numpy again, on the interpreter."""

import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[1]
FILES = [
    "dropin/test_copies_of_buffers.py",
    "dropin/test_keywords.py",
    "dropin/test_pykernel.py",
    "dropin/test_spellings.py",
    "frontend/test_block_functions.py",
    "frontend/test_buffer_users.py",
    "frontend/test_carried_values.py",
    "frontend/test_copy_waits.py",
    "frontend/test_counted_releases.py",
    "frontend/test_deferred_releases.py",
    "frontend/test_host_calls.py",
    "frontend/test_later_releases.py",
    "frontend/test_nodes_in_bodies.py",
    "frontend/test_operations.py",
    "frontend/test_path_ends.py",
    "frontend/test_pipes.py",
    "frontend/test_print.py",
    "frontend/test_run.py",
    "frontend/test_tensor_backed.py",
    "frontend/test_tensor_backed_faults.py",
    "frontend/test_transfer_groups.py",
    "frontend/test_unified.py",
    "frontend/test_with_releases.py",
]


@pytest.mark.parametrize("name", FILES)
def test_on_the_interpreter(name):
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", FOLDER / name],
        env={**os.environ, "TTL_ENGINE": "interp"},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout
