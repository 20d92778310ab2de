# SPDX-License-Identifier: Apache-2.0
"""Runs every command of docs/tutorial.md and compares what it prints with the page."""

import os
import pathlib
import subprocess

import pytest
import tutorial

BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", tutorial.ROOT / "build"))
PAGE = tutorial.PAGE.read_text()
RUNS = tutorial.runs_of(PAGE)


def output_of(run, folder):
    """Runs a command in a folder; returns what it prints on both streams, in order."""
    for name, text in run.files.items():
        (folder / name).write_text(text)
    assert run.words[0] in ("ttl-jit", "ttl-opt", "ttc"), f"line {run.line} runs another program: {run.words[0]}"
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("TTL_") and name not in ("LD_PRELOAD", "PYTHONPATH")}
    process = subprocess.run(
        [BUILD / "bin" / run.words[0], *run.words[1:]],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=300, cwd=folder, env={**kept, "PYTHONUNBUFFERED": "1"},
    )
    return process.stdout


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"line {run.line}: {' '.join(run.words)}")
def test_commands_print_what_the_page_quotes(run, tmp_path):
    output = output_of(run, tmp_path)
    if not tutorial.matches(run.output, output):
        assert output == run.output, f"docs/tutorial.md:{run.line} quotes other output"


def test_every_program_runs_without_its_mistakes():
    """The first run of each program on the page finds no wrong elements, and every program is run."""
    seen = {}
    for run in RUNS:
        for word in run.words[2:3]:
            seen.setdefault(word, run.output)
    assert set(seen) == set(tutorial.programs_of(PAGE))
    assert len(seen) == 8 and all("wrong elements: 0\n" in output for output in seen.values())


@pytest.mark.parametrize("options", [
    ("--engine=interp", "--schedule=greedy"),
    ("--engine=jit", "--schedule=parallel(2)"),
    ("--engine=jit", "--schedule=random", "--seed=1"),
    ("--engine=interp", "--schedule=random", "--seed=2"),
], ids=" ".join)
def test_programs_are_right_under_every_schedule(options, tmp_path):
    for name, text in tutorial.programs_of(PAGE).items():
        run = tutorial.Run(0, ("ttl-jit", "run", name, *options), {name: text}, "")
        assert output_of(run, tmp_path) == "wrong elements: 0\n", name


def test_pages_are_read():
    page = "```python a.py\nx = 1\ny\n```\ntext\n```diff a.py\n-x = 1\n+x = 2\n```\n" \
           "```console\n$ ttl-jit run a.py\nout\n```\n"
    (run,) = tutorial.runs_of(page)
    assert run.files == {"a.py": "x = 2\ny\n"} and run.output == "out\n" and run.line == 10
    with pytest.raises(AssertionError, match="expected these lines once in the program"):
        tutorial.changed("x\nx\n", "-x\n+y\n")


@pytest.mark.parametrize("quoted, output, fits", [
    ("a\n", "a\n", True),
    ("a\n", "a\nb\n", False),
    ("a\n...\n", "a\nb\nc\n", True),
    ("a\n...\nc\n", "a\nb\n", False),
    ("a.b\n", "axb\n", False),
    ("a(... b)\n", "a(1 b)\n", True),
    ("a(... b)\n", "a(\nb)\n", False),
])
def test_dots_stand_for_any_text(quoted, output, fits):
    assert tutorial.matches(quoted, output) == fits
