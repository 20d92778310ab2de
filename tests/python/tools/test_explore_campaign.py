# SPDX-License-Identifier: Apache-2.0
"""ttl-jit explore runs the orders of --explore in several processes (a campaign)."""

import re

import pytest
from running import ROOT, RUNTIME_FAULT, SCRIPT_FAILED, SUCCESS, USAGE, ttl_jit

SLOW_READER = (ROOT / "tests" / "broken" / "explore" / "slow_reader.py").read_text()
# The same program, but without the read that may come before or after a write.
ORDERED = SLOW_READER.replace("ttl.copy(middle[0, 0], block)", "ttl.copy(x[0, 0], block)").replace("== 4", "== 2")


def explore(folder, *options, text=SLOW_READER):
    (folder / "script.py").write_text(text)
    return ttl_jit("explore", "script.py", *options, cwd=folder)


def test_the_first_finding_does_not_depend_on_the_workers(tmp_path):
    texts, files = set(), set()
    for workers in (1, 3):
        process = explore(tmp_path, "--orders=60", "--orders-per-run=6", f"--workers={workers}")
        assert process.returncode == RUNTIME_FAULT, process.stderr
        texts.add(process.stderr)
        files.add((tmp_path / "explore.replay").read_bytes())
    [text] = texts
    assert len(files) == 1
    assert "error: the result of kernel kernel depends on the order of its threads" in text
    assert re.search(r"in order \d of 6 \(--seed=\d\)", text)
    assert f"repeat it with --schedule=replay:{tmp_path}/explore.replay" in text
    again = ttl_jit("run", "script.py", "--schedule=replay:explore.replay", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (SCRIPT_FAILED, "the last tile is 0.0\n")


def test_orders_with_the_same_results(tmp_path):
    process = explore(tmp_path, "--orders=25", "--orders-per-run=10", "--workers=2", text=ORDERED)
    assert process.returncode == SUCCESS, process.stderr
    assert re.fullmatch(r"(explore: kernel \w+: 25 orders in 3 runs give the same results; a run shows up to "
                        r"\d+ pairs of events\n)+", process.stdout)
    assert not (tmp_path / "explore.replay").exists()


def test_the_seed_and_options_reach_the_runs(tmp_path):
    process = explore(tmp_path, "--orders=60", "--orders-per-run=6", "--seed=40", "--replay=found", "--engine=interp")
    assert process.returncode == RUNTIME_FAULT
    assert re.search(r"--seed=4\d\)", process.stderr) and (tmp_path / "found").exists()


def test_an_interrupted_campaign_goes_on(tmp_path):
    options = "--orders=20", "--orders-per-run=10", "--workers=1", "--journal=journal"
    first = explore(tmp_path, *options, text=ORDERED)
    journal = tmp_path / "journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    journal.write_bytes(b"".join(lines[:2]))
    second = explore(tmp_path, *options, text=ORDERED)
    assert second.stdout == first.stdout and len(journal.read_bytes().splitlines()) == 3
    other = explore(tmp_path, *options, "--seed=1", text=ORDERED)
    assert other.returncode == USAGE and "is the journal of a campaign with other options" in other.stderr


def test_a_script_that_fails(tmp_path):
    process = explore(tmp_path, "--orders=2", text="raise ValueError('no data')\n")
    assert process.returncode == SCRIPT_FAILED and "ValueError: no data" in process.stderr


@pytest.mark.parametrize("arguments, message", [
    (("--schedule=random",), "explore chooses the orders of threads itself: leave out --schedule"),
    (("--orders=none",), "argument --orders: expected a number from 1, found 'none'"),
    (("--cluster=tcp://nowhere.invalid:1", "--workers=2"), "--workers and --cluster exclude each other"),
])
def test_wrong_options(tmp_path, arguments, message):
    process = explore(tmp_path, *arguments)
    assert process.returncode == USAGE and message in process.stderr


def test_only_scripts(tmp_path):
    (tmp_path / "module.mlir").write_text("module {}\n")
    process = ttl_jit("explore", "module.mlir", cwd=tmp_path)
    assert process.returncode == USAGE and "explore runs scripts (.py), found module.mlir" in process.stderr
