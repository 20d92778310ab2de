# ===- _session.py - breakpoints, values and stops of debugged launches -------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The terminal, the editor protocol (_dap.py) and the interactive session (repl) use a Session to debug
# launches. The session keeps the breakpoints from one launch to the next. An agent is a thread of a kernel on
# one node; a moment is the number of a statement or event since the launch began.
# ===--------------------------------------------------------------------------=== #

import dataclasses
import re

import _ttjit
import numpy as np
from ttl_jit.debugger import _scope, _values
from ttl_jit.debugger._places import (Breakpoint, Mistake, check_line, hint, hit_condition, is_path_end,
                                      lines_of_function, move_to_code, names_of_functions)

__all__ = ["Breakpoint", "Mistake", "Session", "Watch", "is_path_end"]


@dataclasses.dataclass
class Watch:
    """Something whose change stops a launch. `agent` is the thread that evaluates a watched expression, or
    None for memory. `last` is the last value of the expression."""

    id: int
    text: str
    agent: int | None = None
    last: object = None


class Session:
    """The settings of the user for all launches, and the debugger of the current launch."""

    def __init__(self):
        self.breakpoints = []
        self.watches = []
        self.debugger = None
        self.agent = 0
        self.depth = 0  # the call that the user looks at: 0 is the function of the statement, 1 its caller
        self.stops_at_start = True
        self.stops_at_faults = True
        self.displays = {}  # number: expression that is shown at each stop
        self.on_log = lambda text: None  # is called with the text of each log point
        self.on_moved = lambda breakpoint: None  # is called when the lines of a breakpoint are found
        self.wants_quit = False
        self._next_id = 1
        self._code = set()

    def start(self, drive):
        """Debugs all launches from now on; drive(session) is called to run each of them."""

        def driver(debugger):
            self.debugger, self.agent, self.depth = debugger, 0, 0
            self.watches = []
            self._code = set()
            try:
                if self.wants_quit and self.stops_at_start:
                    return
                self.wants_quit = False
                self.apply_breakpoints()
                drive(self)
                if not self.wants_quit and not debugger.ended:
                    debugger.set_breakpoints([])
                    debugger.resume("continue")
            finally:
                self.debugger = None

        _ttjit.set_debugger(driver)

    # ===--- Breakpoints ------------------------------------------------------=== #

    def new_id(self):
        self._next_id += 1
        return self._next_id - 1

    def add(self, breakpoint):
        self._check(breakpoint)
        self.breakpoints.append(breakpoint)
        try:
            self.apply_breakpoints()
        except Exception:
            self.breakpoints.remove(breakpoint)
            raise
        return breakpoint

    def _check(self, breakpoint):
        if breakpoint.condition:
            _compiled(breakpoint.condition)
        if breakpoint.hit_condition:
            hit_condition(breakpoint.hit_condition)
        for part in log_parts(breakpoint.log)[1::2]:
            _compiled(part)
        if not 0 <= breakpoint.line < 1 << 31:
            raise Mistake(f"there is no line {breakpoint.line}")
        if breakpoint.kind == "event" and breakpoint.name not in _ttjit.event_names():
            names = ", ".join(_ttjit.event_names())
            raise Mistake(f"there is no event '{breakpoint.name}'; the events are {names}")
        if breakpoint.kind == "op":
            _check_op(breakpoint.name)
        if self.debugger is None:
            return
        if breakpoint.kind == "line":
            check_line(breakpoint.file, breakpoint.line, self.code())
        if breakpoint.kind == "function" and not lines_of_function(breakpoint.name, self.code()):
            known = names_of_functions(self.code())
            raise Mistake(f"the kernel has no function '{breakpoint.name}'{hint(breakpoint.name, known)}; "
                          f"its functions are {', '.join(known)}")

    def code(self):
        """Returns the set of (file, line) at which this launch may stop."""
        if not self._code:
            self._code = self.debugger.lines()
        return self._code

    def find(self, number):
        """Returns the breakpoint with this number. Raises a Mistake if there is none."""
        for each in self.breakpoints:
            if each.id == number:
                return each
        raise Mistake(f"there is no breakpoint {number}")

    def remove(self, number):
        for each in [*self.breakpoints, *self.watches]:
            if each.id == number:
                (self.watches if isinstance(each, Watch) else self.breakpoints).remove(each)
                if isinstance(each, Watch) and self.debugger is not None:
                    self.debugger.remove_watch(number)
                self.apply_breakpoints()
                return each
        raise Mistake(f"there is no breakpoint or watch {number}")

    def apply_breakpoints(self):
        if self.debugger is None:
            return
        buffers = {each["name"]: each["index"] for each in self.debugger.buffers(0, 0)}
        records = []
        for each in self.breakpoints:
            each.buffer = buffers.get(each.buffer_name)
            self._place(each)
            placed = dataclasses.replace(each, node=self.in_grid(each.node, each.device))
            if each.kind in ("line", "function"):
                records += [dataclasses.replace(placed, kind="line", file=file, line=line)
                            for file, line in each.lines]
            # A launch has no buffers before it starts: resume() calls this function again after the start.
            elif each.buffer is not None or not each.buffer_name:
                records.append(placed)
        self.debugger.set_breakpoints(records)

    def _place(self, breakpoint):
        """Finds the lines of a breakpoint in the kernel of this launch."""
        before, found = breakpoint.lines, []
        if breakpoint.kind == "line":
            place = move_to_code(breakpoint.file, breakpoint.line, self.code())
            found = [place] if place else []
        elif breakpoint.kind == "function":
            found = lines_of_function(breakpoint.name, self.code())
        breakpoint.lines = found
        if found and found != before:
            self.on_moved(breakpoint)

    def watch(self, text):
        """Watches `NAME` (a semaphore, a buffer or a variable), an expression,
        `l1 X Y ADDRESS BYTES` or `tensor NAME PAGE`."""
        debugger, words = self.launched(), text.split()
        watch = Watch(self.new_id(), text)
        if words[:1] == ["l1"] and len(words) == 5:
            x, y, address, size = (int(word, 0) for word in words[1:])
            done = debugger.watch_l1(watch.id, text, x, y, address, size)
        elif words[:1] == ["tensor"] and len(words) in (2, 3):
            names = debugger.tensors()
            if words[1] not in names:
                raise Mistake(f"there is no tensor '{words[1]}'; the tensors are {', '.join(names)}")
            page = int(words[2]) if len(words) == 3 else 0
            done = debugger.watch_page(watch.id, text, names.index(words[1]), page, self.device())
        else:
            done = self._watch_name(watch, text)
        if not done:
            raise Mistake(f"there is no such memory: {text}")
        self.watches.append(watch)
        return watch

    def _watch_name(self, watch, name):
        x, y = self.node()
        for each in self.debugger.semaphores(x, y):
            if each["name"] == name:
                return self.debugger.watch_l1(watch.id, name, x, y, each["address"], 4)
        for each in self.debugger.buffers(x, y):
            if each["name"] == name:
                size = each["page_bytes"] * each["pages"]
                return self.debugger.watch_l1(watch.id, name, x, y, each["address"], size)
        try:
            watch.last = _fixed(self.evaluate(name))
        except Mistake as mistake:
            if name.isidentifier():
                raise Mistake(f"there is no buffer, semaphore or variable '{name}' here; expected one, "
                              "an expression, l1 X Y ADDRESS BYTES, or tensor NAME PAGE") from None
            raise mistake
        watch.agent = self.agent
        return True

    # ===--- Running ----------------------------------------------------------=== #

    def launched(self):
        if self.debugger is None:
            raise Mistake("no kernel is running")
        if self.debugger.ended:
            raise Mistake("the kernel has ended; back N goes back into it")
        return self.debugger

    def resume(self, goal, moment=0):
        """Goes on until something stops the launch. Returns the stop, or None at its end."""
        debugger = self.launched()
        if not debugger.started and any(each.buffer_name for each in self.breakpoints):
            if not debugger.resume("moment", 0, 1):
                return None
            self.apply_breakpoints()
        self.depth = 0
        for stop in self._stops(debugger, goal, moment):
            if stop["reason"] == "fault" and not self.stops_at_faults:
                continue
            if self._holds(stop):
                self.agent = stop["agent"]
                return stop
        return None

    def _stops(self, debugger, goal, moment):
        """Runs the launch, and yields each stop. The launch goes on when the caller asks for the next
        stop."""
        agent = self.agent
        if not any(each.agent is not None for each in self.watches):
            while debugger.resume(goal, agent, moment):
                yield debugger.stop
            return
        # To see changes of watched variables, the launch stops at every statement; most of these stops are
        # not yielded.
        start = len(debugger.frames(agent))
        while debugger.resume("any", agent, moment):
            stop = debugger.stop
            changed = self._changed_variable(stop)
            if self._has_ended(goal, agent):
                stop = {**stop, "reason": "end of thread"}
            if changed:
                yield {**stop, "reason": "watch", "id": changed.id, "text": _change(changed)}
            elif stop["reason"] != "step" or self._is_reached(goal, stop, agent, start):
                yield stop

    def _has_ended(self, goal, agent):
        """Returns whether the goal is a step of this thread and the thread has ended."""
        return goal in ("step", "next", "finish") and any(
            each["agent"] == agent and each["state"] == "finished" for each in self.debugger.threads())

    def _is_reached(self, goal, stop, agent, start):
        """Returns whether a stop at a statement reaches the goal. The goals mean what they mean to the
        Debugger in C++. `start` is the number of frames when the step began."""
        if goal == "any" or goal == "continue":
            return goal == "any"
        frames = len(self.debugger.frames(agent))
        return stop["agent"] == agent and (goal == "step" or frames < start or (goal == "next" and frames == start))

    def _changed_variable(self, stop):
        for each in self.watches:
            if each.agent != stop["agent"]:
                continue
            try:
                now = _fixed(self.evaluate(each.text, each.agent, 0))
            except Mistake:
                continue  # the expression has no value at this statement
            if not _is_equal(now, each.last):
                each.before, each.last = each.last, now
                return each
        return None

    def _holds(self, stop):
        """Returns whether the user gets a stop. False for a breakpoint whose condition does not hold, and for
        a log point."""
        if stop["reason"] != "breakpoint":
            return True
        found = next(each for each in self.breakpoints if each.id == stop["id"])
        if found.condition:
            try:
                if not self.evaluate(found.condition, stop["agent"], 0):
                    return False
            except Mistake as mistake:
                # The user sees the place at which the condition has no value, and why.
                stop["text"] = f"{stop['text']} its condition fails: {mistake}".strip()
        if not found.counts():
            return False
        found.hits += 1
        if found.log:
            self.on_log(self._log_text(found.log, stop["agent"]))
            return False
        return True

    def _log_text(self, log, agent):
        parts = log_parts(log)
        for i in range(1, len(parts), 2):
            try:
                parts[i] = str(self.evaluate(parts[i], agent, 0))
            except Mistake as mistake:
                parts[i] = f"<{mistake}>"
        return "".join(parts)

    def back(self, count):
        """Goes back by `count` statements and events, of any thread."""
        if self.debugger is None:
            raise Mistake("no kernel is running")
        return self.go_to(max(1, self.debugger.moment - count))

    def back_to_statement(self):
        """Goes back to the previous statement of this thread."""
        return self.go_to(self.launched().statement_before(self.agent) or 1)

    def back_to_breakpoint(self):
        """Goes back to the last breakpoint or watch before this moment, or to the start."""
        end, last = self.launched().moment, 1
        self.go_to(1)
        while (stop := self.resume("continue")) is not None and stop["moment"] < end:
            last = stop["moment"]
        return self.go_to(last)

    def go_to(self, moment):
        if not self.debugger.go_to(moment):
            return None
        self.agent, self.depth = self.debugger.stop["agent"], 0
        for each in self.watches:
            if each.agent is not None:
                each.last = self._value_or_none(each)
        return self.debugger.stop

    def _value_or_none(self, watch):
        try:
            return _fixed(self.evaluate(watch.text, watch.agent, 0))
        except Mistake:
            return None

    # ===--- Values -----------------------------------------------------------=== #

    def device(self):
        """Returns the number of the device of this thread."""
        thread = self.thread()
        return thread["device"] if thread else 0

    def in_grid(self, node, device):
        """Returns the coordinates of a device's node in the grid that has the nodes of all devices side by
        side. The device of this thread is the default. Returns (-1, -1) if there is no such node."""
        if node is None or self.debugger.num_devices == 1:
            return node
        number = self.device() if device is None else device
        if number >= self.debugger.num_devices or node[0] >= self.debugger.columns_of_device:
            return -1, -1
        return node[0] + number * self.debugger.columns_of_device, node[1]

    def node(self, agent=None):
        agent = self.agent if agent is None else agent
        for each in self.debugger.threads():
            if each["agent"] == agent:
                return each["x"], each["y"]
        return 0, 0

    def thread(self):
        return next((each for each in self.debugger.threads() if each["agent"] == self.agent), None)

    def frames(self):
        """Returns the (file, line) of the statement of this thread, then of each call around it."""
        thread = self.thread()
        return (thread["frames"] or [thread["location"]]) if thread else []

    def variables(self):
        """Returns {name: (kind, value)} of the variables of the call that the user looks at: first those that
        the kernel computes, in the order in which they got their values, then those known at compile time."""
        scope, of_kernel = self.scope(), self.debugger.variables(self.agent)
        local = scope.local()
        if not scope.is_known and not self.depth:
            return {**of_kernel, **local}
        return {name: local[name] for name in [*(name for name in of_kernel if name in local), *local]}

    def times(self):
        """Returns a list with a dict for each agent: the cycle that the thread has reached on a card, and the
        cycles for which it has waited. Returns None if the launch has no time model."""
        return self.debugger.progress()

    def scope(self, agent=None, depth=None):
        return _scope.Scope(self.debugger, self.agent if agent is None else agent,
                            self.depth if depth is None else depth)

    def evaluate(self, text, agent=None, depth=None):
        """Evaluates an expression that may use the variables of a thread, the names that its functions read,
        and the buffers and semaphores of its node."""
        code = _compiled(text)
        self.launched()
        agent, depth = self.agent if agent is None else agent, self.depth if depth is None else depth
        names = _scope.names_at(self.debugger, agent, depth, self.node(agent))
        try:
            return eval(code, dict(_scope.BUILTINS), names)
        except (Exception, SystemExit) as error:
            raise Mistake(f"{text}: {type(error).__name__}: {error}") from None

    def has_value(self, text):
        """Returns whether an expression has a value in the call that the user looks at."""
        try:
            self.evaluate(text)
        except Mistake:
            return False
        return True

    def set(self, target, text):
        """Sets a scalar, `NAME`, or an element of a block, `NAME[ROW, COLUMN]`."""
        value = self.evaluate(text)
        name, bracket, index = target.partition("[")
        name = name.strip()
        variables = self.debugger.variables(self.agent)
        if self.scope().is_static(name) and name not in variables:
            raise Mistake(f"{name} is known at compile time, so that the kernel has no place for it; "
                          "numbers that it computes and elements of blocks can be changed")
        found = variables.get(name, (None, None))[1]
        element = self._element(name, found, index) if bracket else None
        self._store(name, element, _values.checked(found, value))
        if element is not None and _values.is_integer(found):
            self._require_stored(name, element, value, found)

    def _element(self, name, array, index):
        """Returns the position, in row-major order, of the element of an array that an index selects."""
        place = self.evaluate(f"({index.rstrip().removesuffix(']')})")
        if not isinstance(array, np.ndarray):
            raise Mistake(f"there is no block '{name}' here")
        try:
            return int(np.ravel_multi_index(place if isinstance(place, tuple) else (place,), array.shape))
        except (TypeError, ValueError):
            raise Mistake(f"expected an element of an array of shape {array.shape}, found [{index}") from None

    def _store(self, name, element, value):
        mistake = self.debugger.set(self.agent, name, element, value)
        if mistake:
            raise Mistake(mistake)

    def _require_stored(self, name, element, value, before):
        """Restores the element if the format of the block cannot hold the new value."""
        stored = self.debugger.variables(self.agent)[name][1].flat[element]
        if stored != value:
            self._store(name, element, float(before.flat[element]))
            raise Mistake(f"the elements of {name} cannot be {value}: it would be stored as {stored}")


def log_parts(text):
    """Splits a text such as "i is {i}" into a list: even elements are text, odd ones are expressions."""
    return re.split(r"\{([^{}]*)\}", text)


def _check_op(name):
    known = _ttjit.op_names()
    if name not in known and not any(each.endswith("." + name) for each in known):
        short = [each.partition(".")[2] for each in known]
        raise Mistake(f"there is no op '{name}'{hint(name, known + short)}")


def _fixed(value):
    """Returns a copy of a value that the kernel may change, to compare it with later values."""
    return value.copy() if isinstance(value, (np.ndarray, dict, list)) else value


def _is_equal(a, b):
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f")
    return a == b or (a != a and b != b)


def _change(watch):
    if isinstance(watch.last, np.ndarray):
        return watch.text
    return f"{watch.text}: {watch.before} -> {watch.last}"


def _compiled(text):
    try:
        return compile(text.strip(), "<debugger>", "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        why = error.args[0] if error.args else "it is nested too deep"
        raise Mistake(f"{text}: {why}") from None
