"""Writes scripts and test files as users have them, and runs them with ttl-jit or pytest."""

import os
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build"))

# A kernel y = a + b on one tile. The text has no imports.
ADD = '''
@ttl.operation(grid=(1, 1))
def add(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + b_blk)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
            ttl.copy(a[0, 0], a_blk).wait()
            ttl.copy(b[0, 0], b_blk).wait()

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, 0]).wait()

'''


def environment(**variables):
    """Returns this process's environment without the options of ttl-jit and TT-Lang."""
    dropped = ("TTL_", "TTLANG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    for name in ("LD_PRELOAD", "PYTHONPATH"):
        kept.pop(name, None)
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **variables}


def write(folder, name, text):
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text))
    return file


def finished(command, folder, variables):
    return subprocess.run(
        list(map(str, command)), cwd=folder, env=environment(**variables), text=True,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
    )


def run(file, *arguments, folder="/", program="ttl-jit", **variables):
    """Runs the script with `ttl-jit run`, or with another program, such as ttlang-sim."""
    command = [BUILD / "bin" / program, *(["run"] if program == "ttl-jit" else []), file]
    return finished([*command, *arguments], folder, variables)


def run_pytest(file, *arguments, folder="/", **variables):
    """Runs the test file with pytest and ttl-jit's pytest plugin."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
               "-p", "ttl_jit.pytest_plugin", file, *arguments]
    # A Python extension that is built with sanitizers needs their library preloaded.
    preload = {name: os.environ[name] for name in ("LD_PRELOAD",) if name in os.environ}
    return finished(command, folder, {"PYTHONPATH": str(BUILD / "python"), **preload, **variables})


def printed(process):
    """Returns the standard output of a script; the script must succeed."""
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout
