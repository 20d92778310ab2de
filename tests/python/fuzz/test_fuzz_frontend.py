# SPDX-License-Identifier: Apache-2.0
"""Runs a few hundred mutants of fuzz_frontend.py, and programs with known findings that it must report."""

import json
import os
import pathlib
import subprocess
import sys

from fuzz_minimise import minimise

FOLDER = pathlib.Path(__file__).parent
COUNT = 300

SCRIPT = """
import json, sys, tempfile
import fuzz_children
with tempfile.TemporaryDirectory() as folder:
    fuzz_children.warm_up(folder)  # maps the device's memory
    print(json.dumps(fuzz_children.run(json.load(sys.stdin), folder)))
"""


def fuzz(*arguments):
    command = [sys.executable, FOLDER / "fuzz_frontend.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def run_python(script, *arguments, **keywords):
    path = os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")])
    return subprocess.run([sys.executable, "-c", script, *arguments], text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": path}, **keywords)


def reports(*texts):
    """Returns the reports of the fuzzer's child processes on these programs."""
    process = run_python(SCRIPT, input=json.dumps(texts))
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def test_mutants():
    process = fuzz(f"--count={COUNT}", "--batch=20")
    assert process.returncode == 0, process.stdout + process.stderr
    assert f"{COUNT} programs, 0 kinds of findings" in process.stdout


def test_a_mutant_is_always_the_same():
    first = fuzz("--first=7", "--count=5", "--show").stdout
    assert first.count("# ") >= 5
    assert fuzz("--first=7", "--count=5", "--show").stdout == first
    assert fuzz("--first=7", "--count=5", "--show", "--seed=1").stdout != first


IN_KERNEL = """
import numpy as np
import ttl

@ttl.operation(grid=(1, 1))
def op(a):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    semaphore = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        {}

op(np.zeros((32, 32), np.float32))
"""


# This program raises an AssertionError unless its launch was repeated on the other engine.
COMPARED = IN_KERNEL.format("pass") + "import _ttjit\nassert _ttjit.compared_runs()[0] > 0\n"
FUZZ = """
import sys, fuzz_frontend
text = sys.argv.pop(1)
fuzz_frontend.Fuzzer.mutant = lambda self, number: ("a program", text)
sys.exit(fuzz_frontend.main())
"""


def test_some_mutants_run_on_both_engines():
    """Of the mutants 10 to 15, only those whose number is a multiple of 3 run on both engines."""
    process = run_python(FUZZ, COMPARED, "--first=10", "--count=6", "--both=3", "--jobs=2")
    assert process.returncode == 0, process.stdout + process.stderr
    answers = process.stdout.partition("=== ")[2].split("\n")
    assert answers[0] == "6 programs, 0 kinds of findings"
    assert sorted(answers[1:3]) == ["        2 ran", "        4 Python AssertionError"]


def test_answers():
    answers = {
        "pass": "ran",
        "a_dfb.foo()": "CompileError",
        "semaphore.wait_ge(1)": "DeadlockError",
        "while True: pass": "RuntimeFault",
    }
    found = reports(*(IN_KERNEL.format(statement) for statement in answers))
    for report, answer in zip(found, answers.values()):
        assert report["findings"] == [] and answer in report["answers"]


CRASH = "import ctypes\nctypes.string_at(0)\n"
# C code that no Python signal handler ends: as a part of a launch (HANG), and of the program itself (LONG).
LONG = "import signal\nsignal.signal(signal.SIGPROF, signal.SIG_IGN)\nwhile True: pass\n"
HANG = "import os\nos.write(2, b'\\nfuzz-state: launch\\n')\n" + LONG
OWN = "import _ttjit\n_ttjit.launch(1, 2, 3)\n"


GENERATED = """
import json, random, fuzz_refused
print(json.dumps([fuzz_refused.program(random.Random(number)) for number in range(60)]))
"""


def test_generated_programs_reach_the_compiler():
    """Generated programs end with diagnostics, or run: code around their threads raises no exception."""
    programs = json.loads(run_python(GENERATED).stdout)
    found = reports(*programs)
    assert [each["findings"] for each in found] == [[]] * len(programs)
    answers = [set(each["answers"]) for each in found]
    assert sum("error" in each or "ran" in each for each in answers) > 0.9 * len(programs), answers


def test_findings():
    """A child that dies says which program it ran. The other programs of its batch are still reported on."""
    first, crash, hang, own, loop, last = reports("1 + 1\n", CRASH, HANG, OWN, LONG, "2 + 2\n")
    kinds = [[each["kind"] for each in report["findings"]] for report in (crash, hang, own)]
    assert kinds == [["crash"], ["hang"], ["launch raises"]]
    assert first["answers"] == last["answers"] == ["ran"]
    assert loop == {"answers": ["time"], "findings": []}


# Each compile and launch is short, but the program never ends.
LAUNCHES = IN_KERNEL.format("pass") + "while True: op(np.zeros((32, 32), np.float32))\n"


def test_a_program_may_launch_without_end():
    [report] = reports(LAUNCHES)
    assert "time" in report["answers"] and report["findings"] == []


def test_minimising():
    text = "x = 1\nfor i in range(3):\n    y = 2\n    bad = 3\n\ndef f():\n    return 4\n"
    assert minimise(text, lambda smaller: "bad" in smaller) == "for i in range(3):\n    bad = 3\n"
