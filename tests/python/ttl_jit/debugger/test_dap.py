# SPDX-License-Identifier: Apache-2.0
"""`ttl-jit dap`, the debug adapter, with a client that sends the messages of an editor."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time

import pytest
from running import ROOT, TTL_JIT, environment
from test_debugger import CALLS, SPIN

EXAMPLE = str(ROOT / "examples" / "eltwise_add.py")
BROKEN = CALLS.replace("range(4)", "range(4 // (y.shape[0] // 32))").replace(
    "total = total + twice(i)", "total = total + 7 // (i - 2)")


class Client:
    """Plays the editor: starts the adapter, sends requests, and reads responses and events."""

    def __init__(self, *, port=False):
        command = [TTL_JIT, "dap", *(["--port=0"] if port else [])]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment())
        self.timer = threading.Timer(60, self.process.kill)  # a hung adapter is killed, so that reading ends
        self.timer.daemon = True
        self.timer.start()
        self.reader, self.writer = self.process.stdout, self.process.stdin
        if port:
            address = self.process.stderr.readline().decode()
            number, self.token = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+), token ([0-9a-f]{32})\n",
                                              address).groups()
            self.socket = socket.create_connection(("127.0.0.1", int(number)), timeout=60)
            self.reader = self.writer = self.socket.makefile("rwb")
        self.count, self.events = 0, []
        self.launching = {"token": self.token} if port else {}

    def send(self, command, **arguments):
        self.count += 1
        body = json.dumps({"seq": self.count, "type": "request", "command": command, "arguments": arguments}).encode()
        self.writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.writer.flush()
        return self.count

    def read(self):
        size = 0
        while (line := self.reader.readline().strip()) or not size:
            assert line or size, "the adapter has ended"
            size = int(line.split(b":")[1])
        return json.loads(self.reader.read(size))

    def ask(self, command, *, success=True, **arguments):
        number = self.send(command, **arguments)
        while (message := self.read())["type"] != "response" or message["request_seq"] != number:
            if message["type"] == "event":
                self.events.append(message)
        assert message["success"] == success, message
        return message["body"] if success else message["message"]

    def wait(self, name):
        """Returns the body of the next event of this name; waits for it if none has come."""
        while True:
            for i, event in enumerate(self.events):
                if event["event"] == name:
                    del self.events[i]
                    return event["body"]
            message = self.read()
            if message["type"] == "event":
                self.events.append(message)

    def begin(self, *lines, program=EXAMPLE, **launch):
        """Launches the example with breakpoints at the lines with these numbers."""
        capabilities = self.ask("initialize", adapterID="ttl")
        assert capabilities["supportsStepBack"] and capabilities["supportsDataBreakpoints"]
        launch = {"options": ["--grid=1,2"], "args": ["--size", "64"], **launch}
        self.ask("launch", program=program, **self.launching, **launch)
        self.wait("initialized")
        found = self.ask("setBreakpoints", source={"path": program}, breakpoints=[
            line if isinstance(line, dict) else {"line": line} for line in lines])
        self.ask("setExceptionBreakpoints", filters=[])
        self.ask("configurationDone")
        return found["breakpoints"]

    def where(self, thread):
        return self.ask("stackTrace", threadId=thread)["stackFrames"][0]

    def scope(self, frame, name):
        """Returns the variables of a scope as {name: variable}, and the scope's number."""
        number = next(each["variablesReference"] for each in self.ask("scopes", frameId=frame["id"])["scopes"]
                      if each["name"] == name)
        return {each["name"]: each for each in self.ask("variables", variablesReference=number)["variables"]}, number

    def end(self):
        self.ask("disconnect")
        self.process.wait(timeout=30)
        return self.process.returncode


@pytest.fixture(params=[False, True], ids=["stdio", "tcp"])
def client(request):
    client = Client(port=request.param)
    yield client
    client.process.kill()
    client.process.wait()


def test_the_time_on_a_card_is_a_scope_of_runs_that_estimate_it(client):
    client.begin(42, options=["--grid=1,2", "--time", "--stage=ttkernel"])
    thread = client.wait("stopped")["threadId"]
    times, _ = client.scope(client.where(thread), "Time")
    assert list(times) == ["cycle", "waited", "unpacker", "math", "packer"]
    before = int(times["cycle"]["value"])
    client.ask("next", threadId=thread)
    client.wait("stopped")
    assert int(client.scope(client.where(thread), "Time")[0]["cycle"]["value"]) > before
    reader = next(each["id"] for each in client.ask("threads")["threads"] if each["name"] == "(0,0) reader")
    assert list(client.scope(client.where(reader), "Time")[0]) == ["cycle", "waited"]
    assert client.end() == 0


def test_without_an_estimate_there_is_no_scope_of_time(client):
    client.begin(42)
    frame = client.where(client.wait("stopped")["threadId"])
    assert "Time" not in [each["name"] for each in client.ask("scopes", frameId=frame["id"])["scopes"]]
    assert client.end() == 0


def test_break_inspect_change_step_back_and_continue(client):
    points = client.begin(42)
    # The adapter knows no kernel before the script runs one, so it cannot verify breakpoints.
    assert [(each["verified"], each["line"]) for each in points] == [(False, 42)]
    moved = client.wait("breakpoint")
    assert moved["reason"] == "changed"
    assert (moved["breakpoint"]["verified"], moved["breakpoint"]["id"]) == (True, points[0]["id"])
    stop = client.wait("stopped")
    assert stop["reason"] == "breakpoint" and stop["hitBreakpointIds"] == [points[0]["id"]]
    thread = stop["threadId"]
    names = {each["id"]: each["name"] for each in client.ask("threads")["threads"]}
    assert names[thread] == "(0,0) compute" and "(0,1) reader" in names.values()
    frame = client.where(thread)
    assert (frame["line"], frame["source"]["path"]) == (42, EXAMPLE)

    blocks, _ = client.scope(frame, "Blocks")
    assert blocks["a_blk"]["value"] == "float32 (64, 32)"
    rows = client.ask("variables", variablesReference=blocks["a_blk"]["variablesReference"])["variables"]
    assert len(rows) == 64
    answer = client.ask("setVariable", variablesReference=rows[0]["variablesReference"], name="[3]", value="1000.5")
    assert answer["value"] == "1000.5"
    assert client.ask("evaluate", expression="a_blk[0, 3] + 1", frameId=frame["id"])["result"] == "1001.5"

    client.ask("stepIn", threadId=thread)
    assert client.wait("stopped")["reason"] == "step"
    after = client.where(thread)
    assert after["line"] == 41
    client.ask("stepBack", threadId=thread)
    client.wait("stopped")
    assert client.where(thread)["line"] == 42
    frame = client.where(thread)
    assert client.ask("evaluate", expression="a_blk[0, 3]", frameId=frame["id"])["result"] == "1000.5"
    buffers, _ = client.scope(frame, "Buffers")
    assert "2 waited for" in buffers["a_dfb"]["value"]
    client.ask("setBreakpoints", source={"path": EXAMPLE}, breakpoints=[])
    client.ask("continue", threadId=thread)
    text = ""
    while "eltwise_add" not in text:
        text += client.wait("output")["output"]
    assert client.end() == 0


def test_conditions_and_locals():
    client = Client()
    client.begin({"line": 30, "condition": "column == 1"}, stopOnEntry=True)
    stop = client.wait("stopped")
    assert stop["reason"] == "entry"
    client.ask("continue", threadId=stop["threadId"])
    stop = client.wait("stopped")
    frame = client.where(stop["threadId"])
    values, number = client.scope(frame, "Locals")
    assert values["column"]["value"] == "1"
    assert client.ask("setVariable", variablesReference=number, name="row_block", value="0")["value"] == "0"
    for value in ("10**400", "5000000000", "2.75"):
        message = client.ask("setVariable", variablesReference=number, name="row_block", value=value, success=False)
        assert message.startswith("expected an integer from -2147483648 to 2147483647, found ")
    assert client.ask("evaluate", expression="row_block", frameId=frame["id"])["result"] == "0"
    message = client.ask("setVariable", variablesReference=number, name="nothing", value="0", success=False)
    assert message == "there is no variable nothing here"
    assert client.ask("evaluate", expression="nothing", success=False).startswith("nothing: NameError")
    assert client.ask("gotoTargets", success=False) == "gotoTargets is not supported"
    assert client.end() == 0


