# SPDX-License-Identifier: Apache-2.0
"""--check: the kernels of tests/broken/CHECK are reported as in NAME.expected beside them; examples and
the tests of the language are not."""

import os
import subprocess
import sys

import pytest
from running import EXAMPLES, ROOT, RUNTIME_FAULT, SUCCESS, USAGE, hashes, run, ttl_jit
from test_examples import HASHES

BROKEN = ROOT / "tests" / "broken"
KERNELS = [("race", path.stem) for path in sorted((BROKEN / "race").glob("*.py"))]
# Their nodes all write the same result to the same page, which is a race.
RACES = ("test_push", "test_pop", "test_compute_threads", "test_a_waited_block_gets_a_new_value",
         "test_a_new_value_is_rounded_to_the_blocks_format", "test_cache_sees_layouts_and_types",
         "test_grid_size_and_node_outside_of_operations")


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("check, kernel", KERNELS)
def test_a_broken_kernel_is_reported(check, kernel, engine):
    folder = BROKEN / check
    process = ttl_jit("run", f"{kernel}.py", f"--check={check}", f"--engine={engine}", cwd=folder)
    assert process.returncode == RUNTIME_FAULT
    assert process.stderr == (folder / f"{kernel}.expected").read_text()


@pytest.mark.parametrize("check, kernel", KERNELS)
def test_nobody_else_reports_it(check, kernel):
    process = run(BROKEN / check / f"{kernel}.py", "--check=off")
    assert process.returncode == SUCCESS and process.stderr == ""


@pytest.mark.parametrize("schedule", ("greedy", "random"))
@pytest.mark.parametrize("check, kernel", KERNELS)
def test_the_order_of_a_run_does_not_matter(check, kernel, schedule):
    process = run(BROKEN / check / f"{kernel}.py", "--check=all", f"--schedule={schedule}", "--seed=4")
    assert process.returncode == RUNTIME_FAULT and f"error: data {check}" in process.stderr


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("example", HASHES)
def test_examples_have_no_mistakes(example, engine):
    name, *arguments = example.split()
    process = run(EXAMPLES / f"{name}.py", "--check=all", f"--engine={engine}", "--", "--hash",
                  *arguments)
    assert hashes(process) == HASHES[example].split() and process.stderr == ""


@pytest.mark.parametrize("file", ("pipe_patterns", "pipes", "unified", "transfer_groups", "tensor_backed",
                                  "later_releases", "nodes_in_bodies", "operations"))
def test_tests_of_the_language_have_no_mistakes(file):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore",
               ROOT / "tests" / "python" / "frontend" / f"test_{file}.py",
               "-k", " and ".join(f"not {name}" for name in RACES)]
    process = subprocess.run(command, capture_output=True, text=True,
                             env={**os.environ, "TTL_CHECK": "all"})
    assert process.returncode == 0, process.stdout


def test_an_unknown_check_is_a_usage_error():
    process = run(EXAMPLES / "eltwise_add.py", "--check=races")
    assert process.returncode == USAGE
    assert "--check: expected one of race; found 'races'" in process.stderr
