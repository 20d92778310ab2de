# ===- _dap.py - the Debug Adapter Protocol -----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The script runs in the main thread, and a second thread reads the editor's requests. While a kernel runs
# or is stopped, the main thread answers: requests wait in a queue, and a running kernel is interrupted for
# them. Otherwise the second thread answers. An agent is a kernel thread on a node; threadId in the protocol
# is the agent's number plus 1. A variablesReference is valid until the kernel goes on.
# ===--------------------------------------------------------------------------=== #

import os
import queue
import sys
import threading

from ttl_jit.debugger import _channel
from ttl_jit.debugger._channel import Closed, Refused

_SCOPES = ("Locals", "Blocks", "Outside", "Buffers", "Semaphores", "DST")
_FRAMES = 1000  # the most frames of a thread: frameId is agent * _FRAMES + depth
_MOST = 1024  # the most rows or elements that one answer has
_PATIENCE = 5  # seconds that a script has to end after the editor has gone
_REASONS = {"breakpoint": "breakpoint", "watch": "data breakpoint", "step": "step", "fault": "exception",
            "interrupt": "pause", "end of thread": "step", "start": "entry"}
_CAPABILITIES = ("supportsConfigurationDoneRequest", "supportsConditionalBreakpoints",
                 "supportsHitConditionalBreakpoints", "supportsLogPoints", "supportsFunctionBreakpoints",
                 "supportsExceptionInfoRequest", "supportsSetVariable", "supportsDataBreakpoints",
                 "supportsStepBack", "supportsEvaluateForHovers", "supportsTerminateRequest")
_FILTERS = [{"filter": "fault", "label": "Faults of kernels", "default": True}]


