# SPDX-License-Identifier: Apache-2.0
"""Without --schedule, several host threads run independent nodes. Only the time differs."""

import os
import pathlib
import signal
import subprocess
import time

import pytest
from running import RUNTIME_FAULT, SUCCESS, TTL_JIT, environment, run

KERNEL = """
import os
import time

import numpy as np
import ttl

SIZE = 640
a = np.arange(SIZE * SIZE, dtype=np.float32).reshape(SIZE, SIZE)
y = np.zeros_like(a)


@ttl.operation(grid=(4, 4))
def op(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=BLOCKS)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=BLOCKS)

    @ttl.datamovement()
    def reader():
        column, row = ttl.node(dims=2)
        for i in range(5):
            for j in range(5):
                with a_dfb.reserve() as block:
                    ttl.copy(a[row * 5 + i, column * 5 + j], block).wait()
                EXTRA

    @ttl.compute()
    def compute():
        for i in range(25):
            with a_dfb.wait() as x, y_dfb.reserve() as out:
                out.store(x + x)

    @ttl.datamovement()
    def writer():
        column, row = ttl.node(dims=2)
        for i in range(5):
            for j in range(5):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[row * 5 + i, column * 5 + j]).wait()


op(a, y)
assert np.array_equal(y, a + a)
time.sleep(0.1)  # the thread that loads the compiler ends
print(len(os.listdir("/proc/self/task")))
"""

several = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="this machine has only one processor")


def script_with(tmp_path, extra="pass", blocks=2):
    """Returns a script. If it has many blocks, they exceed a cache: a host thread then runs node by node."""
    script = tmp_path / "script.py"
    script.write_text(KERNEL.replace("EXTRA", extra).replace("BLOCKS", str(blocks)))
    return script


def host_threads(script, *options):
    process = run(script, *options)
    assert process.returncode == SUCCESS, process.stderr
    return int(process.stdout.splitlines()[-1])


@several
@pytest.mark.parametrize("engine", ["--engine=jit", "--engine=interp"])
def test_several_host_threads_run_independent_nodes(tmp_path, engine):
    script = script_with(tmp_path)
    assert host_threads(script, engine) > host_threads(script, engine, "--schedule=fair")


@several
def test_one_host_thread_where_the_order_shows(tmp_path):
    jit = "--engine=jit"  # so that no other host thread generates code
    one = host_threads(script_with(tmp_path), jit, "--schedule=fair")
    for options in (["--schedule=greedy"], ["--limit=100000000"], ["--dma=random"]):
        assert host_threads(script_with(tmp_path), jit, *options) == one, options
    assert host_threads(script_with(tmp_path, "print(column)"), jit) == one


@pytest.mark.parametrize("extra", [
    "assert row * 4 + i + j < 9, 'here'",
    "assert (column + row) % 3 != 1 or i * 4 + j + column < 14, 'here'",
    "with a_dfb.reserve() as more: ttl.copy(a[0, 0], more).wait()",
])
@pytest.mark.parametrize("engine", ["--engine=jit", "--engine=interp"])
@pytest.mark.parametrize("blocks", [2, 16])
def test_faults_and_deadlocks_are_those_of_fair(tmp_path, blocks, engine, extra):
    script = script_with(tmp_path, extra, blocks)
    fair = run(script, engine, "--schedule=fair")
    assert fair.returncode == RUNTIME_FAULT, fair.stderr
    for options in [], [], ["--schedule=parallel(1)"]:
        process = run(script, engine, *options)
        assert (process.returncode, process.stderr) == (fair.returncode, fair.stderr)


@several
def test_ctrl_c_ends_all_host_threads(tmp_path):
    script = script_with(tmp_path, "while row < 100:\n                    row = row + 0")
    text = script.read_text()
    script.write_text(text.replace("\nop(a, y)\n", "\nprint('ready', flush=True)\nop(a, y)\n"))
    process = subprocess.Popen([TTL_JIT, "run", script, "--engine=interp"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment())
    try:
        assert process.stdout.readline() == "ready\n"
        tasks = pathlib.Path(f"/proc/{process.pid}/task")
        time.sleep(1)  # longer than compiling takes, much shorter than the run
        assert process.poll() is None and len(list(tasks.iterdir())) > 1
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        assert time.monotonic() - sent < 2  # takes 0.1 s on an idle machine, with the end of the process
        assert process.returncode == 130, stderr
        assert stderr.startswith("error: interrupted\n  at ")
    finally:
        process.kill()