def test_data_breakpoints_and_reverse_continue():
    client = Client()
    client.begin(30)
    thread = client.wait("stopped")["threadId"]
    _, number = client.scope(client.where(thread), "Buffers")
    info = client.ask("dataBreakpointInfo", name="y_dfb", variablesReference=number)
    assert info["dataId"] == "y_dfb"
    assert client.ask("dataBreakpointInfo", name="y_dfb")["dataId"] == "y_dfb"
    assert client.ask("dataBreakpointInfo", name="z_dfb")["dataId"] is None
    points = client.ask("setDataBreakpoints", breakpoints=[{"dataId": "y_dfb"}])["breakpoints"]
    assert points[0]["verified"]
    client.ask("setBreakpoints", source={"path": EXAMPLE}, breakpoints=[])
    client.ask("continue", threadId=thread)
    assert client.wait("stopped")["reason"] == "data breakpoint"
    client.ask("setBreakpoints", source={"path": EXAMPLE}, breakpoints=[{"line": 31}])
    client.ask("reverseContinue", threadId=thread)
    assert client.where(client.wait("stopped")["threadId"])["line"] == 31
    assert client.end() == 0


def test_a_script_that_ends_and_one_that_does_not_exist():
    client = Client()
    client.begin(program=EXAMPLE)
    assert client.wait("exited")["exitCode"] == 0
    client.wait("terminated")
    assert client.end() == 0
    other = Client()
    other.ask("initialize")
    assert other.ask("launch", program="/nowhere.py", success=False) == "there is no file /nowhere.py"
    assert other.ask("setBreakpoints", source={"path": "/x.py"}, breakpoints=[], success=False) == (
        "nothing was launched yet")
    assert other.end() == 0


def test_pause_and_breakpoints_of_a_kernel_that_runs(tmp_path):
    program = tmp_path / "spin.py"
    program.write_text(SPIN)
    client = Client()
    client.begin(program=str(program), options=[], args=[], stopOnEntry=True)
    thread = client.wait("stopped")["threadId"]
    client.ask("continue", threadId=thread)
    client.ask("pause", threadId=thread)
    stop = client.wait("stopped")
    assert stop["reason"] == "pause"
    client.ask("continue", threadId=stop["threadId"])
    point = client.ask("setBreakpoints", source={"path": str(program)}, breakpoints=[
        {"line": 17, "condition": "total == 3"}])["breakpoints"][0]
    stop = client.wait("stopped")
    assert stop["hitBreakpointIds"] == [point["id"]]
    assert client.ask("evaluate", expression="total")["result"] == "3"
    assert client.end() == 0


def test_a_wrong_option_is_a_usage_error():
    result = subprocess.run([TTL_JIT, "dap", "--prot=1"], capture_output=True, text=True, timeout=30,
                            env=environment(), check=False)
    assert (result.returncode, result.stderr) == (2, "ttl-jit: dap takes only --port=N; found --prot=1\n")


# ===--- Breakpoints ----------------------------------------------------------=== #


def test_breakpoints_on_lines_without_code_move_or_stay_unverified():
    client = Client()
    program = ROOT / "examples" / "eltwise_add.py"
    lines = program.read_text().splitlines()
    empty = next(i for i, line in enumerate(lines, 1) if "def compute" in line)
    points = client.begin(1, empty)
    assert [each["verified"] for each in points] == [False, False]
    assert "no kernel with code here has run yet" in points[0]["message"]
    client.wait("stopped")
    moved = [event["body"]["breakpoint"] for event in client.events if event["event"] == "breakpoint"]
    moved = moved or [client.wait("breakpoint")["breakpoint"]]
    assert [each["id"] for each in moved] == [points[1]["id"]]
    assert moved[0]["line"] > empty or "def " not in lines[moved[0]["line"] - 1]
    again = client.ask("setBreakpoints", source={"path": EXAMPLE}, breakpoints=[{"line": 1}, {"line": 9999}])
    assert [each["verified"] for each in again["breakpoints"]] == [False, False]
    assert again["breakpoints"][0]["message"] == "line 1 is in no function that a kernel runs"
    assert again["breakpoints"][1]["message"].startswith("the kernel has no code at or after line 9999")
    assert client.end() == 0


@pytest.fixture
def calls(tmp_path):
    file = tmp_path / "calls.py"
    file.write_text(CALLS)
    return str(file)


