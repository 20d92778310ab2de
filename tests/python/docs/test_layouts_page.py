# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of docs/layouts.md, and compares their output and the page's picture."""

import pathlib
import re
import shlex
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import ROOT, SUCCESS, ttl_jit  # noqa: E402
from tutorial import commands  # noqa: E402

PAGE = ROOT / "docs" / "layouts.md"
PICTURE = ROOT / "docs" / "pictures" / "layout.svg"
PICTURED = ("layout", "2x33x128", "--at=1,5,100")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BUILD_HINT = "run python3 tests/python/docs/test_layouts_page.py --update"


def printed(command):
    process = ttl_jit(*shlex.split(command)[1:])
    return process.stdout + process.stderr


def updated(page):
    """Returns the page with the output that its commands print now."""
    def block(match):
        return "```console\n" + "".join(f"$ {command}\n{printed(command)}"
                                        for command, _ in commands(match[1])) + "```"

    return BLOCK.sub(block, page)


def write_picture(path):
    return ttl_jit(*PICTURED, f"--svg={path}")


@pytest.mark.parametrize("command, output",
                         [pair for text in BLOCK.findall(PAGE.read_text()) for pair in commands(text)])
def test_commands_print_what_the_page_quotes(command, output):
    assert printed(command) == output, BUILD_HINT


def test_the_picture_is_that_of_the_first_command(tmp_path):
    assert write_picture(tmp_path / "layout.svg").returncode == SUCCESS
    assert (tmp_path / "layout.svg").read_text() == PICTURE.read_text(), BUILD_HINT


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    PAGE.write_text(updated(PAGE.read_text()))
    write_picture(PICTURE)
