"""Installs packages in clean environments, which use no file of the source tree or the build tree."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))

# A library built with sanitizers needs their runtime, which a package does not contain.
needs_plain_build = pytest.mark.skipif(
    "LD_PRELOAD" in os.environ, reason="packages are made of builds without sanitizers")

ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8",
               "PYTHONDONTWRITEBYTECODE": "1", "TTL_CACHE": "off"}

# Python code that fails if its process uses a file of the source tree or the build tree.
NO_TREE = (f"maps = open('/proc/self/maps').read()\nimport sys\n"
           f"files = [str(getattr(m, '__file__', '')) for m in list(sys.modules.values())]\n"
           f"assert not any(part in maps or any(f.startswith(part) for f in files)"
           f" for part in ({str(ROOT)!r}, {str(BUILD)!r}))\n")


def call(*command, environment=(), **keywords):
    """Runs a command, which must succeed; returns the finished process, whose output is text."""
    process = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd="/",
                             env={**ENVIRONMENT, **dict(environment)}, **keywords)
    assert process.returncode == 0, process.stdout + process.stderr
    return process


def make(tool, *options):
    """Runs tools/wheel or tools/deb; returns the paths of the packages."""
    command = [sys.executable, ROOT / "tools" / tool, "--build", BUILD, *options]
    process = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    return [pathlib.Path(line) for line in process.stdout.splitlines()]


def readme_kernel():
    """Returns the text of README.md's first program."""
    text = (ROOT / "README.md").read_text()
    return text.partition("```python\n")[2].partition("```")[0]


def run_readme(python, **keywords):
    printed = call(python, "-c", readme_kernel() + NO_TREE, **keywords).stdout
    assert "[2. 2. 2. ... 2. 2. 2.]" in printed


TEST_FILE = """
import numpy as np
import ttl, ttlang, sim
from utils.correctness import assert_pcc

@ttl.operation(grid=(1, 1))
def double(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    ttl.copy(a[0, 0], a_dfb.reserve()).wait()
    y_dfb.reserve().store(a_dfb.wait() * 2.0)
    ttl.copy(y_dfb.wait(), y[0, 0]).wait()

def test_double(device):
    a, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    double(a, y)
    assert_pcc(y, a * 2)
"""


def run_pytest(python, folder, **keywords):
    file = folder / "test_device.py"
    file.write_text(TEST_FILE)
    process = call(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                   "ttl_jit.pytest_plugin", file, **keywords)
    assert "1 passed" in process.stdout, process.stdout


class Environment:
    """A virtual environment with the wheel. It also sees the system's numpy and pytest."""

    def __init__(self, folder, wheel):
        self.folder = folder
        call(sys.executable, "-m", "venv", "--system-site-packages", folder)
        self.python = folder / "bin" / "python"
        call(self.python, "-m", "pip", "install", "--quiet", "--no-index", wheel)
        (package,) = folder.glob("lib/python*/site-packages/ttl_jit")
        self.package = package

    def script(self, name, *arguments, **keywords):
        return call(self.folder / "bin" / name, *arguments, **keywords)
