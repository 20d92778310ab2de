# SPDX-License-Identifier: Apache-2.0
"""tools/commit-msg checks the messages of commits."""

import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def tree(tmp_path):
    """Makes a repository that has tools/commit-msg, installed as a hook."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "commit-msg", tmp_path / "tools")
    for command in (["init", "-q"], ["config", "user.name", "a"], ["config", "user.email", "a@b"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert run(tmp_path, "--install").returncode == 0
    return tmp_path


def run(tree, *arguments):
    return subprocess.run([tree / "tools" / "commit-msg", *arguments], cwd=tree, capture_output=True, text=True)


def commit(tree, message, lines=1, *options):
    with open(tree / "file", "a") as file:
        file.write("x\n" * lines)
    subprocess.run(["git", "add", "file"], cwd=tree, check=True)
    return subprocess.run(["git", "commit", "-q", "-m", message, *options], cwd=tree, capture_output=True, text=True)


@pytest.mark.parametrize("message, lines, mistake", [
    ("hw: a poll lets other threads run", 50, None),
    ("frontend/walk, docs: names of loops\n\nThey were lost.", 51, None),
    ('Revert "hw: x"', 51, None),
    ("hw: " + "x" * 68, 1, None),
    ("hw: " + "x" * 69, 1, "the subject has 73 characters: write at most 72"),
    ("Fix a bug", 1, "the subject names no area"),
    ("hw: x\nmore", 1, "the second line is not empty"),
    ("hw: x", 51, "the commit changes 51 lines and has no text below the subject"),
])
def test_messages(tree, message, lines, mistake):
    made = commit(tree, message, lines)
    assert made.returncode == (0 if mistake is None else 1)
    assert (mistake or "") in made.stderr


def test_comments_do_not_count(tree):
    (tree / "message").write_text("hw: x\n# Please enter\n# ------------------------ >8 ----\n+code\n")
    assert run(tree, "message").returncode == 0


def test_a_range(tree):
    assert commit(tree, "hw: first").returncode == 0
    assert commit(tree, "No area", 1, "--no-verify").returncode == 0
    found = run(tree, "--range", "HEAD~1..HEAD")
    assert found.returncode == 1 and "names no area" in found.stderr and "No area" in found.stderr
    assert commit(tree, "hw: third").returncode == 0
    assert run(tree, "--range", "HEAD~1..HEAD").returncode == 0


def test_another_hook_is_kept(tree):
    hook = tree / ".git" / "hooks" / "commit-msg"
    hook.write_text("#!/bin/sh\n")
    found = run(tree, "--install")
    assert found.returncode == 1 and "is another hook" in found.stderr and hook.read_text() == "#!/bin/sh\n"


def test_wrong_arguments(tree):
    for arguments in ((), ("--range", "a..b", "--install")):
        assert run(tree, *arguments).returncode == 2
