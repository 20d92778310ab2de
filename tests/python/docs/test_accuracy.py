"""docs/accuracy.md contains what the program ttjit-accuracy measures."""

import os
import pathlib
import re
import subprocess

import pytest
from ttl import _api

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build")) / "bin/ttjit-accuracy"
PAGE = ROOT / "docs/accuracy.md"


def section(text, title):
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(text):
    """Returns, for each function, the cells of its row of measured errors."""
    lines = re.findall(r"^\| (`[^|]*`) \|(.*)\|$", section(text, "Measured errors"), re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in lines}


def ulps(cell):
    return 0.0 if cell == "exact" else float(cell)


@pytest.fixture(scope="module")
def written():
    """Returns the page as ttjit-accuracy writes it now, but with errors measured on fewer floats."""
    return subprocess.run([PROGRAM, "65536"], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("title", ["Functions", "Bits"])
def test_page_is_current(written, title):
    assert section(written, title) == section(PAGE.read_text(), title), (
        "run build/bin/ttjit-accuracy --update"
    )


def test_page_states_what_is_measured(written):
    measured, stated = rows(written), rows(PAGE.read_text())
    assert measured.keys() == stated.keys() and len(stated) > 80
    for name, cells in measured.items():
        # The errors on the page were measured on more floats, so they can only be larger.
        assert ulps(cells[0]) <= ulps(stated[name][0]), name
        assert cells[1:] == stated[name][1:], name


def test_each_function_has_one_row():
    names = re.findall(r"^\| `(\w+)\(", section(PAGE.read_text(), "Functions"), re.MULTILINE)
    assert names == [name for name, *_ in _api.TILE_FUNCTIONS]


def test_update_measures_what_the_page_lacks(tmp_path):
    page, lines = tmp_path / "accuracy.md", PAGE.read_text().splitlines(keepends=True)
    page.write_text("".join(line for line in lines if "`relu" not in line and "`gez`" not in line))
    subprocess.run([PROGRAM, "--update", page], check=True)
    assert page.read_text() == PAGE.read_text()


def test_no_function_is_worse_than_the_promise():
    for name, cells in rows(PAGE.read_text()).items():
        assert ulps(cells[0]) <= 2 and ulps(cells[1]) <= 0.51, name


def test_wrong_arguments():
    for arguments in (["0"], ["x"], ["1", "2"], ["--update", "a", "b"]):
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        assert run.returncode == 2 and "usage: ttjit-accuracy" in run.stderr
