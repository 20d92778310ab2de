# SPDX-License-Identifier: Apache-2.0
"""Every program of docs/language.md runs, on both engines, and warns of nothing unannounced."""

import os
import subprocess
import sys

import pytest
from language_page import PAGE, headings, snippets

PRELUDE, SNIPPETS = snippets(PAGE.read_text())


def source_of(snippet):
    """The prelude and a program, each at its line of the page, which errors then name."""
    lines = [""] * (snippet.line + snippet.code.count("\n"))
    for part in (PRELUDE, snippet):
        code = part.code.splitlines()
        lines[part.line - 1 : part.line - 1 + len(code)] = code
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet.name)
def test_snippet(snippet, tmp_path, capsys):
    file = tmp_path / "language.py"
    file.write_text(source_of(snippet))
    exec(compile(file.read_text(), str(file), "exec"), {"__name__": "language"})
    printed = capsys.readouterr()
    assert printed.out == snippet.output
    for text in snippet.warnings:
        assert f"warning: {text}" in printed.err
    assert printed.err.count("warning: ") == len(snippet.warnings), printed.err


def test_every_section_has_a_program():
    features = [heading for _, heading in headings(PAGE.read_text())]
    assert len(features) == len(set(features)), "headings name features, each once"
    assert set(features) - {snippet.feature for snippet in SNIPPETS} == set()


def test_every_program_checks_something():
    checks = ("assert", "pytest.raises", "```output")
    silent = [s.name for s in SNIPPETS if not s.output and not any(c in s.code for c in checks)]
    assert silent == []


def test_the_prelude_is_a_program():
    exec(compile(PRELUDE.code, "prelude", "exec"), {})


@pytest.mark.skipif("TTL_ENGINE" in os.environ, reason="runs with the engine of the caller")
def test_on_the_interpreter():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    environment = {**os.environ, "TTL_ENGINE": "interp"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
