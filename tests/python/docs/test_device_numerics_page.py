# SPDX-License-Identifier: Apache-2.0
"""Runs the program of docs/device-numerics.md and compares its output. --update writes it to the page."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "device-numerics.md"
EXAMPLE = re.compile(r"(### A layer norm that drifts.*?```python\n)(.*?)(```\n\n```\n)(.*?)(```\n)", re.DOTALL)


def printed(program):
    build = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TTL_")}
    paths = os.pathsep.join([str(build / "python"), str(ROOT / "examples")])
    process = subprocess.run([sys.executable, "-c", program], env={**kept, "PYTHONPATH": paths}, capture_output=True,
                             text=True, timeout=300)
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_the_example_prints_what_the_page_quotes():
    program, quoted = EXAMPLE.search(PAGE.read_text()).group(2, 4)
    assert printed(program) == quoted


if __name__ == "__main__":
    assert sys.argv[1:] == ["--update"], __doc__
    text = PAGE.read_text()
    PAGE.write_text(EXAMPLE.sub(lambda found: "".join([*found.group(1, 2, 3), printed(found.group(2)), found.group(5)]),
                                text))
