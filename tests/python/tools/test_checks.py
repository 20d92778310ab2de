# SPDX-License-Identifier: Apache-2.0
"""--check finds what is wrong with the kernels of tests/broken, and nothing in the examples."""

import pytest
from running import (COMPILE_ERROR, EXAMPLES, ROOT, RUNTIME_FAULT, SUCCESS, USAGE, hashes, run,
                     ttl_jit)
from test_examples import HASHES

BROKEN = ROOT / "tests" / "broken"
KERNELS = [f"{folder}/{path.stem}" for folder in ("race", "waits", "protocol")
           for path in sorted((BROKEN / folder).glob("*.py"))]
FOUND_AT_RUN_TIME = [kernel for kernel in KERNELS if not kernel.startswith("waits/")]


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_broken_kernel_is_found(kernel, engine):
    folder, name = kernel.split("/")
    check = "protocol" if folder == "protocol" else "race"
    process = ttl_jit("run", f"{name}.py", f"--check={check}", f"--engine={engine}", cwd=BROKEN / folder)
    assert process.stderr == (BROKEN / f"{kernel}.expected").read_text()
    rejected = process.stderr.startswith("error: copy lock error")  # the front end finds it
    assert process.returncode == (COMPILE_ERROR if rejected else RUNTIME_FAULT)


@pytest.mark.parametrize("schedule", ("greedy", "random"))
@pytest.mark.parametrize("kernel", FOUND_AT_RUN_TIME)
def test_the_order_of_a_run_does_not_matter(kernel, schedule):
    process = run(BROKEN / f"{kernel}.py", "--check=all", f"--schedule={schedule}", "--seed=4")
    assert process.returncode == RUNTIME_FAULT
    message = "error: race on page " if kernel.startswith("race/") else "error: nobody pops "
    assert message in process.stderr


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("example", HASHES)
def test_an_example_gives_no_false_alarm(example, engine):
    name, *arguments = example.split()
    process = run(EXAMPLES / f"{name}.py", "--check=all", f"--engine={engine}", "--", "--hash",
                  *arguments)
    assert hashes(process) == HASHES[example].split() and process.stderr == ""


def test_writes_of_equal_bytes_are_no_race(tmp_path):
    text = (BROKEN / "race" / "same_page.py").read_text()
    (tmp_path / "equal.py").write_text(text.replace("float(ttl.node(dims=1))", "1.0"))
    process = ttl_jit("run", "equal.py", "--check=race", cwd=tmp_path)
    assert process.returncode == SUCCESS, process.stderr


@pytest.mark.parametrize("kernel", FOUND_AT_RUN_TIME)
def test_without_the_option_nothing_is_checked(kernel):
    process = run(BROKEN / f"{kernel}.py", "--check=off")
    assert process.returncode == SUCCESS and "error" not in process.stderr


def test_an_unknown_check_is_a_usage_error():
    process = run(EXAMPLES / "eltwise_add.py", "--check=races")
    assert process.returncode == USAGE
    assert "--check: expected one of race, protocol, all, off; found 'races'" in process.stderr
