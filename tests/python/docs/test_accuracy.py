"""docs/accuracy.md is what ttjit-accuracy measures."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build")) / "bin/ttjit-accuracy"
PAGE = ROOT / "docs/accuracy.md"


def rows(text):
    """Returns, for each function, the cells of its row."""
    lines = re.findall(r"^\| (`[^|]*`) \|(.*)\|$", text, re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in lines}


def ulps(cell):
    return 0.0 if cell == "exact" else float(cell)


def test_page_states_what_is_measured():
    measured = rows(subprocess.run([PROGRAM, "65536"], check=True, capture_output=True, text=True).stdout)
    stated = rows(PAGE.read_text())
    assert measured.keys() == stated.keys() and len(stated) > 80
    for name, cells in measured.items():
        # The page measured more floats.
        assert ulps(cells[0]) <= ulps(stated[name][0]), name
        assert cells[1:] == stated[name][1:], name


def test_no_function_is_worse_than_the_promise():
    for name, cells in rows(PAGE.read_text()).items():
        assert ulps(cells[0]) <= 2 and ulps(cells[1]) <= 0.51, name


def test_wrong_arguments():
    for arguments in (["0"], ["x"], ["1", "2"]):
        run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        assert run.returncode == 2 and "usage: ttjit-accuracy" in run.stderr
