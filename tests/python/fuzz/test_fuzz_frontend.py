# SPDX-License-Identifier: Apache-2.0
"""A few hundred mutants of the fuzzer, and what the fuzzer itself must find."""

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


def reports(*texts):
    """The reports of the fuzzer's children on these programs."""
    path = os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")])
    process = subprocess.run([sys.executable, "-c", SCRIPT], input=json.dumps(texts), text=True,
                             capture_output=True, env={**os.environ, "PYTHONPATH": path})
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
# C code that no Python signal handler ends, as part of a launch, and of the program itself.
LONG = "import signal\nsignal.signal(signal.SIGPROF, signal.SIG_IGN)\nwhile True: pass\n"
HANG = "import os\nos.write(2, b'\\nfuzz-state: launch\\n')\n" + LONG
OWN = "import _ttjit\n_ttjit.launch(1, 2, 3)\n"


def test_findings():
    """A child that dies says which program it ran; the others are answered still."""
    first, crash, hang, own, loop, last = reports("1 + 1\n", CRASH, HANG, OWN, LONG, "2 + 2\n")
    kinds = [[each["kind"] for each in report["findings"]] for report in (crash, hang, own)]
    assert kinds == [["crash"], ["hang"], ["launch raises"]]
    assert first["answers"] == last["answers"] == ["ran"]
    assert loop == {"answers": ["time"], "findings": []}


# Each compile and launch is short; the program has no end.
LAUNCHES = IN_KERNEL.format("pass") + "while True: op(np.zeros((32, 32), np.float32))\n"


def test_a_program_may_launch_without_end():
    [report] = reports(LAUNCHES)
    assert "time" in report["answers"] and report["findings"] == []


def test_minimising():
    text = "x = 1\nfor i in range(3):\n    y = 2\n    bad = 3\n\ndef f():\n    return 4\n"
    assert minimise(text, lambda smaller: "bad" in smaller) == "for i in range(3):\n    bad = 3\n"
