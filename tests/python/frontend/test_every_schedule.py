# SPDX-License-Identifier: Apache-2.0
"""Kernels give the same bits on both engines under every schedule. `pytest --all-schedules`
checks this for all tests. This file runs pytest with that option on some test files."""

import os
import re
import subprocess
import sys

import pytest

FOLDER = os.path.dirname(__file__)
FILES = ("pipe_patterns", "unified", "transfer_groups", "tensor_backed")


def all_schedules(*files, **variables):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--all-schedules"]
    return subprocess.run([*command, *files], capture_output=True, text=True,
                          env={**os.environ, **variables})


@pytest.mark.parametrize("name", FILES)
def test_launches_of(name):
    process = all_schedules(os.path.join(FOLDER, f"test_{name}.py"))
    assert process.returncode == 0, process.stdout
    repeated = re.search(r"(\d+) launches were repeated, (\d+) times in all", process.stdout)
    launches, runs = map(int, repeated.groups())
    assert launches >= 3 and runs == 51 * launches  # 24 orders * 2 engines, 2 for events, 1 as launched


@pytest.mark.parametrize("delivery", ("eager", "late", "random"))
def test_pipes_under_every_delivery(delivery):
    """TTL_DMA sets when data arrives. Its default is random for random schedules, and late for others."""
    process = all_schedules(os.path.join(FOLDER, "test_pipe_patterns.py"), TTL_DMA=delivery)
    assert process.returncode == 0, process.stdout


RACE = '''
import numpy as np
import ttl

@ttl.operation(grid=(2, 1))
def race(y):
    dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        dfb.reserve().store(ttl.math.fill(1, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.raw_element_write(block, 0, 0, value=float(node))
            ttl.copy(block, y[0, 0]).wait()

def test_race():
    race(np.zeros((32, 32), np.float32))
'''


def test_a_race_is_found(tmp_path):
    """Both nodes write the same tile, so the result depends on which node writes last."""
    (tmp_path / "conftest.py").write_text(open(os.path.join(FOLDER, "..", "conftest.py")).read())
    (tmp_path / "test_race.py").write_text(RACE)
    process = all_schedules(str(tmp_path))
    assert process.returncode == 1, process.stdout
    assert "kernel race gives different results" in process.stdout
    assert re.search(r"tensor y, element \[0, 0\]: \S+ .* at the launch, ", process.stdout)
