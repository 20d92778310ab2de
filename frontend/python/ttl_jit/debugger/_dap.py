# ===- _dap.py - the Debug Adapter Protocol ------------------------------------------===
# SPDX-License-Identifier: Apache-2.0
#
# The script runs in the main thread, and a second thread reads the requests. While a kernel runs,
# requests wait in a queue, and the kernel is interrupted for them; else the second thread answers.
# Threads have the number of their agent, plus 1. A number of variables is valid until the kernel
# goes on.
# ===----------------------------------------------------------------------------===//

import json
import os
import queue
import socket
import sys
import threading

_SCOPES = ("Locals", "Blocks", "Buffers", "Semaphores", "DST")
_FRAMES = 1000  # frame numbers of each thread
_MOST = 1024  # the most rows or elements that one answer has
_REASONS = {"breakpoint": "breakpoint", "watch": "data breakpoint", "step": "step", "fault": "exception",
            "interrupt": "pause", "end of thread": "step", "start": "entry"}
_CAPABILITIES = ("supportsConfigurationDoneRequest", "supportsConditionalBreakpoints", "supportsSetVariable",
                 "supportsDataBreakpoints", "supportsStepBack", "supportsEvaluateForHovers",
                 "supportsTerminateRequest")


class Refused(Exception):
    """A request that cannot be answered, and why."""