def line_of(text):
    return next(i for i, line in enumerate(CALLS.splitlines(), 1) if text in line)


def test_function_breakpoints_and_outer_frames(calls):
    client = Client()
    client.begin(program=calls, options=[], args=[], stopOnEntry=True)
    thread = client.wait("stopped")["threadId"]
    points = client.ask("setFunctionBreakpoints", breakpoints=[{"name": "twice"}, {"name": "twise"}])["breakpoints"]
    assert [each["verified"] for each in points] == [True, False]
    assert "the kernel has no function 'twise'; did you mean twice?" in points[1]["message"]
    client.ask("continue", threadId=thread)
    stop = client.wait("stopped")
    frames = client.ask("stackTrace", threadId=stop["threadId"])["stackFrames"]
    assert [frame["line"] for frame in frames] == [line_of("m = n + n"), line_of("total = total + twice(i)")]
    assert [frame["name"] for frame in frames] == ["twice", "compute"]
    inner, _ = client.scope(frames[0], "Locals")
    outer, _ = client.scope(frames[1], "Locals")
    assert (inner["n"]["value"], outer["i"]["value"], outer["total"]["value"]) == ("0", "0", "0")
    assert client.ask("evaluate", expression="i + total", frameId=frames[1]["id"])["result"] == "0"
    assert client.end() == 0


def test_hit_counts(calls):
    client = Client()
    line = line_of("total = total + twice(i)")
    client.begin({"line": line, "hitCondition": ">= 3"}, {"line": 1, "hitCondition": "often"}, program=calls,
                 options=[],
                 args=[])
    stop = client.wait("stopped")
    assert client.ask("evaluate", expression="i")["result"] == "2"
    client.ask("continue", threadId=stop["threadId"])
    client.wait("stopped")
    assert client.ask("evaluate", expression="i")["result"] == "3"
    wrong = client.ask("setBreakpoints", source={"path": calls}, breakpoints=[{"line": line, "hitCondition": "often"}])
    assert wrong["breakpoints"][0]["message"].startswith("expected a number of hits, such as 5")
    assert client.end() == 0


def test_a_launch_without_arguments(calls):
    client = Client()
    client.begin(program=calls, options=None, args=None)
    client.wait("terminated")
    assert client.end() == 0


def test_log_points(calls):
    client = Client()
    client.begin({"line": line_of("total = total + twice(i)"), "logMessage": "i is {i}, {nothing} {total * 2}"},
                 program=calls, options=[], args=[])
    client.wait("terminated")
    shown = "".join(event["body"]["output"] for event in client.events if event["event"] == "output")
    assert "i is 0, <nothing: NameError: name 'nothing' is not defined> 0\n" in shown
    assert "i is 3, <nothing: NameError: name 'nothing' is not defined> 12\n" in shown
    assert client.end() == 0


def test_a_condition_that_raises_says_so(calls):
    client = Client()
    client.begin({"line": line_of("total = total + twice(i)"), "condition": "nothing > 1"}, program=calls, options=[],
                 args=[])
    stop = client.wait("stopped")
    assert "its condition fails: nothing > 1: NameError: name 'nothing' is not defined" in stop["description"]
    assert client.end() == 0


def test_exceptions(tmp_path):
    program = tmp_path / "broken.py"
    program.write_text(BROKEN)
    client = Client()
    client.begin(program=str(program), options=[], args=[], stopOnEntry=True)
    thread = client.wait("stopped")["threadId"]
    assert client.ask("exceptionInfo", threadId=thread, success=False) == "the kernel did not stop at a fault"
    client.ask("setExceptionBreakpoints", filters=["fault"])
    client.ask("continue", threadId=thread)
    stop = client.wait("stopped")
    assert stop["reason"] == "exception"
    info = client.ask("exceptionInfo", threadId=stop["threadId"])
    assert info["exceptionId"] == "fault" and "zero" in info["description"]
    assert client.end() == 0
    other = Client()
    other.ask("initialize")
    other.ask("launch", program=str(program))
    other.ask("setExceptionBreakpoints", filters=[])
    other.ask("configurationDone")
    assert other.wait("exited")["exitCode"] == 4
    assert other.end() == 0


# ===--- Values ---------------------------------------------------------------=== #

