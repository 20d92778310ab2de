"""Every mistake of a kernel author gives the right exit status and an error at the right position."""

import re

import pytest
from running import COMPILE_ERROR, KERNELS, RUNTIME_FAULT, SUCCESS, run

MISTAKES = KERNELS / "mistakes.py"

COMPILE_TIME = {
    "undefined_name": "missing",
    "unsupported_statement": "try",
    "shape_mismatch": r"\(1, 1\).*\(2, 1\)",
    "slice_out_of_range": r"2.*'?a'?",
    "arithmetic_in_data_movement": "data movement",
    "copy_in_compute": "compute",
    "released_on_one_branch": "push",
    "double_pop": "pop",
}
RUN_TIME = {
    "running_slice_out_of_range": "OutOfBoundsError",
    "deadlock": "DeadlockError",
    "endless_loop": "RuntimeFault",
    "int32_overflow": "RuntimeFault",
}
ENGINES = ("jit", "interp")


def marked_place(mistake):
    """Returns the line and column at which the mistake is marked."""
    for number, line in enumerate(MISTAKES.read_text().splitlines(), 1):
        if found := re.search(rf"# HERE {mistake}: (.*)$", line):
            return number, line.index(found[1]) + 1
    raise AssertionError(f"no marker for {mistake}")


def first_place(text):
    """Returns the file, line and column that the first message names."""
    found = re.search(r"^  at (.*):(\d+):(\d+)$", text, re.MULTILINE)
    assert found, text
    return found[1], int(found[2]), int(found[3])


def check_place(process, mistake):
    file, line, column = first_place(process.stderr)
    assert (line, column) == marked_place(mistake), process.stderr
    assert file == str(MISTAKES), "the path must be the one that the user gave"


@pytest.mark.parametrize("mistake", COMPILE_TIME)
def test_compile_time_mistake(mistake):
    process = run(MISTAKES, "--", mistake)
    assert process.returncode == COMPILE_ERROR, process.stderr
    assert re.search(rf"^error: .*{COMPILE_TIME[mistake]}", process.stderr, re.MULTILINE)
    assert "Traceback" not in process.stderr
    check_place(process, mistake)


def limit(mistake):
    return ["--limit=1000000"] if mistake == "endless_loop" else []


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("mistake", RUN_TIME)
def test_run_time_mistake(mistake, engine):
    process = run(MISTAKES, f"--engine={engine}", *limit(mistake), "--", mistake)
    assert process.returncode == RUNTIME_FAULT, process.stderr
    assert process.stderr.startswith("error: ")
    assert "Traceback" not in process.stderr
    check_place(process, mistake)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("mistake", RUN_TIME)
def test_process_goes_on_after_a_caught_fault(mistake, engine):
    process = run(MISTAKES, f"--engine={engine}", *limit(mistake), "--", mistake, "--catch")
    assert process.returncode == SUCCESS, process.stderr
    first, second, last = process.stdout.splitlines()
    line, column = marked_place(mistake)
    assert first == second, "the launch cache must give the same fault"
    assert first.startswith(f"{RUN_TIME[mistake]} {line} {column} (0, 0) ")
    assert last == "correct"


@pytest.mark.parametrize("engine", ENGINES)
def test_deadlock_names_every_blocked_thread(engine):
    text = run(MISTAKES, f"--engine={engine}", "--", "deadlock").stderr
    for expected in ("a_dfb", "y_dfb", "reader", "compute", "writer"):
        assert expected in text
    assert re.search(r"\(0, ?0\).*\(1, ?0\)", text, re.DOTALL), "the report must name both blocked nodes"


@pytest.mark.parametrize(
    "mistake, message",
    [("too_many_buffers", "33.*32|32.*33"), ("buffer_larger_than_l1", "1835008|L1")],
)
def test_what_the_chip_lacks_is_a_warning_or_under_strict_an_error(mistake, message):
    process = run(MISTAKES, "--", mistake)
    assert process.returncode == SUCCESS, process.stderr
    assert re.search(rf"^warning: .*({message})", process.stderr, re.MULTILINE), process.stderr
    process = run(MISTAKES, "--strict", "--", mistake)
    assert process.returncode == COMPILE_ERROR, process.stderr
    assert re.search(rf"^error: .*({message})", process.stderr, re.MULTILINE), process.stderr
    assert first_place(process.stderr)[0] == str(MISTAKES)
