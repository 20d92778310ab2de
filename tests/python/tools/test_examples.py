"""The examples: the same bits from both engines under every schedule."""

import re

import pytest
from running import EXAMPLES, SUCCESS, hashes, run

NAMES = ["eltwise_add", "fused_mul_add", "matmul_single_core", "matmul_multicore", "exp_chain"]
SCHEDULES = [["--schedule=fair"], ["--schedule=greedy"]] + [
    ["--schedule=random", f"--seed={seed}"] for seed in range(10)
]


@pytest.mark.parametrize("name", NAMES)
def test_same_bits_on_both_engines_under_every_schedule(name):
    file = EXAMPLES / f"{name}.py"
    expected = hashes(run(file, "--engine=interp", "--", "--hash"))
    for engine in ("jit", "interp"):
        for schedule in SCHEDULES:
            process = run(file, f"--engine={engine}", *schedule, "--", "--hash")
            assert hashes(process) == expected, (engine, schedule)
            assert process.stderr == "", "no warnings"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_stats_say_which_engine_ran(name, engine):
    process = run(EXAMPLES / f"{name}.py", f"--engine={engine}", "--stats")
    assert process.returncode == SUCCESS, process.stderr
    lines = re.findall(r"^  engines: (.*)$", process.stderr, re.MULTILINE)
    assert lines
    for thread in " ".join(lines).split():
        assert thread.endswith(f"={engine}")
    # Machine code was made, or was not.
    assert ("jit-load" in process.stderr) == (engine == "jit")
    assert re.search(r"blocks: [1-9]\d* pushed, [1-9]\d* popped", process.stderr)
    assert re.search(r"context switches: [1-9]", process.stderr)
    assert not re.search(r"moved: 0 B read", process.stderr)
