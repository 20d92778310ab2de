"""Runs the program ttl-jit in a process of its own, as a user does."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))
TTL_JIT = BUILD / "bin" / "ttl-jit"
EXAMPLES = ROOT / "examples"
KERNELS = pathlib.Path(__file__).parent / "tools" / "kernels"

SUCCESS, SCRIPT_FAILED, USAGE, COMPILE_ERROR, RUNTIME_FAULT = range(5)


def environment(**variables):
    """Returns this process's environment without ttl-jit's options, and without LD_PRELOAD and PYTHONPATH,
    which a build with sanitizers needs in python3 but not in ttl-jit."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("TTL_") and name not in ("LD_PRELOAD", "PYTHONPATH")
    }
    return {**kept, **variables}


def ttl_jit(*arguments, timeout=300, cwd=ROOT, **variables):
    """Runs ttl-jit with these arguments; returns the finished process, whose output is text."""
    return subprocess.run(
        [TTL_JIT, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        cwd=cwd,
        env=environment(**variables),
    )


def run(file, *arguments, **keywords):
    return ttl_jit("run", file, *arguments, **keywords)


def hashes(process):
    """Returns the hashes that an example printed because of its option --hash."""
    assert process.returncode == SUCCESS, process.stderr
    found = re.findall(r"^hash ([0-9a-f]{16})$", process.stdout, re.MULTILINE)
    assert found, process.stdout
    return found