class Output:
    """The script's standard output or error: sends the text to the editor, which shows it."""

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
    """One debug session: answers the editor's requests, and runs the script."""

    def __init__(self, channel, run):
        self.channel, self._run = channel, run
        self.session = None
        self._lock = threading.RLock()
        self._requests = queue.Queue()  # those that the main thread answers while it runs a kernel
        self._in_kernel = self._is_stopped = self._pauses = False
        self._configured, self._launch = threading.Event(), None
        self._arrays = []  # values of the current stop: variablesReference N is element N - 1
        self._goal = None
        self._done = threading.Event()  # the script has ended

    # ===--- Requests ---------------------------------------------------------=== #

    def read_requests(self):
        """Reads requests until the editor goes."""
        while self._take(self._read()):
            pass

    def _read(self):
        try:
            return self.channel.read()
        except Closed as closed:
            self.channel.event("output", category="stderr", output=f"the session ends: {closed}\n")
            return None

    def _take(self, request):
        """Answers a request, or queues it for the main thread if that runs a kernel. None says that the
        editor has gone. Returns whether the editor can send more requests."""
        if request is None:
            self.leave()
            return False
        with self._lock:
            if self._in_kernel:
                self._requests.put(request)
                if not self._is_stopped and self.session.debugger is not None:
                    self.session.debugger.interrupt()
            else:
                self.answer(request)
        if request["command"] == "disconnect":
            self._end_soon()
            return False
        return True

    def leave(self):
        """Ends the session, because the editor has gone."""
        self._take({"seq": None, "command": "disconnect", "arguments": {}})

    def leave_at_once(self):
        """Ends the session and the process, in which the thread that reads requests may wait for ever."""
        self.leave()
        self._done.wait(_PATIENCE)
        os._exit(0)

    def _end_soon(self):
        """Ends this process if the script does not end by itself within _PATIENCE seconds."""

        def end():
            if not self._done.wait(_PATIENCE):
                os._exit(0)

        threading.Thread(target=end, daemon=True).start()

    def answer(self, request):
        if request["seq"] is None:  # made by leave(): no editor waits for an answer
            return self.on_disconnect(None)
        fields = {"request_seq": request["seq"], "command": request["command"]}
        try:
            handler = getattr(self, "on_" + request["command"], None)
            if handler is None:
                raise Refused(f"{request['command']} is not supported")
            body = handler(request["arguments"]) or {}
        except KeyError as error:
            return self._refuse(f"the argument {error.args[0]!r} is missing", fields)
        except Exception as error:  # the request of the editor or the input of the user is wrong
            return self._refuse(str(error) or type(error).__name__, fields)
        self.channel.write("response", success=True, body=body, **fields)
        if request["command"] == "launch":
            self.channel.event("initialized")

    def _refuse(self, message, fields):
        self.channel.write("response", success=False, message=message, **fields)

    def on_initialize(self, _):
        return dict.fromkeys(_CAPABILITIES, True) | {"exceptionBreakpointFilters": _FILTERS}

    def on_launch(self, arguments):
        self.channel.check(arguments.get("token"))
        if self._launch is not None:
            raise Refused("a program was launched already")
        program, options = _text(arguments, "program"), _texts(arguments, "options")
        _texts(arguments, "args")
        environment = arguments.get("env") or {}
        if not isinstance(environment, dict) or not all(isinstance(each, str) for each in environment.values()):
            raise Refused("the argument env must be an object of strings")
        if not os.path.isfile(program):
            raise Refused(f"there is no file {program}")
        for option in options:
            name, _, value = option.removeprefix("--").partition("=")
            os.environ["TTL_" + name.upper().replace("-", "_")] = value or "1"
        os.environ.update(environment, TTL_DEBUG="on")
        if arguments.get("cwd"):
            os.chdir(_text(arguments, "cwd"))
        from ttl_jit.debugger._session import Session

        self.session = Session()
        self.session.on_log = lambda text: self.channel.event("output", category="console", output=text + "\n")
        self.session.on_moved = self._say_moved
        self.session.start(self.drive)
        self._launch = arguments

    def on_configurationDone(self, _):
        self._needs_session()
        self._configured.set()

    def on_disconnect(self, _):
        if self.session is not None:
            self.session.wants_quit = True
        self._configured.set()

    on_terminate = on_disconnect

    # ===--- Where to stop ----------------------------------------------------=== #

    def on_setBreakpoints(self, arguments):
        self._needs_session()
        file = _text(arguments["source"], "path")
        wanted = [(each, {"kind": "line", "file": file, "line": _number(each, "line")})
                  for each in _objects(arguments, "breakpoints")]
        return self._replace(lambda each: each.kind == "line" and each.file == file, wanted)

    def on_setFunctionBreakpoints(self, arguments):
        self._needs_session()
        wanted = [(each, {"kind": "function", "name": _text(each, "name")})
                  for each in _objects(arguments, "breakpoints")]
        return self._replace(lambda each: each.kind == "function", wanted)

    def _replace(self, is_old, wanted):
        """Replaces the breakpoints for which is_old(breakpoint) holds by the wanted ones. Returns the
        answers."""
        session, answers = self.session, []
        session.breakpoints = [each for each in session.breakpoints if not is_old(each)]
        self._answered = False  # the response has their lines, so _say_moved() sends no event
        try:
            for asked, fields in wanted:
                answers.append(self._add(asked, fields))
            session.apply_breakpoints()
        finally:
            self._answered = True
        return {"breakpoints": answers}

    def _add(self, asked, fields):
        from ttl_jit.debugger._session import Breakpoint, Mistake

        added = Breakpoint(self.session.new_id(), **fields)
        for name, field in (("condition", "condition"), ("hitCondition", "hit_condition"), ("logMessage", "log")):
            setattr(added, field, _text(asked, name) if asked.get(name) is not None else "")
        try:
            self.session.add(added)
        except Mistake as mistake:
            return {"verified": False, "line": added.line or 1, "message": str(mistake)}
        return _shown_breakpoint(added)

    def _say_moved(self, breakpoint):
        """Tells the editor the line that a breakpoint got in the kernel that is launched."""
        if self._answered:
            self.channel.event("breakpoint", reason="changed", breakpoint=_shown_breakpoint(breakpoint))

    _answered = True

    def on_setExceptionBreakpoints(self, arguments):
        self._needs_session()
        self.session.stops_at_faults = "fault" in _texts(arguments, "filters")
        return {"breakpoints": []}

    def on_exceptionInfo(self, _):
        debugger = self._stopped()
        if debugger.stop["reason"] != "fault":
            raise Refused("the kernel did not stop at a fault")
        message, (file, line) = debugger.stop["text"], self.session.frames()[0]
        return {"exceptionId": "fault", "description": message, "breakMode": "always",
                "details": {"message": message, "stackTrace": f"{file}:{line}"}}

    def on_dataBreakpointInfo(self, arguments):
        name = _text(arguments, "name")
        reference = arguments.get("variablesReference", 0)
        self._stopped()
        if (self._scope(reference) in ("Buffers", "Semaphores", "Locals", "Blocks") if reference
                else self.session.has_value(name)):
            return {"dataId": name, "description": name, "accessTypes": ["write"]}
        return {"dataId": None, "description": f"{name} is no buffer, semaphore or variable"}

    def on_setDataBreakpoints(self, arguments):
        from ttl_jit.debugger._session import Mistake

        self._needs_session()
        for each in [*self.session.watches]:
            self.session.remove(each.id)
        answers = []
        for wanted in _objects(arguments, "breakpoints"):
            try:
                answers.append({"id": self.session.watch(_text(wanted, "dataId")).id, "verified": True})
            except (Mistake, ValueError, OverflowError) as mistake:
                answers.append({"verified": False, "message": str(mistake)})
        return {"breakpoints": answers}

    # ===--- Going on and back ------------------------------------------------=== #

    def _go(self, goal, arguments):
        if not self._is_stopped or self.session.debugger.ended:
            raise Refused("no kernel is stopped")
        if arguments.get("threadId"):
            self.session.agent = self._thread(arguments)["agent"]
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
        except Exception as error:  # must not reach the C++ code that runs the launch
            self.channel.event("output", category="stderr", output=f"the debugger fails: {error}\n")
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
            # Requests that came while the kernel was stopped did not interrupt it: answer them first.
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
        """Answers requests until one of them lets the kernel go on. Returns the goal, such as "next", or None
        to quit."""
        self._goal = None
        while self._goal is None and not self.session.wants_quit:
            self.answer(self._requests.get())
        with self._lock:
            self._is_stopped = False
        return self._goal

    # ===--- Looking ----------------------------------------------------------=== #

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
        return {"threads": [{"id": each["agent"] + 1, "name": f"{each['where']} {each['name']}"}
                            for each in self.session.debugger.threads()]}

    def _thread(self, arguments):
        agent = _number(arguments, "threadId") - 1
        for each in self._stopped().threads():
            if each["agent"] == agent:
                return each
        raise Refused(f"there is no thread {agent + 1}")

    def on_stackTrace(self, arguments):
        from ttl_jit.debugger._places import name_around

        thread = self._thread(arguments)
        frames = []
        places = (thread["frames"] or [thread["location"]])[:_FRAMES]
        for depth, (file, line) in enumerate(places):
            name = thread["name"] if depth == len(places) - 1 else name_around(file, line) or thread["name"]
            frames.append({"id": thread["agent"] * _FRAMES + depth, "name": name, "line": line, "column": 1,
                           "source": {"name": os.path.basename(file), "path": os.path.abspath(file)}})
        return {"stackFrames": frames, "totalFrames": len(frames)}

    def _look_at(self, frame):
        """Selects the thread and the call, by a frameId, in which expressions are evaluated."""
        agent, depth = divmod(frame, _FRAMES)
        self._thread({"threadId": agent + 1})
        self.session.agent, self.session.depth = agent, depth

    def on_scopes(self, arguments):
        self._stopped()
        frame = _number(arguments, "frameId")
        self._look_at(frame)
        return {"scopes": [{"name": name, "variablesReference": self._number((name, frame)), "expensive": False}
                           for name in _SCOPES + (("Time",) if self.session.times() else ())]}

    def _number(self, value):
        self._arrays.append(value)
        return len(self._arrays)

    def _scope(self, number):
        value = self._arrays[number - 1] if 0 < number <= len(self._arrays) else (None,)
        return value[0]

    def _reference(self, arguments):
        """Returns the value that a variablesReference of the protocol stands for."""
        self._stopped()
        number = _number(arguments, "variablesReference")
        if not 0 < number <= len(self._arrays):
            raise Refused(f"there are no variables {number}")
        return self._arrays[number - 1]

    def on_variables(self, arguments):
        kind, *rest = self._reference(arguments)
        if kind == "array":
            return {"variables": self._items(*rest)}
        if kind == "list":
            return {"variables": [self._shown(f"[{i}]", value, None) for i, value in enumerate(rest[0])]}
        self._look_at(rest[0])
        return {"variables": getattr(self, "_in_" + kind.lower())(self.session.agent)}

    def _in_locals(self, agent):
        return self._of_kinds(self.session.variables(), agent, lambda kind: kind not in ("block", "tiles"))

    def _in_blocks(self, agent):
        return self._of_kinds(self.session.variables(), agent, lambda kind: kind in ("block", "tiles"))

    def _in_outside(self, agent):
        return self._of_kinds(self.session.scope().outside(), agent, lambda kind: True)

    def _of_kinds(self, variables, agent, wants):
        return [self._shown(name, value, (agent, name) if kind in ("block", "tiles") else None)
                for name, (kind, value) in variables.items() if wants(kind)]

    def _shown(self, name, value, owner):
        if getattr(value, "ndim", 0):
            return self._array(name, value, owner)
        if isinstance(value, (list, tuple)) and value:
            number = self._number(("list", value[:_MOST]))
            return {"name": name, "value": _scope_text(value), "variablesReference": number}
        return _shown(name, "not in L1" if value is None and owner else _scope_text(value))

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

    def _in_time(self, agent):
        from ttl_jit.debugger._commands import UNITS

        times = self.session.times()[agent]
        return [_shown(name, value) for name, value in
                [("cycle", times["cycle"]), ("waited", times["waited"]), *zip(UNITS, times["units"])]]

    def _array(self, name, value, owner, index=()):
        """Returns an array as a variable of the protocol. If the user can change it, `owner` is (agent, name
        of a block) and `value` is the part of the block at `index`; otherwise `owner` is None."""
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
            self._look_at(_number(arguments, "frameId"))
        value = self.session.evaluate(_text(arguments, "expression"))
        shown = self._array("", value, None) if getattr(value, "ndim", 0) else _shown("", value)
        if getattr(value, "ndim", 0):
            shown["value"] = str(value)
        return {"result": shown["value"], "variablesReference": shown["variablesReference"]}

    def on_setVariable(self, arguments):
        kind, *rest = self._reference(arguments)
        name, wanted = _text(arguments, "name"), _text(arguments, "value")
        if kind == "array" and rest[1] is not None:
            (self.session.agent, owner), index = rest[1], rest[2]
            target = f"{owner}[{', '.join(str(i) for i in (*index, int(name.strip('[]'))))}]"
        elif kind == "Locals":
            self._look_at(rest[0])
            target = name
        else:
            raise Refused(f"{name} cannot be set: numbers and elements of blocks can")
        self.session.set(target, wanted)
        value = self.session.evaluate(target)
        if kind == "array":
            rest[0][int(name.strip("[]"))] = value
        return {"value": str(value), "variablesReference": 0}

    # ===--- The script -------------------------------------------------------=== #

    def run_script(self):
        """Waits for the launch, runs the script and returns its status."""
        self._configured.wait()
        try:
            if self._launch is None or self.session.wants_quit:
                return 0
            sys.argv = [self._launch["program"], *_texts(self._launch, "args")]
            sys.stdout, sys.stderr = Output(self.channel, "stdout"), Output(self.channel, "stderr")
            try:
                status = self._run(self._launch["program"], lambda: self.session.wants_quit)
            finally:
                sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        finally:
            self._done.set()
        self.channel.event("exited", exitCode=status)
        self.channel.event("terminated")
        return status


