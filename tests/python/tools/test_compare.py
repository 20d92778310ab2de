# SPDX-License-Identifier: Apache-2.0
"""--compare repeats launches on both engines and under several schedules."""

import re

import pytest
from running import SCRIPT_FAILED, SUCCESS, USAGE, run

SCRIPT = """
import numpy as np
import ttl

@ttl.operation(grid=(2, 1))
def race(y):
    dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with dfb.reserve() as block:
            block.store(ttl.math.fill(1, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.raw_element_write(block, 0, 0, value=float(node))
            ttl.copy(block, y[TARGET]).wait()

y = np.zeros((32, 64), np.float32)
race(y)
print(y[0, 0], y[0, 32])
"""


@pytest.fixture
def script(tmp_path):
    def write(target):
        path = tmp_path / "race.py"
        path.write_text(SCRIPT.replace("TARGET", target))
        return path

    return write


@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_a_race_fails_the_script(script, engine):
    process = run(script("0, 0"), f"--engine={engine}", "--compare=schedules")
    assert process.returncode == SCRIPT_FAILED
    assert re.search(
        r"compare: kernel race gives different results\n"
        r"  tensor y, element \[0, 0\]: \S+ \(0x\w{8}\) at the launch, \S+ \(0x\w{8}\) with "
        r"--schedule=\S+( --seed=\d+)?; 1 of 2048 elements differ\n"
        r"  written by thread writer of node \(\d, 0\) at \S+race\.py:\d+:13\n", process.stderr)
    assert process.stdout in ("1.0 0.0\n", "0.0 0.0\n"), "results must be those of the launch itself"


def test_a_kernel_without_a_race(script):
    process = run(script("0, node"), "--compare=schedules:5")
    assert (process.returncode, process.stdout, process.stderr) == (SUCCESS, "0.0 1.0\n", "")


def test_both_engines_race_alike(script):
    """In a given order of threads, both engines compute the same, also in a program with a race."""
    assert run(script("0, 0"), "--compare=engines").returncode == SUCCESS
    random = ("--schedule=random", "--seed=3")
    assert run(script("0, 0"), "--compare=engines", *random).returncode == SUCCESS


@pytest.mark.parametrize("value", ("passes", "schedules:", "schedules:-1", ""))
def test_other_values(script, value):
    process = run(script("0, 0"), f"--compare={value}")
    assert process.returncode == USAGE
    assert "expected engines, schedules, or schedules:N" in process.stderr
