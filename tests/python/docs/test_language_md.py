# SPDX-License-Identifier: Apache-2.0
"""Every program of docs/language runs on both engines and prints only the warnings that it announces."""

import os
import re
import subprocess
import sys
import warnings

import pytest
import ttl
from language_page import README, ROOT, programs, status
from test_messages import literals_of

PAGES = status.pages()
(PRELUDE,) = programs("README", README.read_text())
PROGRAMS = [program for page, text in PAGES.items() for program in programs(page, text)]


def run(program, folder):
    """Runs the prelude and a program. Each is a file with the page's name and lines, which errors then show."""
    names = {"__name__": "language"}
    for part in (PRELUDE, program):
        file = folder / f"{part.page}.py"
        file.write_text("\n" * (part.line - 1) + part.code)
        exec(compile(file.read_text(), str(file), "exec"), names)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_program(program, tmp_path, capsys):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(program, tmp_path)
    assert capsys.readouterr().out == program.output
    found = [str(each.message) for each in caught if issubclass(each.category, ttl.KernelWarning)]
    for text in program.warnings:
        assert any(warning.startswith(text) for warning in found), found
    assert len(found) == len(program.warnings), found


def test_every_section_has_a_program():
    features = [feature for text in PAGES.values() for feature in status.features(text)]
    assert len(features) == len(set(features)), "each feature must be named by one heading only"
    assert set(features) - {program.feature for program in PROGRAMS} == set()


def test_every_program_checks_something():
    silent = [p.name for p in PROGRAMS if not p.output and "assert" not in p.code]
    assert silent == []


def test_programs_can_fail(tmp_path):
    wrong = PROGRAMS[0]._replace(code="assert apply(lambda x: x + 1, numbers(32, 32))[0, 0] == 99\n")
    with pytest.raises(AssertionError):
        run(wrong, tmp_path)


def test_every_page_is_in_the_contents():
    found = {path.stem for path in status.FOLDER.glob("*.md")}
    assert found == {*status.PAGES, "README", "status"}


def test_the_pages_are_up_to_date():
    files = status.test_files()
    assert status.unknown_features(PAGES, files) == []
    for path, text in status.updated(PAGES, files).items():
        assert text == path.read_text(), "run tools/language-status"


def test_comments_name_features_and_tests():
    text = "# feature: One; Two\ndef helper(): ...\n# feature: Three\n@mark\ndef test_a(): ...\n"
    file = "tests/python/x/test_x.py"
    assert list(status.named_in(file, text)) == [("One", file), ("Two", file), ("Three", f"{file}::test_a")]
    assert status.unknown_features({"page": "## One\n"}, {file: text}) == [("Two", file), ("Three", f"{file}::test_a")]


def test_the_engines_of_a_test():
    files = {"tests/python/a/test_a.py": "", "tests/python/a/test_b.py": 'run("--engine=interp")',
             "tests/python/a/test_d.py": '"a/test_a.py" "interp"', "tests/python/a/test_c.py": ""}
    found = [name for name in files if status.runs_interpreter(name, files)]
    assert found == [name for name in files if not name.endswith("test_c.py")]
    assert status.runs_interpreter("tests/corpus/x.mlir", files)


def test_quoted_messages_exist():
    text = PAGES["messages"]
    table = text[text.index("| the message has |") :]
    phrases = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.*`) \|", table[: table.index("\n\n")], re.M)))
    assert len(phrases) > 15
    files = [path for folder in ("frontend", "passes", "hw", "ir") for path in (ROOT / folder).rglob("*.cpp")]
    messages = "\n".join(text for path in files for text in literals_of(path.read_text()))
    assert [phrase for phrase in phrases if phrase not in messages] == []


@pytest.mark.skipif("TTL_ENGINE" in os.environ, reason="TTL_ENGINE would change the engine")
def test_on_the_interpreter():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    environment = {**os.environ, "TTL_ENGINE": "interp"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
