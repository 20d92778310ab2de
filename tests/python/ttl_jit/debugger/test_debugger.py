# SPDX-License-Identifier: Apache-2.0
"""`ttl-jit debug` executes commands that come through a pipe."""

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
    """Runs a debug session with these commands; returns the lines of its output."""
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
    output = debug(["break 34", "continue", "back 7", "step", "continue", "delete 1", *["continue"] * 20], *ADD,
                   "--hash")
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
    lines = debug(["break 28", "continue", "print y_blk[0, 0]", "set y_blk[0, 0] = 2.5",
                   "print y_blk[0, 0], y_blk[0, 1]",
                   "continue"], calls)
    assert lines[-1] == "result 2.5"


def test_changes_are_made_again_after_going_back(calls):
    lines = debug(["break 17 if i == 3", "continue", "set total = 100", "next", "back 1", "delete 1", "print total",
                   "continue"], calls)
    assert lines[-1] == "result 106.0"


@pytest.mark.parametrize(("value", "message"), [
    ("10**400", "an integer from -2147483648 to 2147483647, found 1" + "0" * 59 + "..."),
    ("10**5000", "an integer from -2147483648 to 2147483647, found a larger number"),
    ("5000000000", "an integer from -2147483648 to 2147483647, found 5000000000"),
    ("-2**31 - 1", "an integer from -2147483648 to 2147483647, found -2147483649"),
    ("1e30", "an integer from -2147483648 to 2147483647, found 1e+30"),
    ("float('nan')", "an integer from -2147483648 to 2147483647, found nan"),
    ("2.75", "an integer from -2147483648 to 2147483647, found 2.75"),
    ("'x'", "a number, found 'x'"),
])
def test_an_integer_takes_integers_of_32_bits(calls, value, message):
    lines = debug(["break 17 if i == 3", "continue", f"set total = {value}", "print total", "quit"], calls)
    assert lines[lines.index(f"error: expected {message}") + 1:][:1] == ["6"]


def test_the_ends_of_the_range_are_values(calls):
    lines = debug(["break 17 if i == 3", "continue", "set total = -2**31", "print total", "set total = 2**31 - 1",
                   "print total", "set total = True", "print total", "quit"], calls)
    assert [line for line in lines if re.fullmatch(r"-?\d+", line)] == ["-2147483648", "2147483647", "1"]


@pytest.mark.parametrize(("dtype", "value", "answer"), [
    ("float32", "10**400", "error: expected a number that float32 can hold, found 1" + "0" * 59 + "..."),
    ("float32", "1e39", "error: expected a number that float32 can hold, found 1e+39"),
    ("float32", "float('inf')", "inf"),
    ("int32", "2.75", "error: expected an integer from -2147483648 to 2147483647, found 2.75"),
    ("int32", "2**31", "error: expected an integer from -2147483648 to 2147483647, found 2147483648"),
    ("int32", "-5", "-5"),
    ("uint16", "70000", "error: the elements of y_blk cannot be 70000: it would be stored as "),
    ("uint16", "7", "7"),
])
def test_an_element_takes_what_its_type_holds(tmp_path, dtype, value, answer):
    file = tmp_path / "calls.py"
    text = CALLS.replace("dtype=ttnn.float32", f"dtype=ttnn.{dtype}")
    filled = "ttl.block.fill(total, shape=(1, 1))"
    file.write_text(text if dtype == "float32" else text.replace(filled, f"ttl.typecast({filled}, ttnn.{dtype})"))
    lines = debug(["break 28", "continue", f"set y_blk[0, 0] = {value}", "print f'now {y_blk[0, 0]:g}'", "quit"], file)
    (now,) = [line for line in lines if line.startswith("now ")]
    assert now == ("now 12" if answer.startswith("error") else f"now {answer}")
    assert not answer.startswith("error") or any(line.startswith(answer) for line in lines), lines


def test_events_ops_nodes_and_threads_stop_a_run():
    lines = debug(["break event push y_dfb", "continue", "delete 1", "break op block_store node 0 1", "continue",
                   "delete 2",
                   "break event wait thread writer", "continue", "break", "quit"],
                  EXAMPLE, "--grid=1,2", "--", "--size", "128")
    text = "\n".join(lines)
    assert re.search(r"\(0,0\) compute  breakpoint 1 push", text)
    assert re.search(r"\(0,1\) compute  breakpoint 2", text)
    assert re.search(r"\) writer  breakpoint 3 wait", text)
    assert "3: event wait in writer, 1 stop" in lines


