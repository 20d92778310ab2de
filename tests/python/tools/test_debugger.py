# SPDX-License-Identifier: Apache-2.0
"""The commands of `ttl-jit debug` with piped input."""

import re
import signal
import subprocess
import threading
import time

import pytest
from running import ROOT, TTL_JIT, environment

EXAMPLE = ROOT / "examples" / "eltwise_add.py"
ADD = (EXAMPLE, "--grid=1,2", "--", "--size", "64")

CALLS = '''\
import numpy as np
import ttl
import ttnn

def twice(n):
    m = n + n
    return m

@ttl.operation(grid=(1, 1))
def count(y: ttnn.Tensor) -> None:
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.compute()
    def compute():
        total = 0
        for i in range(4):
            total = total + twice(i)
        with y_dfb.reserve() as y_blk:
            y_blk.store(ttl.block.fill(total, shape=(1, 1)))

    @ttl.datamovement()
    def reader():
        pass

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, 0]).wait()

device = ttnn.open_device(device_id=0)
y = ttnn.empty((32, 32), dtype=ttnn.float32, device=device)
count(y)
print("result", ttnn.to_numpy(y)[0, 0])
'''


def debug(commands, *arguments, status=0):
    """The output of a session, line by line."""
    result = subprocess.run([TTL_JIT, "debug", *map(str, arguments or ADD)], input="\n".join(commands) + "\n",
                            capture_output=True, text=True, timeout=120, env=environment(), check=False)
    assert (result.returncode, result.stderr) == (status, "")
    return result.stdout.splitlines()


@pytest.fixture
def calls(tmp_path):
    file = tmp_path / "calls.py"
    file.write_text(CALLS)
    return file


def test_a_block_is_shown_before_and_after_it_is_filled():
    lines = debug(["break 33", "continue", "print a_blk[0, 0], a_blk.shape", "next", "next",
                   "print float(np.abs(a_blk).max()) > 1", "back 1", "quit"])
    assert "breakpoint 1: eltwise_add.py:33" in lines
    assert "(np.float32(0.0), (64, 32))" in lines or "(0.0, (64, 32))" in lines
    assert "True" in lines
    assert any(line.startswith("eltwise_add.py:33:") for line in lines)


def test_back_shows_the_same_state_again():
    lines = debug(["break 30", "continue", "next", "next", "print row_block, column", "buffers", "where",
                   "delete 1", "back 100000", "break 32", "continue", "print row_block, column",
                   "buffers", "where", "quit"])
    shown = [i for i, line in enumerate(lines) if line == "(0, 0)"]
    assert len(shown) == 2
    assert lines[shown[0]:shown[0] + 6] == lines[shown[1]:shown[1] + 6]


def test_a_run_that_goes_on_gives_the_result_of_a_run_without_a_debugger():
    plain = subprocess.run([TTL_JIT, "run", EXAMPLE, "--grid=1,2", "--", "--size", "64", "--hash"],
                           capture_output=True, text=True, timeout=60, env=environment(), check=True).stdout
    output = debug(["break 34", "continue", "back 7", "step", "continue", "delete 1", *["continue"] * 20], *ADD, "--hash")
    assert re.findall(r"\b[0-9a-f]{16,}\b", plain) == re.findall(r"\b[0-9a-f]{16,}\b", "\n".join(output))


def test_step_enters_functions_and_next_does_not(calls):
    lines = debug(["break 17", "continue", "next", "next", "step", "where", "finish", "print i, total", "quit"], calls)
    places = [line.split(":")[1] for line in lines if line.startswith("calls.py:")]
    assert places[1:] == ["17", "16", "17", "6", "16"]
    assert "  calls.py:17: total = total + twice(i)" in lines


def test_a_changed_number_changes_the_result(calls):
    lines = debug(["break 17 if i == 3", "continue", "print i, total", "set total = 100", "print total",
                   "delete 1", "continue"], calls)
    assert lines[-5:-2] == ["(3, 6)", "100", "count has ended"] or "(3, 6)" in lines
    assert lines[-1] == "result 106.0"


def test_a_changed_element_of_a_block_changes_the_result(calls):
    lines = debug(["break 28", "continue", "print y_blk[0, 0]", "set y_blk[0, 0] = 2.5", "print y_blk[0, 0], y_blk[0, 1]",
                   "continue"], calls)
    assert lines[-1] == "result 2.5"


def test_changes_are_made_again_after_going_back(calls):
    lines = debug(["break 17 if i == 3", "continue", "set total = 100", "next", "back 1", "delete 1", "print total",
                   "continue"], calls)
    assert lines[-1] == "result 106.0"


def test_events_ops_nodes_and_threads_stop_a_run():
    lines = debug(["break event push y_dfb", "continue", "delete 1", "break op block_store node 0 1", "continue", "delete 2",
                   "break event wait thread writer", "continue", "break", "quit"],
                  EXAMPLE, "--grid=1,2", "--", "--size", "128")
    text = "\n".join(lines)
    assert re.search(r"\(0,0\) compute  breakpoint 1 push", text)
    assert re.search(r"\(0,1\) compute  breakpoint 2", text)
    assert re.search(r"\) writer  breakpoint 3 wait", text)
    assert "3: event wait in writer, 1 stops" in lines


