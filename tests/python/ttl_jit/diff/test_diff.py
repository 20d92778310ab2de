# SPDX-License-Identifier: Apache-2.0
"""ttl-diff: random programs give the same bits in all runs, and programs that once differed still agree."""

import ast
import json
import signal
import subprocess
import time

import pytest
from diff_command import DIFFERENT, ROOT, SAME, TTL_DIFF, USAGE, outcome, ttl_diff

FOUND = sorted((ROOT / "tests" / "diff" / "found").glob("*.py"))
# Runs: both engines, and the JIT with two more schedules and with --tile-loops=off.
QUICK = ["--schedules=fair", "--dma=", "--switches=tile-loops",
         "--options=--engine=jit --schedule=random --seed=1",
         "--options=--engine=jit --schedule=parallel(2)"]

# Runs: the JIT with all optimisations, without each of them, and without any.
SWITCHES = ["--engines=jit", "--schedules=fair", "--dma=",
            "--options=--engine=jit --tile-loops=off --block-transfers=off --aliases=off "
            "--share-arrays=off --opt-level=0 --host-cpu=x86-64-v2"]

CROSSED = """\
import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def copy(y):
    dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with dfb.reserve() as block:
            block.store(ttl.block.fill({value}, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        print("writes", ttl.node(dims=1))
        ttl.copy(dfb.wait(), y[0, 0]).wait()


copy(np.zeros((32, 32), np.float32))
"""
# This program's value depends on the options of the run, as it would with a wrong compiler.
BY_SCHEDULE = CROSSED.replace("import ttl\n", "import ttl\nfrom ttnn import settings\n").format(
    value="len(str(settings.block.get()))"
)


# ===--------------------------------------------------------------------------=== #
# Random programs
# ===--------------------------------------------------------------------------=== #


def generate(count, seed, folder):
    process = ttl_diff("--generate", count, "--seed", seed, *QUICK, "--found", folder)
    assert process.returncode == SAME, f"seed {seed}\n{process.stdout}{process.stderr}"
    assert f"{count} programs" in process.stdout
    assert "ended with an error" not in process.stdout, process.stdout


def test_random_programs_give_the_same_bits_in_all_runs(tmp_path):
    generate(40, 1, tmp_path)


def test_new_random_programs_give_the_same_bits_in_all_runs(tmp_path):
    generate(20, time.time_ns(), tmp_path)


def test_the_same_seed_gives_the_same_programs():
    from ttl_jit.diff.expressions import Coverage
    from ttl_jit.diff.program import Program

    one, other = (Program(7, Coverage()).text() for _ in range(2))
    assert one == other != Program(8, Coverage()).text()


def test_random_programs_use_all_functions_and_many_pairs():
    from ttl_jit.diff.expressions import Coverage
    from ttl_jit.diff.functions import FUNCTIONS, pairs
    from ttl_jit.diff.program import Program

    coverage = Coverage()
    for seed in range(600):
        ast.parse(Program(seed, coverage).text())
    assert coverage.functions.keys() == FUNCTIONS.keys()
    assert coverage.pairs.keys() <= pairs()
    assert len(coverage.pairs) > len(pairs()) / 5


# The generator writes these as operators, as leaves of expressions, or as parts of other functions.
OTHERWISE = {
    "add", "sub", "mul", "div", "matmul", "fill", "zeros", "ones", "squeeze", "bcast", "rowmax", "rowsum",
    "subview", "unsafe",
}


def test_random_programs_use_every_function_of_the_language():
    import ttl
    from ttl_jit.diff.functions import FUNCTIONS

    texts = " ".join(each.text for each in FUNCTIONS.values())
    names = {name for name in dir(ttl.block) if not name.startswith("_")} - OTHERWISE
    assert {name for name in names if f".{name}(" not in texts} == set()


def test_mutants_of_an_example_behave_the_same_in_all_runs(tmp_path):
    process = ttl_diff("--mutate", 20, ROOT / "examples" / "eltwise_1d.py", *QUICK, "--found", tmp_path)
    assert outcome(process)[0] == SAME, outcome(process)[1]


def test_every_optimisation_keeps_the_bits(tmp_path):
    scripts = sorted([*ROOT.glob("examples/*.py"), *ROOT.glob("tests/corpus/*.py")])
    process = ttl_diff(*scripts, *SWITCHES, "--found", tmp_path)
    assert outcome(process)[0] == SAME, outcome(process)[1]
    assert f"{len(scripts)} programs, {len(scripts) * 8} runs" in process.stdout


