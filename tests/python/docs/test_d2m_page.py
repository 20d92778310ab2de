# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of docs/d2m.md and compares their output. `--update` writes the page's table of ops."""

import pathlib
import re
import shlex
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import ROOT, ttl_jit  # noqa: E402
from tutorial import commands  # noqa: E402

PAGE = (ROOT / "docs" / "d2m.md").read_text()
BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("command, output", [pair for block in BLOCKS for pair in commands(block)])
@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_command(command, output, engine):
    words = shlex.split(command)[1:]
    process = ttl_jit(words[0], f"--engine={engine}", *words[1:])
    assert process.stdout + process.stderr == output


def ops_of_tests():
    """Returns {dialect: ops} for the ops in the programs of tests/python/d2m/programs."""
    names = set()
    for program in sorted((ROOT / "tests" / "python" / "d2m" / "programs").glob("*.mlir")):
        text = re.sub(r"//.*", "", program.read_text())
        names |= set(re.findall(r"\b((?:d2m|linalg|memref|affine|scf|tensor)\.[a-z]\w*)\b", text))
    # These names are attributes and types, not ops.
    names -= {"d2m.blocking_loop", "d2m.reduction_loop", "d2m.cb", "d2m.thread", "d2m.local_semaphore", "d2m.mem_tx"}
    groups = {}
    for name in sorted(names):
        dialect, _, short = name.partition(".")
        kind = "`d2m` on tiles" if short.startswith("tile_") and "block" not in short else f"`{dialect}`"
        groups.setdefault(kind, []).append(f"`{short}`")
    return groups


def table():
    rows = ["| dialect | ops that tests run |", "| --- | --- |"]
    return "\n".join(rows + [f"| {kind} | {' '.join(ops)} |" for kind, ops in sorted(ops_of_tests().items())])


START, END = "<!-- ops: tests/python/docs/test_d2m_page.py --update -->\n", "\n<!-- end of ops -->"


def with_table(page):
    return page[: page.index(START) + len(START)] + table() + page[page.index(END) :]


def test_table_of_ops():
    assert with_table(PAGE) == PAGE, "run python3 tests/python/docs/test_d2m_page.py --update"


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    (ROOT / "docs" / "d2m.md").write_text(with_table(PAGE))