def test_a_watch_stops_at_a_change():
    lines = debug(["watch a_dfb", "continue", "where", "watch tensor y", "delete 1", "delete 2", "quit"])
    assert any("watch 1 a_dfb" in line for line in lines)
    lines = debug(["watch tensor y", "continue", "quit"])
    assert any("watch 1 tensor y" in line for line in lines)


def test_threads_and_nodes_can_be_chosen():
    lines = debug(["threads", "node 0 1", "node 0 1 writer", "node compute", "node 7 7", "until 42", "print a_blk.shape",
                   "quit"])
    assert "* (0,0) reader         line 25    running" in lines or any(line.startswith("* (0,0) reader") for line in lines)
    assert "error: there is no thread 'compute' on node 7,7" in lines
    assert "(64, 32)" in lines


@pytest.mark.parametrize(("command", "message"), [
    ("brake 3", "error: there is no command brake; did you mean break?"),
    ("break 9999", "error: the kernel has no code at or after line 9999; its last line with code is "),
    ("break 30 if (", "error: ("),
    ("break event pish", "error: there is no event 'pish'; the events are "),
    ("print nothing", "error: nothing: NameError: name 'nothing' is not defined"),
    ("set node = 3", "error: there is no variable node here"),
    ("set x", "error: expected NAME = VALUE, found 'x'"),
    ("watch nothing", "error: there is no buffer or semaphore 'nothing'"),
    ("back x", "error: expected a number of statements and events, found 'x'"),
    ("delete 5", "error: there is no breakpoint or watch 5"),
])  # fmt: skip
def test_mistakes_are_explained(command, message):
    assert any(line.startswith(message) for line in debug([command, "quit"]))


def test_a_fault_stops_at_its_line(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(CALLS.replace("range(4)", "range(4 // (y.shape[0] // 32))").replace(
        "total = total + twice(i)", "total = total + 7 // (i - 2)"))
    result = subprocess.run([TTL_JIT, "debug", file], input="continue\nprint i\nback 1\ncontinue\nquit\n",
                            capture_output=True, text=True, timeout=60, env=environment(), check=False)
    assert "fault" in result.stdout and "\n2\n" in result.stdout


def test_a_thousand_moments_back_take_seconds_at_most():
    commands = "break event thread_end\n" + "continue\n" * 50 + "back 1000\nwhere\nquit\n"
    start = time.monotonic()
    result = subprocess.run([TTL_JIT, "debug", ROOT / "examples" / "matmul_multicore.py"], input=commands, text=True,
                            capture_output=True, timeout=60, env=environment(), check=True)
    assert time.monotonic() - start < 10
    stops = [int(number) for number in re.findall(r"^\[(\d+)\]", result.stdout, re.MULTILINE)]
    assert stops[-2] == stops[-1] == stops[-3] - 1000


SPIN = CALLS.replace("range(4)", "range(ttl.node(dims=1) + 500000000)").replace("total = total + twice(i)", "total = i % 7")


def test_ctrl_c_stops_a_kernel_that_runs(tmp_path):
    file = tmp_path / "spin.py"
    file.write_text(SPIN)
    process = subprocess.Popen([TTL_JIT, "debug", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment())
    timer = threading.Timer(60, process.kill)
    timer.start()
    process.stdin.write("continue\n")
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    line = process.stdout.readline()
    output, errors = process.communicate("print total < 7\nquit\n")
    timer.cancel()
    assert re.fullmatch(r"\[\d+\] \(0,0\) compute  interrupt\n", line)
    assert (process.returncode, errors) == (0, "")
    assert output.endswith("True\n")


def test_registers_are_shown_after_the_stage_that_assigns_them():
    lines = debug(["break op ttkernel.pack_tile", "continue", "dst", "quit"], EXAMPLE, "--grid=1,2", "--stage=ttkernel",
                  "--", "--size", "64")
    assert any(line.startswith("DST[0]") for line in lines)


def walk_throughs():
    """The sessions on the page, as lines."""
    page = (ROOT / "docs" / "debugging.md").read_text()
    return [part[:part.index("```")].splitlines() for part in page.split("```\n$ ttl-jit debug ")[1:]]


@pytest.mark.parametrize("session", walk_throughs(), ids=lambda session: session[0])
def test_the_walk_throughs_of_the_page_are_what_it_prints(session):
    first, *rest = session
    commands = [line.removeprefix("(ttl) ") for line in rest if line.startswith("(ttl) ")]
    file, *arguments = first.split()
    shown = debug(commands, ROOT / file, *arguments)
    expected = [line for line in rest if not line.startswith("(ttl) ")]
    assert shown[:len(expected)] == expected