def test_every_optimisation_keeps_the_bits_of_random_programs(tmp_path):
    process = ttl_diff("--generate", 20, "--seed", 3, *SWITCHES, "--found", tmp_path)
    assert outcome(process)[0] == SAME, outcome(process)[1]


@pytest.mark.parametrize("file", FOUND, ids=[file.stem for file in FOUND])
def test_what_was_found_before_stays_mended(file):
    process = ttl_diff("replay", file)
    assert outcome(process) == (SAME, f"{file}: no difference\n")


# ===--------------------------------------------------------------------------=== #
# Differences
# ===--------------------------------------------------------------------------=== #


def test_a_script_whose_runs_differ_is_reported_and_kept(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(BY_SCHEDULE)
    process = ttl_diff(script, "--engines=interp", "--dma=", "--schedules=fair,greedy", "--found",
                       tmp_path / "found", "--no-reduce")
    assert process.returncode == DIFFERENT, outcome(process)[1]
    assert "1 program, 2 runs, 1 difference" in process.stdout
    kept = (tmp_path / "found" / "program0.py").read_text()
    assert "# ttl-diff found: launch 0 of copy, tensor y: 1024 of 1024 elements differ" in kept
    assert kept.startswith(BY_SCHEDULE)


def test_a_crash_is_a_difference_and_the_other_programs_run(tmp_path):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(CROSSED.format(value=1.0))
    bad.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    process = ttl_diff(bad, good, "--no-reduce", *QUICK, "--found", tmp_path / "found")
    assert process.returncode == DIFFERENT
    assert "2 programs" in process.stdout
    kept = (tmp_path / "found" / "program0.py").read_text()
    assert "# ttl-diff found: the process ended: signal SIGSEGV" in kept


def test_errors_that_are_the_same_in_all_runs_are_no_difference(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(CROSSED.format(value="1.0") + "copy(3)\n")
    process = ttl_diff(script, *QUICK)
    assert process.returncode == SAME, outcome(process)[1]
    assert "1 program ended with an error, the same in all runs:" in process.stdout


def test_programs_that_emission_refuses_are_counted(tmp_path):
    """Most random programs can be emitted; these must have the JIT's results."""
    process = ttl_diff("--generate=60", "--seed=11", "--engines=jit,emitted", "--schedules=fair,random:1",
                       "--dma=eager", "--stages=ttkernel", "--switches=tile-loops", "--json", tmp_path / "result.json",
                       "--found", tmp_path / "found")
    assert process.returncode == SAME, outcome(process)[1]
    assert "refused by the emitted engine, and not compared with it:" in process.stdout
    refused = json.loads((tmp_path / "result.json").read_text())["refused"]
    assert 0 < sum(refused.values()) < 30


# ===--------------------------------------------------------------------------=== #
# The command line
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("arguments, message", [
    ([], "needs files, or --generate N"),
    (["--generate=0"], "expected a number from 1, found 0"),
    (["--generate=1", "--stages=foo"], "no stage is named 'foo'; expected ttl, compute,"),
    (["--generate=1", "--functions=foo"], "no function is named 'foo'; expected some of abs,"),
    (["--generate=1", "--schedules=foo"], "--engine=interp --schedule=foo"),
    (["--generate=1", "--switches=foo"], "--switches: expected some of tile-loops,"),
    (["--generate=1", "--options=jit"], "expected options such as --engine=jit, found 'jit'"),
    (["--generate=1", "--task=3/2"], "--task: expected TASK/TASKS with TASK below TASKS"),
    (["replay"], "replay needs a file"),
    (["replay", __file__], "it is not a file that ttl-diff wrote"),
    (["replay", "/nowhere.py"], "No such file"),
    (["/nowhere.py"], "No such file"),
])
def test_mistakes_on_the_command_line(arguments, message):
    process = ttl_diff(*arguments)
    assert process.returncode == USAGE
    assert message in process.stderr and "Traceback" not in process.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_campaign_with_its_results(number, tmp_path):
    command = ["/usr/bin/python3", TTL_DIFF, "--generate=100000", "--json", tmp_path / "result.json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    time.sleep(5)
    process.send_signal(number)
    text, _ = process.communicate(timeout=60)
    assert process.returncode == SAME and " programs, " in text
    assert (tmp_path / "result.json").exists()


def test_results_of_the_tasks_of_a_campaign_are_merged(tmp_path):
    files = []
    for task in range(2):
        files.append(tmp_path / f"{task}.json")
        process = ttl_diff("--generate", 6, *QUICK, f"--task={task}/2", "--json", files[-1])
        assert "3 programs" in process.stdout, outcome(process)[1]
    process = ttl_diff("merge", *files)
    assert process.returncode == SAME and "6 programs" in process.stdout, outcome(process)[1]