class Channel:
    """Reads and writes messages."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer
        self._lock, self._count = threading.Lock(), 0

    def read(self):
        """Returns a message, or None at the end."""
        size = None
        while True:
            line = self._reader.readline()
            if not line:
                return None
            name, _, value = line.decode("ascii", "replace").partition(":")
            if name.strip().lower() == "content-length":
                size = int(value)
            elif not line.strip() and size is not None:
                return json.loads(self._reader.read(size))

    def write(self, kind, **fields):
        with self._lock:
            self._count += 1
            body = json.dumps({"seq": self._count, "type": kind, **fields}).encode()
            try:
                self._writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                self._writer.flush()
            except OSError:
                pass  # the editor has gone

    def event(self, name, **body):
        self.write("event", event=name, body=body)


class Output:
    """A stream of the script, whose text the editor shows."""

    def __init__(self, channel, category):
        self._channel, self._category = channel, category

    def write(self, text):
        if text:
            self._channel.event("output", category=self._category, output=str(text))
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


class Adapter:
    """One debug session."""

    def __init__(self, channel, run):
        self.channel, self._run = channel, run
        self.session = None
        self._lock = threading.RLock()
        self._requests = queue.Queue()  # for the kernel that runs or is stopped
        self._in_kernel = self._is_stopped = self._pauses = False
        self._configured, self._launch = threading.Event(), None
        self._lines = {}  # breakpoints of a file: (line, condition)
        self._watched = []  # what the editor watches
        self._arrays = []  # of the current stop
        self._goal = None

    # ===--- Requests --------------------------------------------------------===//

    def read_requests(self):
        """Reads requests until the editor goes."""
        while True:
            try:
                request = self.channel.read()
            except (ValueError, OSError):
                request = None
            if request is None:
                request = {"type": "request", "seq": 0, "command": "disconnect"}
            with self._lock:
                if self._in_kernel:
                    self._requests.put(request)
                    if not self._is_stopped and self.session.debugger is not None:
                        self.session.debugger.interrupt()
                else:
                    self.answer(request)
            if request["command"] == "disconnect":
                return

    def answer(self, request):
        from_editor = request.get("arguments") or {}
        fields = {"request_seq": request["seq"], "command": request["command"]}
        try:
            handler = getattr(self, "on_" + request["command"], None)
            if handler is None:
                raise Refused(f"{request['command']} is not supported")
            body = handler(from_editor) or {}
        except (Refused, KeyError, TypeError, ValueError, IndexError) as error:
            self.channel.write("response", success=False, message=str(error), **fields)
            return
        except Exception as error:  # a Mistake, whose module is loaded with the session
            self.channel.write("response", success=False, message=str(error), **fields)
            return
        self.channel.write("response", success=True, body=body, **fields)
        if request["command"] == "launch":
            self.channel.event("initialized")

    def on_initialize(self, _):
        return {name: True for name in _CAPABILITIES}

    def on_launch(self, arguments):
        if not os.path.isfile(arguments["program"]):
            raise Refused(f"there is no file {arguments['program']}")
        for option in arguments.get("options", ()):
            name, _, value = option.removeprefix("--").partition("=")
            os.environ["TTL_" + name.upper().replace("-", "_")] = value or "1"
        os.environ.update(arguments.get("env") or {}, TTL_DEBUG="on")
        if arguments.get("cwd"):
            os.chdir(arguments["cwd"])
        from ttl_jit.debugger._session import Session

        self.session = Session()
        self.session.start(self.drive)
        self._launch = arguments

    def on_configurationDone(self, _):
        self._configured.set()

    def on_disconnect(self, _):
        if self.session is not None:
            self.session.wants_quit = True
        self._configured.set()

    on_terminate = on_disconnect

    # ===--- Where to stop ---------------------------------------------------===//

    def on_setBreakpoints(self, arguments):
        from ttl_jit.debugger._session import Breakpoint, Mistake

        self._needs_session()
        session, file = self.session, arguments["source"]["path"]
        session.breakpoints = [each for each in session.breakpoints if each.file != file]
        answers = []
        for wanted in arguments.get("breakpoints", ()):
            added = Breakpoint(session.new_id(), "line", file, wanted["line"],
                               condition=wanted.get("condition") or "")
            try:
                session.add(added)
                answers.append({"id": added.id, "verified": True, "line": added.line})
            except Mistake as mistake:
                answers.append({"verified": False, "line": wanted["line"], "message": str(mistake)})
        session.apply_breakpoints()
        return {"breakpoints": answers}

    def on_setExceptionBreakpoints(self, _):
        return {"breakpoints": []}  # faults always stop

    def on_dataBreakpointInfo(self, arguments):
        name = arguments["name"]
        scope = self._scope(arguments.get("variablesReference", 0))
        if scope in ("Buffers", "Semaphores"):
            return {"dataId": name, "description": name, "accessTypes": ["write"]}
        return {"dataId": None, "description": f"{name} is no buffer or semaphore"}

    def on_setDataBreakpoints(self, arguments):
        from ttl_jit.debugger._session import Mistake

        self._needs_session()
        for each in [*self.session.watches]:
            self.session.remove(each.id)
        answers = []
        for wanted in arguments["breakpoints"]:
            try:
                answers.append({"id": self.session.watch(wanted["dataId"]).id, "verified": True})
            except Mistake as mistake:
                answers.append({"verified": False, "message": str(mistake)})
        return {"breakpoints": answers}

    # ===--- Going on and back -----------------------------------------------===//

    def _go(self, goal, arguments):
        if not self._is_stopped or self.session.debugger.ended:
            raise Refused("no kernel is stopped")
        if arguments.get("threadId"):
            self.session.agent = arguments["threadId"] - 1
        self._goal = goal

    def on_continue(self, arguments):
        self._go("continue", arguments)
        return {"allThreadsContinued": True}

    def on_next(self, arguments):
        self._go("next", arguments)

    def on_stepIn(self, arguments):
        self._go("step", arguments)

    def on_stepOut(self, arguments):
        self._go("finish", arguments)

    def on_stepBack(self, arguments):
        self._go("back", arguments)

    def on_reverseContinue(self, arguments):
        self._go("reverse", arguments)

    def on_pause(self, _):
        self._pauses = True
        if self.session is not None and self.session.debugger is not None:
            self.session.debugger.interrupt()

    def drive(self, session):
        """Runs one launch."""
        with self._lock:
            self._in_kernel = True
        try:
            entry = self._launch.get("stopOnEntry", False)
            stop = self._resume("any" if entry else "continue")
            first = entry
            while stop is not None and not session.wants_quit:
                self._show_stop(stop, "entry" if first else None)
                first = False
                goal = self._wait()
                if session.wants_quit:
                    break
                stop = self._resume(goal)
        finally:
            with self._lock:
                self._in_kernel = False
            while not self._requests.empty():
                self.answer(self._requests.get())

    def _resume(self, goal):
        if goal == "back":
            return self.session.back_to_statement()
        if goal == "reverse":
            return self.session.back_to_breakpoint()
        agent = self.session.agent
        while True:
            # Requests that came before the kernel goes on did not interrupt it; later ones do.
            while not self._requests.empty():
                self.answer(self._requests.get())
            if self.session.wants_quit:
                return None
            stop = self.session.resume(goal)
            if stop is None or stop["reason"] != "interrupt" or self._pauses or self.session.wants_quit:
                self._pauses = False
                return stop
            self.session.agent = agent

    def _show_stop(self, stop, reason=None):
        self._arrays = []
        body = {"reason": reason or _REASONS[stop["reason"]], "threadId": stop["agent"] + 1,
                "allThreadsStopped": True, "description": stop["text"] or stop["reason"]}
        if stop["id"]:
            body["hitBreakpointIds"] = [stop["id"]]
        self._is_stopped = True
        self.channel.event("stopped", **body)

    def _wait(self):
        """Answers requests until the kernel is to go on; returns the goal."""
        self._goal = None
        while self._goal is None and not self.session.wants_quit:
            self.answer(self._requests.get())
        with self._lock:
            self._is_stopped = False
        return self._goal

    # ===--- Looking ---------------------------------------------------------===//

    def _needs_session(self):
        if self.session is None:
            raise Refused("nothing was launched yet")

    def _stopped(self):
        self._needs_session()
        if not self._is_stopped:
            raise Refused("no kernel is stopped")
        return self.session.debugger

    def on_threads(self, _):
        if not self._is_stopped:
            return {"threads": []}
        return {"threads": [{"id": each["agent"] + 1, "name": f"({each['x']},{each['y']}) {each['name']}"}
                            for each in self.session.debugger.threads()]}

    def on_stackTrace(self, arguments):
        agent = arguments["threadId"] - 1
        thread = next((each for each in self._stopped().threads() if each["agent"] == agent), None)
        if thread is None:
            raise Refused(f"there is no thread {agent + 1}")
        frames = []
        for depth, (file, line) in enumerate(thread["frames"] or [thread["location"]]):
            frames.append({"id": agent * _FRAMES + depth, "name": thread["name"], "line": line, "column": 1,
                           "source": {"name": os.path.basename(file), "path": os.path.abspath(file)}})
        return {"stackFrames": frames, "totalFrames": len(frames)}

    def on_scopes(self, arguments):
        agent = arguments["frameId"] // _FRAMES
        self._stopped()
        return {"scopes": [{"name": name, "variablesReference": self._number((name, agent)), "expensive": False}
                           for name in _SCOPES]}

    def _number(self, value):
        self._arrays.append(value)
        return len(self._arrays)

    def _scope(self, number):
        value = self._arrays[number - 1] if 0 < number <= len(self._arrays) else (None,)
        return value[0]

    def on_variables(self, arguments):
        self._stopped()
        kind, *rest = self._arrays[arguments["variablesReference"] - 1]
        if kind == "array":
            return {"variables": self._items(*rest)}
        self.session.agent = rest[0]
        return {"variables": getattr(self, "_in_" + kind.lower())(rest[0])}

    def _in_locals(self, agent):
        return [_shown(name, value) for name, (kind, value) in self.session.debugger.variables(agent).items()
                if kind == "scalar"]

    def _in_blocks(self, agent):
        return [self._array(name, value, (agent, name))
                for name, (kind, value) in self.session.debugger.variables(agent).items() if kind != "scalar"]

    def _in_buffers(self, _):
        from ttl_jit.debugger._commands import buffer_text

        buffers = self.session.debugger.buffers(*self.session.node())
        return [_shown(each["name"], buffer_text(each).partition(": ")[2]) for each in buffers]

    def _in_semaphores(self, _):
        return [_shown(each["name"], each["value"])
                for each in self.session.debugger.semaphores(*self.session.node())]

    def _in_dst(self, agent):
        return [self._array(f"DST[{number}]", tile, None)
                for number, _, tile in self.session.debugger.registers(agent)]

    def _array(self, name, value, owner, index=()):
        """An array; `owner` is the agent and the variable of which it is the part at `index`."""
        if value is None:
            return _shown(name, "not in L1")
        number = self._number(("array", value, owner, index))
        return {"name": name, "value": f"{value.dtype} {value.shape}", "variablesReference": number,
                "indexedVariables": min(len(value), _MOST)}

    def _items(self, array, owner, index):
        if array.ndim > 1:
            return [self._array(f"[{i}]", part, owner, (*index, i)) for i, part in enumerate(array[:_MOST])]
        return [_shown(f"[{i}]", item) for i, item in enumerate(array[:_MOST])]

    def on_evaluate(self, arguments):
        self._stopped()
        if "frameId" in arguments:
            self.session.agent = arguments["frameId"] // _FRAMES
        value = self.session.evaluate(arguments["expression"])
        shown = self._array("", value, None) if getattr(value, "ndim", 0) else _shown("", value)
        if getattr(value, "ndim", 0):
            shown["value"] = str(value)
        return {"result": shown["value"], "variablesReference": shown["variablesReference"]}

    def on_setVariable(self, arguments):
        self._stopped()
        kind, *rest = self._arrays[arguments["variablesReference"] - 1]
        name = arguments["name"]
        if kind == "array" and rest[1] is not None:
            (self.session.agent, owner), index = rest[1], rest[2]
            target = f"{owner}[{', '.join(str(i) for i in (*index, int(name.strip('[]'))))}]"
        elif kind == "Locals":
            self.session.agent, target = rest[0], name
        else:
            raise Refused(f"{name} cannot be set: numbers and elements of blocks can")
        self.session.set(target, arguments["value"])
        value = self.session.evaluate(target)
        if kind == "array":
            rest[0][int(name.strip("[]"))] = value
        return {"value": str(value), "variablesReference": 0}

    # ===--- The script ------------------------------------------------------===//

    def run_script(self):
        """Waits for the launch, runs the script and returns its status."""
        self._configured.wait()
        if self._launch is None:
            return 0
        sys.argv = [self._launch["program"], *self._launch.get("args", ())]
        sys.stdout, sys.stderr = Output(self.channel, "stdout"), Output(self.channel, "stderr")
        try:
            status = self._run(self._launch["program"], lambda: self.session.wants_quit)
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        self.channel.event("exited", exitCode=status)
        self.channel.event("terminated")
        return status


def _shown(name, value):
    return {"name": name, "value": str(value), "variablesReference": 0}


def _standard_channel():
    """The protocol on standard input and output; what else prints there goes to standard error."""
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return Channel(reader, writer)


def _port_channel(port):
    with socket.create_server(("127.0.0.1", port)) as server:
        print(f"listening on 127.0.0.1:{server.getsockname()[1]}", file=sys.stderr, flush=True)
        connection, _ = server.accept()
    stream = connection.makefile("rwb")
    return Channel(stream, stream)


def main(arguments, run):
    """Serves one session; run(file, quits) runs a script. Returns the exit status."""
    port = arguments[0].removeprefix("--port=") if arguments else ""
    if len(arguments) > 1 or (arguments and not (arguments[0].startswith("--port=") and port.isdigit()
                                                 and int(port) < 1 << 16)):
        print(f"ttl-jit: dap takes only --port=N; found {' '.join(arguments)}", file=sys.stderr)
        return 2
    adapter = Adapter(_port_channel(int(port)) if arguments else _standard_channel(), run)
    requests = threading.Thread(target=adapter.read_requests, daemon=True)
    requests.start()
    adapter.run_script()
    requests.join()  # the editor disconnects, or closes the connection
    return 0
