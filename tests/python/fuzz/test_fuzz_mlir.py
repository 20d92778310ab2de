# SPDX-License-Identifier: Apache-2.0
"""Runs a few mutants of fuzz_mlir.py, which can run any number of mutants."""

import os
import random
import signal
import subprocess
import sys
import types

import fuzz_batches
import fuzz_mlir
import pytest


def test_mutants(tmp_path):
    process = subprocess.run([sys.executable, fuzz_mlir.__file__, "--count=300", f"--out={tmp_path}"],
                             capture_output=True, text=True, timeout=900)
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stdout == "300 mutants, 0 findings\n"


def test_a_mutant_is_always_the_same(tmp_path):
    modules = fuzz_mlir.Modules(tmp_path)
    counts = {name: min(map(len, texts)) for name, texts in modules.sources.items()}
    least = {"ttl": 100, "microcores": 100, "ttir": 50, "d2m": 9}
    assert counts.keys() == least.keys() and all(counts[name] >= least[name] for name in least), counts
    assert any("ttl.tile_proc" in text for text in modules.sources["microcores"][0])
    first = [modules.mutant(random.Random(number)) for number in range(100)]
    assert first == [modules.mutant(random.Random(number)) for number in range(100)]
    assert {options for _, options in first} == set(fuzz_mlir.ENGINES)
    assert len({text for text, _ in first}) > 90


POSITION = "error: expected an op\n  at case.mlir:1:2\n"


@pytest.mark.parametrize("status, messages, is_good", [
    (0, "", True), (3, POSITION, True), (4, POSITION, True), (3, "no func.func @main to run", True),
    (3, "error: expected an op\n", False), (3, "", False), (2, POSITION, False),
    (3, POSITION + "internal error: the compiler crashed", False),
])
def test_judgements(status, messages, is_good):
    assert (fuzz_mlir.judge(status, messages) is None) == is_good


def ends(act):
    """Returns the finding on a case that calls act() instead of running a program."""
    kind = types.SimpleNamespace(run=lambda chance: act())
    [(number, finding)] = fuzz_batches.run_batches(kind, [7], seed=0, batch=10)
    assert number == 7
    return finding


def test_the_end_of_a_child_is_a_finding():
    assert ends(lambda: None) is None
    assert ends(lambda: "wrong") == "wrong"
    assert "KeyError" in ends(lambda: {}["x"])
    assert ends(lambda: os.kill(os.getpid(), signal.SIGTERM)) == "signal 15"
    assert ends(lambda: os.kill(os.getpid(), signal.SIGPROF)) == "hangs"
    assert ends(lambda: os._exit(3)) == "status 3"
    assert ends(lambda: os._exit(0)) == "status 0"


def test_other_cases_run_after_a_crash():
    def run(chance):
        return os._exit(1) if chance.random() < 0.3 else None

    numbers = list(range(40))
    found = dict(fuzz_batches.run_batches(types.SimpleNamespace(run=run), numbers, seed=1, batch=15))
    assert sorted(found) == numbers and 3 < sum(map(bool, found.values())) < 25
    expected = {number: random.Random(f"1:{number}").random() < 0.3 for number in numbers}
    assert {number: bool(text) for number, text in found.items()} == expected


def test_jobs_share_the_cases():
    yielded = fuzz_batches.in_jobs(3, range(10), lambda part: [(os.getpid(), each) for each in part])
    pairs = list(yielded)
    assert sorted(each for _, each in pairs) == list(range(10))
    assert len({process for process, _ in pairs}) == 3
