# SPDX-License-Identifier: Apache-2.0
"""README.md is short, its kernel computes what it says, and its wrong kernel gives the quoted message."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))
PAGE = (ROOT / "README.md").read_text()
KERNEL = re.search(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)[1]
MESSAGE = re.search(r"^```\n(error: .*?)^```$", PAGE, re.M | re.S)[1]


def run(text, folder):
    (folder / "double.py").write_text(text)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TTL_")}
    kept.pop("LD_PRELOAD", None)
    return subprocess.run([BUILD / "bin" / "ttl-jit", "run", "double.py"], cwd=folder, env=kept,
                          capture_output=True, text=True)


def test_the_kernel(tmp_path):
    assert "[2. 2. 2. ... 2. 2. 2.]" in run(KERNEL, tmp_path).stdout


def test_the_mistake(tmp_path):
    wrong = KERNEL.replace("range(4)", "range(3)", 1)
    printed = run(wrong, tmp_path).stderr.splitlines()
    assert [line for line in MESSAGE.splitlines() if line not in printed] == []


def test_it_is_short():
    assert PAGE.count("\n") < 120
    assert (ROOT / "docs" / "pictures" / "report.png").stat().st_size < 200_000