def test_a_watch_stops_at_a_change():
    lines = debug(["watch a_dfb", "continue", "where", "watch tensor y", "delete 1", "delete 2", "quit"])
    assert any("watch 1 a_dfb" in line for line in lines)
    lines = debug(["watch tensor y", "continue", "quit"])
    assert any("watch 1 tensor y" in line for line in lines)


def test_threads_and_nodes_can_be_chosen():
    lines = debug(["threads", "node 0 1", "node 0 1 writer", "node compute", "node 7 7", "until 42",
                   "print a_blk.shape",
                   "quit"])
    assert any(line.startswith("* (0,0) reader") for line in lines)
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
    ("watch nothing", "error: there is no buffer, semaphore or variable 'nothing' here"),
    ("break 3", "error: line 3 is in no function that a kernel runs"),
    ("break op cb_pish", "error: there is no op 'cb_pish'; did you mean cb_push?"),
    ("break computer", "error: the kernel has no function 'computer'; did you mean compute?; its functions are "),
    ("break 30 hits x", "error: expected LINE, FILE:LINE, FUNCTION, op NAME or event NAME [BUFFER]"),
    ("log 30", "error: expected PLACE: TEXT, found '30'"),
    ("log 30: {(}", "error: ("),
    ("ignore 9 1", "error: there is no breakpoint 9"),
    ("up", "error: this is the kernel function itself"),
    ("down", "error: this is the statement itself"),
    ("list x", "error: expected LINE or FILE:LINE, found 'x'"),
    ("list nothing.py:3", "error: the kernel has no code in a file nothing.py"),
    ("display nothing", "error: nothing: NameError"),
    ("undisplay 7", "error: there is no display '7'"),
    ("print exit(3)", "error: exit(3): "),
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
    assert "fault division by zero" in result.stdout.replace("integer ", "") and "\n2\n" in result.stdout


def test_a_thousand_moments_back_take_seconds_at_most():
    commands = "break event thread_end\n" + "continue\n" * 50 + "back 1000\nwhere\nquit\n"
    start = time.monotonic()
    result = subprocess.run([TTL_JIT, "debug", ROOT / "examples" / "matmul_multicore.py"], input=commands, text=True,
                            capture_output=True, timeout=60, env=environment(), check=True)
    assert time.monotonic() - start < 10
    stops = [int(number) for number in re.findall(r"^\[(\d+)\]", result.stdout, re.MULTILINE)]
    assert stops[-2] == stops[-1] == stops[-3] - 1000


SPIN = CALLS.replace("range(4)", "range(ttl.node(dims=1) + 500000000)")
SPIN = SPIN.replace("total = total + twice(i)", "total = i % 7")


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


def test_time_shows_how_far_the_threads_are_on_a_card():
    lines = debug(["break event pop node 0 0 thread writer", "continue", "continue", "time", "back 100000", "time",
                   "quit"], EXAMPLE, "--grid=1,2", "--time", "--stage=ttkernel", "--", "--size", "64")
    shown = [re.fullmatch(r"(\w+): cycle (\d+), waited (\d+)(; unpacker \d+, math \d+, packer (\d+))?", line)
             for line in lines]
    late, early = ([(each[1], int(each[2])) for each in part]
                   for part in ([*filter(None, shown)][:3], [*filter(None, shown)][3:]))
    report = subprocess.run([TTL_JIT, "time", EXAMPLE, "--grid=1,2", "--", "--size", "64"], capture_output=True,
                            text=True, env=environment(), check=True).stdout
    ends = {name: int(cycle) for name, cycle in re.findall(r"^  (\w+) \(0, 0\) +ends at +(\d+)", report, re.MULTILINE)}
    # At this point all threads but the writer have done all their work.
    assert {name: cycle for name, cycle in late if name != "writer"} == {
        name: cycle for name, cycle in ends.items() if name != "writer"}
    assert 0 < ends["writer"] - dict(late)["writer"] < 10
    assert early == [("reader", 0), ("writer", 0), ("compute", 0)]
    assert [each[5] for each in shown if each][2] == str(ends["compute"])
    assert "cannot estimate the time of kernel add: the kernel ended with a fault" in lines


def test_time_needs_a_run_that_estimates_it():
    assert "error: times need the time model: start with --time --stage=ttkernel" in debug(["time", "quit"])


def walk_throughs():
    """Returns the sessions on the page docs/debugging.md, each as a list of lines."""
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