STATIC = """\
import numpy as np
import ttl

N = 3

@ttl.operation(grid=(1, 1))
def fill(x, y):
    rows = x.shape[0] // 32
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=4)

    @ttl.datamovement()
    def reader():
        blocks = [x_dfb.reserve() for _ in range(rows)]
        for i in range(rows):
            blk = blocks[i]
            ttl.copy(x[i, 0], blk).wait()
            scale = i * N
            blk.push()  # PUSH

    @ttl.datamovement()
    def writer():
        for i in range(rows):
            with x_dfb.wait() as blk:
                ttl.copy(blk, y[i, 0]).wait()

x = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
fill(x, np.zeros_like(x))
"""


def test_compile_time_values_and_tensors(tmp_path):
    program = tmp_path / "static.py"
    program.write_text(STATIC)
    line = next(i for i, text in enumerate(STATIC.splitlines(), 1) if "# PUSH" in text)
    client = Client()
    client.begin(line, program=str(program), options=[], args=[])
    thread = client.wait("stopped")["threadId"]
    client.ask("continue", threadId=thread)
    client.wait("stopped")
    frame = client.where(thread)
    local, number = client.scope(frame, "Locals")
    assert (local["i"]["value"], local["scale"]["value"]) == ("1", "3")
    outside, _ = client.scope(frame, "Outside")
    assert (outside["N"]["value"], outside["rows"]["value"]) == ("3", "2")
    assert outside["x"]["value"] == "float32 (64, 32)"
    for text, value in (("x[32, 0]", "1024.0"), ("y[0, 0]", "0.0"), ("rows + N + i", "6"), ("x.shape", "(64, 32)"),
                        ("[float(each[0, 0]) for each in blocks]", "[0.0, 1024.0]"), ("blocks[1][0, 1]", "1025.0")):
        assert client.ask("evaluate", expression=text, frameId=frame["id"])["result"] == value, text
    message = client.ask("setVariable", variablesReference=number, name="scale", value="1", success=False)
    assert message.startswith("scale is known at compile time")
    assert client.end() == 0


# ===--- Wrong messages, and sessions that end early --------------------------=== #


def exchange(data, timeout=30):
    """Sends bytes to the adapter and closes the stream. Returns its exit status, and its messages."""
    process = subprocess.run([TTL_JIT, "dap"], input=data, capture_output=True, timeout=timeout, env=environment(),
                             check=False)
    assert b"Traceback" not in process.stderr and b"Exception" not in process.stderr, process.stderr
    found, rest = [], process.stdout
    while rest:
        head, _, rest = rest.partition(b"\r\n\r\n")
        size = int(head.removeprefix(b"Content-Length: "))
        found.append(json.loads(rest[:size]))
        rest = rest[size:]
    return process.returncode, found


def framed(*messages):
    bodies = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


HELLO = {"seq": 1, "type": "request", "command": "initialize"}
WRONG_MESSAGES = {
    b"{": "a message is not JSON",
    b"": "a message is not JSON",
    b"\xff": "a message is not JSON",
    b"[" * 100_000: "a message is not JSON",
    b"3": "a message must be an object, found int",
    b"null": "a message must be an object, found NoneType",
    b"[]": "a message must be an object, found list",
    b"{}": "a message must have a number seq, found None",
    b'{"seq": "1", "type": "request", "command": "threads"}': "a message must have a number seq, found '1'",
    b'{"seq": 2}': "a message must have the type request and a command",
    b'{"seq": 2, "type": "request", "command": 3}': "a message must have the type request and a command",
    b'{"seq": 2, "type": "event", "command": "threads"}': "a message must have the type request and a command",
    b'{"seq": 2, "type": "request", "command": "threads", "arguments": 3}':
        "the arguments must be an object, found int",
    b'{"seq": 2, "type": "request", "command": "nothing"}': "nothing is not supported",
    b'{"seq": 2, "type": "request", "command": "launch"}': "the argument 'program' is missing",
    b'{"seq": 2, "type": "request", "command": "launch", "arguments": {"program": 1}}':
        "the argument 'program' must be a string",
    b'{"seq": 2, "type": "request", "command": "configurationDone"}': "nothing was launched yet",
    b'{"seq": 2, "type": "request", "command": "continue"}': "no kernel is stopped",
}


