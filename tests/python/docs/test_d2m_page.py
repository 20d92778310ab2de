# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of docs/d2m.md and compares what they print."""

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
