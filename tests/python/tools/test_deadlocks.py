# SPDX-License-Identifier: Apache-2.0
"""The kernels of tests/broken/deadlock print the reports in the files NAME.expected beside them."""

import pytest
from running import ROOT, RUNTIME_FAULT, ttl_jit

FOLDER = ROOT / "tests" / "broken" / "deadlock"
KERNELS = sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_report_names_the_cycle_and_the_cause(kernel, engine):
    process = ttl_jit("run", f"{kernel}.py", f"--engine={engine}", cwd=FOLDER)
    assert process.returncode == RUNTIME_FAULT
    assert process.stderr == (FOLDER / f"{kernel}.expected").read_text()
    if kernel != "no_producer_here":
        assert "note: likely cause: " in process.stderr


@pytest.mark.parametrize("schedule", ("greedy", "parallel(2)"))
@pytest.mark.parametrize("kernel", ("short_reader", "every_node", "short_sender"))
def test_the_cause_does_not_depend_on_the_schedule(kernel, schedule):
    process = ttl_jit("run", f"{kernel}.py", f"--schedule={schedule}", cwd=FOLDER)
    assert process.returncode == RUNTIME_FAULT
    [cause] = [line for line in (FOLDER / f"{kernel}.expected").read_text().splitlines() if "likely cause" in line]
    assert cause in process.stderr
