# SPDX-License-Identifier: Apache-2.0
"""Launches on several host threads end, print and call Python functions as launches on one host thread do."""

import signal
import subprocess
import time

import pytest
from running import RUNTIME_FAULT, SUCCESS, TTL_JIT, environment, run

PARALLEL = ["--schedule=parallel(2)", "--schedule=parallel(3)", "--schedule=parallel"]
ENGINES = ["--engine=jit", "--engine=interp"]

HEAD = """
import threading

import numpy as np
import ttl

a = np.arange(8 * 32 * 32, dtype=np.float32).reshape(8 * 32, 32)
y = np.zeros_like(a)
"""

PRINTS_AND_CALLS = HEAD + """
seen = []


def note(node, turn):
    assert threading.current_thread() is threading.main_thread()
    seen.append((node, turn))


noted = ttl.host_function(note)


@ttl.operation(grid=(8,))
def op(a, y):
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            ttl.copy(a[node, 0], block).wait()
            for turn in range(5):
                noted(node, turn)
                print("turn", turn)

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[ttl.node(dims=1), 0]).wait()


op(a, y)
assert np.array_equal(a, y)
for node in range(8):
    assert [turn for n, turn in seen if n == node] == list(range(5)), seen
"""

ENDS = HEAD + """
@ttl.operation(grid=(8,))
def op(a, y):
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            ttl.copy(a[node, 0], block).wait()
        WHAT

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[ttl.node(dims=1), 0]).wait()


op(a, y)
"""
ENDLESS = ENDS.replace("WHAT", "while node < 8:\n            node = node + 0")
ENDINGS = {
    "deadlock": """for _ in range(3):
            with dfb.reserve() as block:
                ttl.copy(a[node, 0], block).wait()""",
    "fault": "assert node < 0, 'here'",
    "some": "assert node != 5, 'here'",
}


def lines_of_nodes(text):
    """Returns {thread: lines that it printed, in order}."""
    threads = {}
    for line in text.splitlines():
        thread, _, rest = line.partition(": ")
        threads.setdefault(thread, []).append(rest)
    return threads


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("schedule", PARALLEL)
def test_prints_and_host_functions_run_on_the_main_thread_in_order(tmp_path, engine, schedule):
    script = tmp_path / "script.py"
    script.write_text(PRINTS_AND_CALLS)
    process = run(script, engine, schedule)
    assert process.returncode == SUCCESS, process.stderr
    one = run(script, engine)
    assert lines_of_nodes(process.stdout) == lines_of_nodes(one.stdout)
    assert len(lines_of_nodes(one.stdout)) == 8


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("engine", ENGINES)
def test_faults_are_reported_as_with_one_host_thread(tmp_path, engine, ending):
    script = tmp_path / "script.py"
    script.write_text(ENDS.replace("WHAT", ENDINGS[ending]))
    one = run(script, engine)
    assert one.returncode == RUNTIME_FAULT, one.stderr
    for schedule in PARALLEL:
        for _ in range(3):
            process = run(script, engine, schedule)
            assert (process.returncode, process.stderr) == (one.returncode, one.stderr), schedule


@pytest.mark.parametrize("schedule", PARALLEL)
def test_the_limit_bounds_all_host_threads(tmp_path, schedule):
    script = tmp_path / "script.py"
    script.write_text(ENDLESS)
    process = run(script, "--engine=interp", schedule, "--limit=100000")
    assert process.returncode == RUNTIME_FAULT, process.stderr
    assert "the limit of 100000 steps is used up" in process.stderr


@pytest.mark.parametrize("schedule", PARALLEL)
def test_ctrl_c_ends_all_host_threads(tmp_path, schedule):
    script = tmp_path / "script.py"
    script.write_text(ENDLESS)
    process = subprocess.Popen([TTL_JIT, "run", script, "--engine=interp", schedule],
                               stderr=subprocess.PIPE, text=True, env=environment())
    time.sleep(1.5)  # longer than the start takes, much shorter than the run
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert stderr.startswith("error: interrupted\n  at ")


def test_a_child_of_fork_makes_host_threads_of_its_own(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(PRINTS_AND_CALLS + """
import os

child = os.fork()
if child == 0:
    y[:] = 0
    op(a, y)
    os._exit(not np.array_equal(a, y))
assert os.waitpid(child, 0)[1] == 0
""")
    process = run(script, "--schedule=parallel(3)")
    assert process.returncode == SUCCESS, process.stderr