# ===--- Compile-time values, tensors, frames ---------------------------------=== #

STATIC = """\
import numpy as np
import ttl

N = 3


def twice(n):
    m = n * N
    return m

@ttl.operation(grid=(1, 1))
def fill(x, y):
    rows = x.shape[0] // 32
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=4)

    @ttl.datamovement()
    def reader():
        total = 0
        blocks = [x_dfb.reserve() for _ in range(rows)]
        for i in range(rows):
            blk = blocks[i]
            ttl.copy(x[i, 0], blk).wait()
            scale = i * N
            total = total + twice(ttl.node(dims=1) + i)
            blk.push()  # PUSH

    @ttl.datamovement()
    def writer():
        for i in range(rows):
            with x_dfb.wait() as blk:
                ttl.copy(blk, y[i, 0]).wait()

x = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
fill(x, np.zeros_like(x))
"""


def static_line(text):
    return next(i for i, line in enumerate(STATIC.splitlines(), 1) if text in line)


@pytest.fixture
def static(tmp_path):
    file = tmp_path / "static.py"
    file.write_text(STATIC)
    return file


@pytest.mark.parametrize(("expression", "value"), [
    ("i", "1"), ("rows", "2"), ("N", "3"), ("x[0, 0]", "0.0"), ("x[32, 5]", "1029.0"), ("y.max()", "0.0"),
    ("scale", "3"), ("x.shape, x.dtype", "((64, 32), dtype('float32'))"), ("len(blocks)", "2"),
    ("float(blocks[0][0, 1]), float(blk[0, 1])", "(1.0, 1025.0)"), ("rows * N + i", "7"), ("total", "3"),
])
def test_compile_time_values_are_shown(static, expression, value):
    lines = debug([f"break {static_line('PUSH')}", "continue", "continue", f"print {expression}", "quit"], static)
    assert lines[-1] == value


def test_a_kernel_may_write_what_print_reads(static):
    lines = debug([f"break {static_line('def writer') + 2}", "continue", "print y[0, 1], y[32, 0]", "continue",
                   "print y[0, 1], y[32, 0]", "quit"], static)
    shown = [line for line in lines if line.startswith("(np.float32") or line.startswith("(0.0, ")
             or line.startswith("(1.0, ")]
    assert [re.findall(r"[\d.]+(?=\)*[,)])", line)[-2:] for line in shown] == [["0.0", "0.0"], ["1.0", "0.0"]]


def test_all_variables_are_listed_with_those_of_compile_time(static):
    lines = debug([f"break {static_line('PUSH')}", "continue", "print", "quit"], static)
    assert {"i = 0", "scale = 0", "total = 0", "blk = block of shape (32, 32)",
            "blocks = [float32 of shape (32, 32), float32 of shape (32, 32)]"} <= set(lines)


def test_a_value_of_compile_time_cannot_be_set(static):
    lines = debug([f"break {static_line('PUSH')}", "continue", "set i = 3", "quit"], static)
    assert lines[-1].startswith("error: i is known at compile time")


def test_up_and_down_show_the_variables_of_the_caller(static):
    lines = debug([f"break {static_line('m = n * N')}", "continue", "continue", "print n, N", "up", "print i, scale",
                   "where",
                   "down", "print n", "up", "step", "print m", "quit"], static)
    assert lines.count("(1, 3)") == 2
    caller = f"static.py:{static_line('total = total + twice')}"
    assert f"> {caller}: total = total + twice(ttl.node(dims=1) + i)" in lines
    assert any(line.startswith(f"{caller}:") for line in lines)


def test_list_shows_the_source_and_what_stops(static):
    push = static_line("PUSH")
    lines = debug([f"break {push}", "continue", "list", "list", "list 3", "list static.py:900", "quit"], static)
    assert f">{push:5}             blk.push()  # PUSH" in lines
    assert f" {push - 5:5} {STATIC.splitlines()[push - 6]}".rstrip() in lines
    assert f" {push + 5:5} {STATIC.splitlines()[push + 4]}".rstrip() in lines
    assert f"     4 {STATIC.splitlines()[3]}" in lines
    assert f"error: static.py has {len(STATIC.splitlines())} lines" in lines


