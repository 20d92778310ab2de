"""docs/architecture.md and docs/fast-paths.md quote what the compiler prints, and name folders that exist."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "architecture.md"
TEXT = PAGE.read_text() + (ROOT / "docs" / "fast-paths.md").read_text()
BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))


def shown_blocks():
    """Returns (language, stage, lines) for each fenced block whose first line names a stage."""
    fence = re.compile(r"^```(\w+) stage=(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return [(m[1], m[2], m[3].splitlines()) for m in fence.finditer(TEXT)]


@pytest.fixture(scope="module")
def dumps():
    """Returns the output of `--dump all` for eltwise_add.py as {stage: text}."""
    command = [BUILD / "bin" / "ttl-jit", "run", "--dump", "all", "examples/eltwise_add.py"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TTL_")}
    # ttl-jit contains the sanitizer's runtime, which LD_PRELOAD loads into this interpreter.
    environment.pop("LD_PRELOAD", None)
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    parts = re.split(r"^// ----- (\w+): \w+\n", run.stderr, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def find_in_order(shown, printed):
    """Returns the first shown line that does not follow the lines before it in the printed text, or None.

    Each line must directly follow the one before it, but a line `...` stands for any number of lines.
    Indentation does not count. `...` at the end of a line stands for the rest of a long line.
    """
    position, gap = 0, True
    for line in (line.strip() for line in shown):
        if line == "...":
            gap = True
            continue
        matches = (lambda text: text.startswith(line[:-3])) if line.endswith("...") else line.__eq__
        limit = len(printed) if gap else min(position + 1, len(printed))
        found = next((i for i in range(position, limit) if matches(printed[i])), None)
        if found is None:
            return line
        position, gap = found + 1, False
    return None


@pytest.mark.parametrize("block", range(len(shown_blocks())))
def test_shown_ir_is_printed(dumps, block):
    _, stage, lines = shown_blocks()[block]
    printed = [line.strip() for line in dumps[stage].splitlines()]
    missing = find_in_order(lines, printed)
    assert missing is None, f"stage {stage} no longer prints this line here: {missing}"


def test_every_stage_is_shown(dumps):
    assert {stage for _, stage, _ in shown_blocks()} == set(dumps) - {"asm", "config"}  # neither is IR


def test_named_files_exist():
    names = re.findall(r"`((?:diagnostics|frontend|ir|passes|hw|jit|interp|tools|tests|examples)/[\w./-]+)`",
                       TEXT)
    assert len(names) > 20
    missing = [name for name in names if not (ROOT / name).exists()]
    assert not missing


def test_the_comparison_can_fail():
    printed = ["a", "b", "c"]
    assert find_in_order(["a", "...", "c"], printed) is None
    assert find_in_order(["a", "c"], printed) == "c"
    assert find_in_order(["c", "...", "a"], printed) == "a"


def listed_folders(text):
    """Returns the folders in the page's table. `FOLDER/*` means this folder and all folders below it."""
    table = text[text.index("| folder | contents |") :]
    return set(re.findall(r"`([\w./*-]+)`", "".join(re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE))))


def is_listed(folder, listed):
    parents = [folder, *map(str, pathlib.PurePath(folder).parents)]
    return folder in listed or any(f"{parent}/*" in listed for parent in parents)


def test_every_folder_is_in_the_table():
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    folders = {os.path.dirname(name) for name in files.stdout.splitlines() if (ROOT / name).exists()} - {""}
    listed = listed_folders(PAGE.read_text())
    assert sorted(folder for folder in folders if not is_listed(folder, listed)) == []
    gone = [name for name in listed if not (ROOT / name.removesuffix("/*")).is_dir()]
    assert gone == []


def test_a_folder_that_is_not_listed_is_found():
    listed = listed_folders("| folder | contents |\n| --- | --- |\n| `a`, `b/*` | x `c` |\n")
    assert [folder for folder in ("a", "a/x", "b", "b/x/y", "c") if not is_listed(folder, listed)] == ["a/x", "c"]


def test_contributing_names_existing_files():
    """A path with a word in capitals is skipped: the word is a placeholder for the name of a new file."""
    page = (ROOT / "CONTRIBUTING.md").read_text()
    names = re.findall(r"`((?:diagnostics|frontend|ir|passes|hw|jit|interp|tools|tests|docs)/[\w./-]+)`", page)
    assert len(names) > 20
    named = [name for name in names if not re.search(r"[A-Z]{4}", name.replace("README", ""))]
    assert [name for name in named if not (ROOT / name).exists()] == []
