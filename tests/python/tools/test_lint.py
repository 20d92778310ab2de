"""tools/lint-python finds wrong forms and common mistakes, and none of them in the tree."""

import importlib.machinery
import importlib.util
import subprocess
import textwrap

import pytest
from running import ROOT

LINT = ROOT / "tools" / "lint-python"


@pytest.fixture(scope="module")
def lint():
    pytest.importorskip("pyflakes")
    loader = importlib.machinery.SourceFileLoader("lint_python", str(LINT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint_python", loader))
    loader.exec_module(module)
    return module


def found(lint, folder, name, text, capsys):
    """Returns what the program prints about a file with this text, without the file's name."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(textwrap.dedent(text))
    lint.ROOT = folder
    clean = lint.check(name)
    lines = [line.removeprefix(f"{name}:") for line in capsys.readouterr().out.splitlines()]
    assert clean == (not lines)
    return lines


FUNCTION = """\
    X = 1


    # Says one.
    def one():
        return X


    Y = 2
    """


@pytest.mark.parametrize("old, new, message", [
    ("X = 1\n", f"X = 1  # {'x' * 200}\n", "1: the line has 209 characters: write at most 120"),
    ("return X", "return\tX", "6: the line has a tab: write blanks, or \\t in a text"),
    ("return X", "return X ", "6: the line ends with blanks: remove them"),
    ("X = 1\n\n", "X = 1\n", "4: blank lines before this line: found 1, write 2"),
    ("return X\n\n", "return X\n", "8: blank lines before this line: found 1, write 2"),
    ("return X", "return Z", "6: undefined name 'Z'"),
    ("X = 1", "import os", "1: 'os' imported but unused"),
    ("return X", "x = X", "6: local variable 'x' is assigned to but never used"),
    ("return X", "return X)", "6: unmatched ')'"),
])
def test_each_mistake_is_found(lint, tmp_path, capsys, old, new, message):
    assert found(lint, tmp_path, "file.py", FUNCTION, capsys) == []
    assert message in found(lint, tmp_path, "file.py", FUNCTION.replace(old, new, 1), capsys)


@pytest.mark.parametrize("name, text", [
    ("package/__init__.py", "from os import path\n"),
    ("file.py", "from os import path  # noqa: F401\n"),
    ("file.py", "from os import (  # noqa: F401\n    path,\n    sep,\n)\n"),
    ("file.py", "from os.path import *\n\nprint(join('a', 'b'))\n"),
    ("tests/kernel.py", "def kernel():\n    import math\n    x = unknown\n"),
    ("tests/python/forms/cases.py", f"CASE = '{'x' * 200}'\n"),
])
def test_what_is_on_purpose_is_not_reported(lint, tmp_path, capsys, name, text):
    assert found(lint, tmp_path, name, text, capsys) == []


def test_the_tree_is_clean():
    pytest.importorskip("pyflakes")
    process = subprocess.run([LINT], capture_output=True, text=True, timeout=100)
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")
