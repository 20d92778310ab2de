# SPDX-License-Identifier: Apache-2.0
"""--check finds the mistakes in the kernels of tests/broken, and nothing in the examples."""

import re

import pytest
from running import (COMPILE_ERROR, EXAMPLES, ROOT, RUNTIME_FAULT, SUCCESS, USAGE, hashes, run,
                     ttl_jit)
from test_examples import HASHES

BROKEN = ROOT / "tests" / "broken"
NO_FINDINGS = "checks: no findings (race, init, memory, numerics, broadcast, outputs, protocol)\n"
CHECKS = {"race": "race", "waits": "race", "protocol": "protocol", "init": "init",
          "memory": "memory", "numerics": "numerics", "broadcast": "broadcast",
          "outputs": "outputs"}
KERNELS = [f"{folder}/{path.stem}" for folder in CHECKS
           for path in sorted((BROKEN / folder).glob("*.py"))]
# Messages about mistakes that only a check finds, by the folder with the kernels.
MESSAGES = {"race": "error: race on page ", "protocol": "error: nobody ",
            "init": " that nobody has written", "numerics": "error: compute() of node ",
            "broadcast": " of a reduced block that have no meaning|combines a reduced block",
            "outputs": "is written in part"}
FOUND_BY_CHECKS = [kernel for kernel in KERNELS if kernel.split("/")[0] in MESSAGES]


def exit_status(output):
    """Returns the exit status of a run with this output."""
    if "error: tensor" in output:
        return RUNTIME_FAULT
    if "error: " not in output:
        return SUCCESS
    return RUNTIME_FAULT if "  note: in thread " in output or "error: nobody " in output \
        else COMPILE_ERROR


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_broken_kernel_is_found(kernel, engine):
    folder, name = kernel.split("/")
    process = ttl_jit("run", f"{name}.py", f"--check={CHECKS[folder]}", f"--engine={engine}",
                      cwd=BROKEN / folder)
    expected = (BROKEN / f"{kernel}.expected").read_text()
    assert process.stderr == expected
    assert process.returncode == exit_status(expected)


@pytest.mark.parametrize("schedule", ("greedy", "random"))
@pytest.mark.parametrize("kernel", FOUND_BY_CHECKS)
def test_the_order_of_a_run_does_not_matter(kernel, schedule):
    process = run(BROKEN / f"{kernel}.py", "--check=all", f"--schedule={schedule}", "--seed=4")
    assert process.returncode == RUNTIME_FAULT
    assert re.search(MESSAGES[kernel.split("/")[0]].replace("()", r"\(\)"), process.stderr)


@pytest.mark.parametrize("engine", ("jit", "interp", "emitted"))
@pytest.mark.parametrize("example", HASHES)
def test_an_example_gives_no_false_alarm(example, engine):
    name, *arguments = example.split()
    process = run(EXAMPLES / f"{name}.py", "--check=all", f"--engine={engine}", "--", "--hash",
                  *arguments)
    assert hashes(process) == HASHES[example].split() and process.stderr == NO_FINDINGS


def test_unwritten_elements_that_no_result_depends_on(tmp_path):
    """The broadcast reads only one row of a block, and all elements of this row are written."""
    text = (BROKEN / "init" / "stale_block.py").read_text()
    (tmp_path / "row.py").write_text(text.replace("if i == 0:", "if i != 1:"))
    process = ttl_jit("run", "row.py", "--check=init", cwd=tmp_path)
    assert process.returncode == SUCCESS and process.stderr == "checks: no findings (init)\n"


COPIES = """
import ttl, ttnn

@ttl.operation(grid=(1, 1))
def copy(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

device = ttnn.open_device()
x, y, z = (ttnn.{0}((32, 32), device=device) for _ in range(3))
copy(x, y)
copy(y, z)
"""
USES = """
@ttl.operation(grid=(1, 1))
def use(x):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
            ttl.copy(block, x[0, 0]).wait()
            print(ttl.raw_element_read(block, 0, 0))

    @ttl.datamovement()
    def writer():
        dfb.wait().pop()

use(z)
"""


@pytest.mark.parametrize("make", ("empty", "zeros"))
def test_a_copy_of_unwritten_bytes_is_no_use_but_is_unwritten(tmp_path, make):
    (tmp_path / "copies.py").write_text(COPIES.format(make))
    process = ttl_jit("run", "copies.py", "--check=init", cwd=tmp_path)
    assert process.returncode == SUCCESS and process.stderr == "checks: no findings (init)\n"
    (tmp_path / "uses.py").write_text(COPIES.format(make) + USES)
    process = ttl_jit("run", "uses.py", "--check=init", cwd=tmp_path)
    found = "uses bytes of page 0 of tensor 'x' that nobody has written" in process.stderr
    assert found == (make == "empty")
    assert ("other results: the printed text" in process.stderr) == (make == "empty")


def test_a_tensor_that_the_program_fills_itself(tmp_path):
    """A program may write to the array of a host tensor at any time, so such elements count as written."""
    text = (BROKEN / "init" / "accumulates.py").read_text()
    filled = text.replace("\nkernel(x, total)", "\nttnn.to_numpy(total)[:] = 2\nkernel(x, total)")
    (tmp_path / "filled.py").write_text(filled)
    process = ttl_jit("run", "filled.py", "--check=init", cwd=tmp_path)
    assert process.returncode == SUCCESS, process.stderr


def test_writes_of_equal_bytes_are_no_race(tmp_path):
    text = (BROKEN / "race" / "same_page.py").read_text()
    (tmp_path / "equal.py").write_text(text.replace("float(ttl.node(dims=1))", "1.0"))
    process = ttl_jit("run", "equal.py", "--check=race", cwd=tmp_path)
    assert process.returncode == SUCCESS, process.stderr


@pytest.mark.parametrize("kernel", FOUND_BY_CHECKS)
def test_without_the_option_nothing_is_checked(kernel):
    process = run(BROKEN / f"{kernel}.py", "--check=off")
    assert process.returncode == SUCCESS and "error" not in process.stderr


def test_an_unknown_check_is_a_usage_error():
    process = run(EXAMPLES / "eltwise_add.py", "--check=races")
    assert process.returncode == USAGE
    assert ("--check: expected one of race, init, memory, numerics, broadcast, outputs, protocol, all, off; "
            "found 'races'") in process.stderr