def test_displays_are_shown_at_each_stop(static):
    lines = debug([f"break {static_line('PUSH')}", "continue", "display i, scale", "display blk[0, 0]", "continue",
                   "undisplay 2", "display", "quit"], static)
    shown = [line for line in lines if re.match(r"\d: ", line) and " stop" not in line]
    assert shown == ["2: i, scale = (0, 0)", "3: blk[0, 0] = 0.0", "2: i, scale = (1, 3)", "3: blk[0, 0] = 1024.0",
                     "3: blk[0, 0] = 1024.0"]
    lines = debug([f"break {static_line('PUSH')}", "continue", "display scale", "delete 1", "break writer", "continue",
                   "quit"],
                  static)
    assert any(line.startswith("2: scale = <NameError") for line in lines)


# ===--- Breakpoints ----------------------------------------------------------=== #


def test_a_breakpoint_at_a_function(calls):
    lines = debug(["break twice", "continue", "print n", "continue", "print n", "break", "quit"], calls)
    assert lines[lines.index("breakpoint 1: function twice"):][1].endswith("breakpoint 1")
    assert [line for line in lines if line in ("0", "1")] == ["0", "1"]
    assert "1: function twice, 2 stops" in lines


def test_hits_and_ignore(calls):
    lines = debug(["break 17 hits 3", "continue", "print i", "delete 1", "break 17", "ignore 2 0", "continue",
                   "print i",
                   "quit"], calls)
    assert "breakpoint 1: calls.py:17 hits 3" in lines
    assert [line for line in lines if line in ("2", "3")] == ["2", "3"]
    lines = debug(["break 17", "ignore 1 2", "continue", "print i", "quit"], calls)
    assert lines[-1] == "2"
    lines = debug(["break 17 hits % 2", "continue", "print i", "continue", "print i", "quit"], calls)
    assert [line for line in lines if line in ("1", "3")] == ["1", "3"]


def test_log_points_do_not_stop(calls):
    lines = debug(["log 17: i={i} total={total} {nothing}", "continue"], calls)
    expected = [f"i={i} total={total} <nothing: NameError: name 'nothing' is not defined>"
                for i, total in enumerate((0, 0, 2, 6))]
    assert [line for line in lines if line.startswith("i=")] == expected
    assert lines[-1] == "result 12.0"


def test_a_condition_without_a_value_stops_and_says_why(calls):
    lines = debug(["break 17 if nothing > 2", "continue", "quit"], calls)
    assert any("breakpoint 1 its condition fails: nothing > 2: NameError: name 'nothing' is not defined" in line
               for line in lines)


def test_a_breakpoint_in_another_function_waits_for_its_kernel(tmp_path):
    file = tmp_path / "two.py"
    second = CALLS.replace("import", "# import").replace("def count", "def other").replace("count(y)", "other(y)")
    file.write_text(CALLS + second.replace("print(", "pass; print("))
    line = len(CALLS.splitlines()) + 17
    lines = debug([f"break {line}", "continue", "print i", "quit"], file)
    assert f"breakpoint 1: two.py:{line}, for a later kernel: this one has no code there" in lines


def test_a_watched_variable_stops_at_its_changes(calls):
    lines = debug(["break 16", "continue", "watch total", "delete 1", "continue", "continue", "delete 2", "quit"],
                  calls)
    changes = [line.partition("watch 2 ")[2] for line in lines if "watch 2 total" in line and line.startswith("[")]
    assert changes == ["total: 0 -> 2", "total: 2 -> 6"]


def test_steps_with_a_watched_variable(calls):
    plain = debug(["break 17", "continue", "next", "next", "step", "finish", "next", "quit"], calls)
    watched = debug(["break 17", "continue", "watch total + 10 ** 9", "next", "next", "step", "finish", "next", "quit"],
                    calls)
    places = [[line for line in lines if line.startswith("calls.py:")] for lines in (plain, watched)]
    assert places[0][:3] == places[1][:3]


UNUSED = CALLS.replace("total = total + twice(i)",
                       "left = i * 0 + 7\n            here = ttl.node(dims=1)\n            total = total + 1")


def test_variables_that_nothing_uses_are_shown(tmp_path):
    (tmp_path / "unused.py").write_text(UNUSED)
    lines = debug(["break 19", "continue", "continue", "print i, here", "print"], tmp_path / "unused.py")
    assert "(1, 0)" in lines
    assert {"i = 1", "here = 0"} <= set(lines)


def test_a_function_has_its_own_variables_only(calls):
    lines = debug(["break twice", "continue", "print", "print total", "up", "print total"], calls)
    assert "n = 0" in lines and not any(line.startswith("total") for line in lines)
    assert "error: total: NameError: name 'total' is not defined" in lines and lines[-1] == "0"
