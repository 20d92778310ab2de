# SPDX-License-Identifier: Apache-2.0
"""`ttl-jit dap` with a scripted client."""

import json
import re
import socket
import subprocess
import threading

import pytest
from running import ROOT, TTL_JIT, environment
from test_debugger import SPIN

EXAMPLE = str(ROOT / "examples" / "eltwise_add.py")


class Client:
    """An editor."""

    def __init__(self, *, port=False):
        command = [TTL_JIT, "dap", *(["--port=0"] if port else [])]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment())
        self.timer = threading.Timer(60, self.process.kill)  # then reading ends
        self.timer.daemon = True
        self.timer.start()
        self.reader, self.writer = self.process.stdout, self.process.stdin
        if port:
            address = self.process.stderr.readline().decode()
            number = int(re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", address)[1])
            self.socket = socket.create_connection(("127.0.0.1", number), timeout=60)
            self.reader = self.writer = self.socket.makefile("rwb")
        self.count, self.events = 0, []

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
        """The body of the next event of this name."""
        while True:
            for i, event in enumerate(self.events):
                if event["event"] == name:
                    del self.events[i]
                    return event["body"]
            message = self.read()
            if message["type"] == "event":
                self.events.append(message)

    def begin(self, *lines, program=EXAMPLE, **launch):
        """Launches the example with breakpoints at these lines."""
        capabilities = self.ask("initialize", adapterID="ttl")
        assert capabilities["supportsStepBack"] and capabilities["supportsDataBreakpoints"]
        launch = {"options": ["--grid=1,2"], "args": ["--size", "64"], **launch}
        self.ask("launch", program=program, **launch)
        self.wait("initialized")
        found = self.ask("setBreakpoints", source={"path": program}, breakpoints=[
            line if isinstance(line, dict) else {"line": line} for line in lines])
        self.ask("setExceptionBreakpoints", filters=[])
        self.ask("configurationDone")
        return found["breakpoints"]

    def where(self, thread):
        return self.ask("stackTrace", threadId=thread)["stackFrames"][0]

    def scope(self, frame, name):
        """The variables of a scope by name, and the scope's number."""
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


def test_break_inspect_change_step_back_and_continue(client):
    points = client.begin(42)
    assert [(each["verified"], each["line"]) for each in points] == [(True, 42)]
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
