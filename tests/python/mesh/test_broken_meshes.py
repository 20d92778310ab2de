# SPDX-License-Identifier: Apache-2.0
"""The kernels of tests/broken/mesh print the reports in the files NAME.expected beside them."""

import pytest
from running import COMPILE_ERROR, ROOT, RUNTIME_FAULT, SUCCESS, ttl_jit

FOLDER = ROOT / "tests" / "broken" / "mesh"
KERNELS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "meshes")
# Kernels that run here but would not run on a card: they give warnings, which --strict makes errors.
CARD = "diagonal_route distant_route no_fabric send_before_receive three_connections".split()
RACES = [kernel for kernel in KERNELS if "race on " in (FOLDER / f"{kernel}.expected").read_text()]


def run(kernel, *options):
    return ttl_jit("run", f"{kernel}.py", *options, cwd=FOLDER)


@pytest.mark.parametrize("engine", ("jit", "interp"))
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_report(kernel, engine):
    process = run(kernel, f"--engine={engine}")
    expected = (FOLDER / f"{kernel}.expected").read_text()
    assert process.stderr == expected
    if kernel in CARD:
        assert process.returncode == SUCCESS
    else:
        assert process.returncode == (1 if "Traceback" in expected else RUNTIME_FAULT)


def test_there_are_enough():
    assert len(KERNELS) >= 25 and len(RACES) >= 12


@pytest.mark.parametrize("schedule", ("greedy", "random"))
@pytest.mark.parametrize("kernel", RACES)
def test_a_race_does_not_depend_on_the_order(kernel, schedule):
    process = run(kernel, f"--schedule={schedule}", "--seed=3")
    assert process.returncode == RUNTIME_FAULT
    # in passed_value, wait_eq() may miss its value, and then the run ends in a deadlock
    assert "race on " in process.stderr or kernel == "passed_value" and "deadlock" in process.stderr


@pytest.mark.parametrize("kernel", RACES)
def test_check_off_looks_for_nothing(kernel):
    process = run(kernel, "--check=off")
    assert process.returncode == SUCCESS and "race" not in process.stderr


@pytest.mark.parametrize("kernel", CARD)
def test_what_a_card_lacks_is_an_error_with_strict(kernel):
    process = run(kernel, "--strict", "--mesh=3x3")
    assert process.returncode == COMPILE_ERROR
    [line] = [line for line in process.stderr.splitlines() if line.startswith("  at ")][:1]
    assert f"{kernel}.py:" in line
