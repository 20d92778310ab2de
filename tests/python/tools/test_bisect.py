"""Bisection: every example and every script of the corpus gives the same bits after every pass."""

import re
import signal
import subprocess
import time

import pytest
from running import (BUILD, EXAMPLES, KERNELS, ROOT, RUNTIME_FAULT, SCRIPT_FAILED, SUCCESS, TTL_JIT,
                     USAGE, environment, ttl_jit)

ROOT_LIBRARY = BUILD / "lib"
CORPUS = sorted((ROOT / "tests" / "corpus").glob("*.py"))
# Smaller sizes: a kernel runs a dozen times, mostly on the interpreter.
SMALL = {"eltwise_add": ["--size=128"]}


def bisect(file, *arguments, **keywords):
    return ttl_jit("bisect", file, *arguments, **keywords)


def assert_kept(process):
    assert process.returncode == SUCCESS, process.stdout + process.stderr
    found = re.search(r"every pass keeps the bits \((\d+) launch(?:es)?, (\d+) versions? run\)",
                      process.stdout)
    assert found, process.stdout
    # A kernel runs as the frontend made it, and at least once per stage that changes it.
    assert int(found[2]) >= 6 * int(found[1]) > 0


@pytest.mark.parametrize("name", sorted({path.stem for path in EXAMPLES.glob("*.py")} - {"check"}))
def test_examples_keep_their_bits(name):
    assert_kept(bisect(EXAMPLES / f"{name}.py", "--", *SMALL.get(name, [])))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_scripts_of_the_corpus_keep_their_bits(path):
    assert_kept(bisect(path))


def test_a_wrong_pass_is_found_in_a_script(tmp_path):
    script = tmp_path / "add.py"
    script.write_text((EXAMPLES / "eltwise_add.py").read_text())
    (tmp_path / "check.py").write_text((EXAMPLES / "check.py").read_text())
    plugin = ROOT_LIBRARY / "ttjit-test-passes.so"
    process = bisect(script, f"--pass-plugin={plugin}", "--insert-pass=test-break-add@compute",
                     "--", "--size=64")
    assert process.returncode == SCRIPT_FAILED, process.stdout + process.stderr
    lines = process.stdout.splitlines()
    at = lines.index("bisect: add: test-break-add (stage compute) is the first pass that changes "
                     "a result")
    assert re.fullmatch(
        r"  tensor y, element \[0, 0\]: \S+ \(0x[0-9A-F]{8}\) before, \S+ \(0x[0-9A-F]{8}\) "
        r"after; \d+ of 4096 elements differ", lines[at + 1])
    assert re.fullmatch(
        rf"  written by thread writer of node \(0, 0\) at {re.escape(str(script))}:\d+:\d+",
        lines[at + 2])


def test_a_script_whose_kernel_faults_is_reported_too():
    plugin = ROOT_LIBRARY / "ttjit-test-passes.so"
    process = bisect(EXAMPLES / "eltwise_add.py", f"--pass-plugin={plugin}",
                     "--insert-pass=test-drop-push@sync", "--", "--size=64")
    assert process.returncode == SCRIPT_FAILED, process.stdout + process.stderr
    assert ("bisect: add: test-drop-push (stage sync) is the first pass that changes a result\n"
            "  before: finished\n  after: fault in thread ") in process.stdout


def test_hints_repeat_the_options_that_shape_the_kernel():
    plugin = ROOT_LIBRARY / "ttjit-test-passes.so"
    schedule = EXAMPLES / "stream_scale.schedule.mlir"
    process = bisect(EXAMPLES / "stream_scale.py", f"--schedule-file={schedule}", "--dst=fpu",
                     f"--pass-plugin={plugin}", "--insert-pass=test-drop-push@dst")
    assert process.returncode == SCRIPT_FAILED, process.stdout + process.stderr
    assert "test-drop-push (stage dst) is the first pass that changes a result" in process.stdout
    assert re.search(r"the IR before: ttl-jit run \S+stream_scale.py .*--dst=fpu.* "
                     r"--stage=ttl-assign-dst --dump=ttl-assign-dst\n", process.stdout)
    assert f" --schedule-file={schedule}" in process.stdout


def test_a_schedule_keeps_the_bits():
    schedule = EXAMPLES / "stream_scale.schedule.mlir"
    assert_kept(bisect(EXAMPLES / "stream_scale.py", f"--schedule-file={schedule}"))


def test_ctrl_c_ends_all_versions_of_a_kernel():
    process = subprocess.Popen(
        [TTL_JIT, "bisect", KERNELS / "mistakes.py", "--", "endless_loop"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
    )
    time.sleep(1.5)  # longer than the start takes, much shorter than a run with all versions
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr


def test_a_script_has_no_stage_to_start_from():
    process = ttl_jit("run", EXAMPLES / "eltwise_add.py", "--start-from=dst")
    assert process.returncode == USAGE
    assert process.stderr == ("ttl-jit: --start-from needs a .mlir file: a script has no stage to "
                              "start from\n")


def test_a_fault_is_no_difference(tmp_path):
    process = bisect(ROOT / "tests" / "corpus" / "fault-division.mlir")
    assert process.returncode == RUNTIME_FAULT
    assert "every pass keeps the bits" in process.stdout