# ===--- Arguments of requests ------------------------------------------------=== #


def _text(arguments, name):
    if not isinstance(arguments, dict) or not isinstance(arguments[name], str):
        raise Refused(f"the argument {name!r} must be a string")
    return arguments[name]


def _number(arguments, name):
    if type(arguments[name]) is not int or not 0 <= arguments[name] < 1 << 31:
        raise Refused(f"the argument {name!r} must be a number")
    return arguments[name]


def _texts(arguments, name):
    found = arguments.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise Refused(f"the argument {name!r} must be a list of strings")
    return found


def _objects(arguments, name):
    found = arguments.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise Refused(f"the argument {name!r} must be a list of objects")
    return found


def _shown(name, value):
    return {"name": name, "value": str(value), "variablesReference": 0}


def _scope_text(value):
    from ttl_jit.debugger._scope import shown

    return shown(value)


def _shown_breakpoint(breakpoint):
    if not breakpoint.lines:
        return {"id": breakpoint.id, "verified": False, "line": breakpoint.line or 1,
                "message": "no kernel with code here has run yet"}
    file, line = breakpoint.lines[0]
    return {"id": breakpoint.id, "verified": True, "line": line,
            "source": {"name": os.path.basename(file), "path": os.path.abspath(file)}}


def main(arguments, run):
    """Serves one session; run(file, quits) runs a script. Returns the exit status."""
    port = arguments[0].removeprefix("--port=") if arguments else ""
    if len(arguments) > 1 or (arguments and not (arguments[0].startswith("--port=") and port.isascii()
                                                 and port.isdigit() and int(port) < 1 << 16)):
        print(f"ttl-jit: dap takes only --port=N; found {' '.join(arguments)}", file=sys.stderr)
        return 2
    try:
        channel = _channel.on_port(int(port)) if arguments else _channel.standard()
    except OSError as error:
        print(f"ttl-jit: dap: cannot listen on port {port}: {os.strerror(error.errno)}", file=sys.stderr)
        return 2
    adapter = Adapter(channel, run)
    requests = threading.Thread(target=adapter.read_requests, daemon=True)
    requests.start()
    if not arguments:
        _channel.when_parent_ends(adapter.leave_at_once)
    adapter.run_script()
    requests.join()  # the editor disconnects, or closes the connection
    return 0
