# SPDX-License-Identifier: Apache-2.0
"""Runs the program ttl-diff for tests."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).parents[4]
BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))
TTL_DIFF = BUILD / "bin" / "ttl-diff"
SAME, DIFFERENT, USAGE = 0, 1, 2


def ttl_diff(*arguments, **environment):
    command = ["/usr/bin/python3", TTL_DIFF, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment})


def outcome(process):
    return process.returncode, process.stdout + process.stderr