def test_wrong_messages_get_answers_and_the_session_goes_on():
    status, found = exchange(framed(*WRONG_MESSAGES, HELLO))
    answers = [each for each in found if each["type"] == "response"]
    assert status == 0 and len(answers) == len(WRONG_MESSAGES) + 1
    for answer, (message, expected) in zip(answers, WRONG_MESSAGES.items()):
        assert not answer["success"] and answer["message"].startswith(expected), (message[:50], answer)
    assert answers[-1]["success"]


@pytest.mark.parametrize("data", [
    b"", b"\n", b"x", b"Content-Length: 5", b"Content-Length: 5\r\n\r\n{}", b"Content-Length: -1\r\n\r\n",
    b"Content-Length: x\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n{}", b"Content-Length: " + b"9" * 10_000,
    b"x" * 1_000_000, b"\r\n" * 1000, b"Content-Type: x\r\n\r\n", framed(HELLO)[:-3],
    framed(HELLO) + b"Content-Length: 1",
], ids=lambda data: repr(data[:20]))
def test_streams_without_sense_end_the_session(data):
    assert exchange(data)[0] == 0


def test_the_session_ends_with_its_editor(tmp_path):
    """The adapter ends, also while the script or a kernel runs."""
    program = tmp_path / "sleep.py"
    program.write_text("import time\nprint('begins', flush=True)\ntime.sleep(1000)\n")
    spin = tmp_path / "spin.py"
    spin.write_text(SPIN)
    for file, event in ((program, "output"), (spin, "stopped")):
        client = Client()
        client.begin(program=str(file), options=[], args=[], stopOnEntry=True)
        thread = client.wait(event).get("threadId")
        if thread:
            client.ask("continue", threadId=thread)
        client.process.stdin.close()
        assert client.process.wait(timeout=30) == 0


def test_the_session_ends_with_the_process_that_started_it(tmp_path):
    """The adapter ends, although another process keeps its input pipe open."""
    os.mkfifo(tmp_path / "in")
    parent = subprocess.Popen(["/bin/sh", "-c", f"'{TTL_JIT}' dap < '{tmp_path}/in' & echo $!; read line"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
    with open(tmp_path / "in", "wb") as writer:
        child = int(parent.stdout.readline())
        writer.write(framed(HELLO))
        writer.flush()
        time.sleep(1)
        assert pathlib.Path(f"/proc/{child}").exists()
        parent.kill()
        parent.wait()
        for _ in range(300):
            if not pathlib.Path(f"/proc/{child}").exists() or " Z " in pathlib.Path(f"/proc/{child}/stat").read_text():
                return
            time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the adapter did not end")


def test_a_closed_connection_ends_the_session():
    client = Client(port=True)
    client.begin(42)
    client.wait("stopped")
    client.writer.close()
    client.socket.close()
    assert client.process.wait(timeout=30) == 0


def test_a_connection_needs_the_token():
    client = Client(port=True)
    client.ask("initialize")
    for wrong in ({}, {"token": ""}, {"token": "0" * 32}, {"token": 3}, {"token": client.token[:-1]}):
        message = client.ask("launch", program=EXAMPLE, success=False, **wrong)
        assert message == "the argument token= of launch must be the token that ttl-jit dap printed"
    answer = client.ask("setBreakpoints", source={"path": EXAMPLE}, breakpoints=[], success=False)
    assert answer == "nothing was launched yet"
    client.ask("launch", program=EXAMPLE, token=client.token)
    assert client.ask("launch", program=EXAMPLE, token=client.token, success=False) == "a program was launched already"
    assert client.end() == 0


def test_expressions_that_end_the_interpreter():
    client = Client()
    client.begin(42)
    client.wait("stopped")
    assert client.ask("evaluate", expression="exit(3)", success=False)
    assert client.ask("evaluate", expression="(" * 1000, success=False)
    assert client.ask("evaluate", expression="1 + 1")["result"] == "2"
    assert client.end() == 0


def test_a_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        result = subprocess.run([TTL_JIT, "dap", f"--port={port}"], capture_output=True, text=True, timeout=30,
                                env=environment(), check=False)
    assert result.returncode == 2
    assert result.stderr == f"ttl-jit: dap: cannot listen on port {port}: Address already in use\n"
