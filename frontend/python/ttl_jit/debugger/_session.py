# ===- _session.py - breakpoints, values and stops of debugged launches --------------===
# SPDX-License-Identifier: Apache-2.0
#
# Every face of the debugger uses a Session. It keeps what the user asked for from one launch to
# the next: breakpoints and the position to stop at first. Its front end gets each stop.
# ===----------------------------------------------------------------------------===//

import builtins
import dataclasses
import os

import _ttjit
import numpy as np


class Mistake(Exception):
    """The user's mistake, as text."""


@dataclasses.dataclass
class Breakpoint:
    id: int
    kind: str  # "line", "op" or "event"
    file: str = ""
    line: int = 0
    name: str = ""
    buffer_name: str = ""
    node: tuple | None = None
    thread: str = ""
    condition: str = ""
    hits: int = 0
    buffer: int | None = None  # of the current launch

    def text(self):
        if self.kind == "line":
            place = f"{os.path.basename(self.file)}:{self.line}" if self.file else f"line {self.line}"
        else:
            place = " ".join(filter(None, (self.kind, self.name, self.buffer_name)))
        node = f" on node {self.node[0]},{self.node[1]}" if self.node else ""
        thread = f" in {self.thread}" if self.thread else ""
        condition = f" if {self.condition}" if self.condition else ""
        return place + node + thread + condition


@dataclasses.dataclass
class Watch:
    id: int
    text: str


class Session:
    """What holds for all launches, and the current launch."""

    def __init__(self):
        self.breakpoints = []
        self.watches = []
        self.debugger = None
        self.agent = 0
        self.stops_at_start = True
        self.wants_quit = False
        self._next_id = 1

    def start(self, drive):
        """Debugs the launches from now on; drive(session) runs each of them."""

        def driver(debugger):
            self.debugger, self.agent = debugger, 0
            self.watches = []
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

    # ===--- Breakpoints -----------------------------------------------------===//

    def new_id(self):
        self._next_id += 1
        return self._next_id - 1

    def add(self, breakpoint):
        if breakpoint.condition:
            _compiled(breakpoint.condition)
        if breakpoint.kind == "event" and breakpoint.name not in _ttjit.event_names():
            names = ", ".join(_ttjit.event_names())
            raise Mistake(f"there is no event '{breakpoint.name}'; the events are {names}")
        if breakpoint.kind == "line" and self.debugger:
            self._move_to_code(breakpoint)
        self.breakpoints.append(breakpoint)
        self.apply_breakpoints()
        return breakpoint

    def remove(self, number):
        for each in [*self.breakpoints, *self.watches]:
            if each.id == number:
                (self.watches if isinstance(each, Watch) else self.breakpoints).remove(each)
                if isinstance(each, Watch):
                    self.debugger.remove_watch(number)
                self.apply_breakpoints()
                return each
        raise Mistake(f"there is no breakpoint or watch {number}")

    def apply_breakpoints(self):
        if self.debugger is None:
            return
        buffers = {each["name"]: each["index"] for each in self.debugger.buffers(0, 0)}
        for each in self.breakpoints:
            each.buffer = buffers.get(each.buffer_name)
        # Before a launch starts it has no buffers to ask for; then resume() sets these again.
        self.debugger.set_breakpoints([each for each in self.breakpoints
                                       if each.buffer is not None or not each.buffer_name])

    def _move_to_code(self, breakpoint):
        """Moves a breakpoint to the first line with code that is not before it."""
        lines = sorted(line for file, line in self.debugger.lines() if is_path_end(file, breakpoint.file))
        if not lines:
            return
        after = [line for line in lines if line >= breakpoint.line]
        if not after:
            raise Mistake(f"the kernel has no code at or after line {breakpoint.line}; its last line "
                          f"with code is {lines[-1]}")
        breakpoint.line = after[0]

    def watch(self, text):
        """Watches `NAME` (a semaphore, a block or a buffer), `l1 X Y ADDRESS BYTES` or
        `tensor NAME PAGE`."""
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
            done = debugger.watch_page(watch.id, text, names.index(words[1]), page)
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
        raise Mistake(f"there is no buffer or semaphore '{name}'; expected one, l1 X Y ADDRESS BYTES, "
                      "or tensor NAME PAGE")

    # ===--- Running ---------------------------------------------------------===//

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
        agent = self.agent
        while debugger.resume(goal, agent, moment):
            stop = debugger.stop
            if self._holds(stop):
                self.agent = stop["agent"]
                return stop
        return None

    def _holds(self, stop):
        """Whether a stop is one for the user: the condition of its breakpoint holds."""
        if stop["reason"] != "breakpoint":
            return True
        found = next(each for each in self.breakpoints if each.id == stop["id"])
        if found.condition:
            before, self.agent = self.agent, stop["agent"]
            try:
                if not self.evaluate(found.condition):
                    return False
            except Mistake:
                pass  # the user sees the place at which the condition has no value
            finally:
                self.agent = before
        found.hits += 1
        return True

    def back(self, count):
        """Goes `count` statements and events back."""
        if self.debugger is None:
            raise Mistake("no kernel is running")
        return self.go_to(max(1, self.debugger.moment - count))

    def back_to_statement(self):
        """Goes back to the statement of this thread before this one."""
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
        self.agent = self.debugger.stop["agent"]
        return self.debugger.stop

    # ===--- Values ----------------------------------------------------------===//

    def node(self):
        for each in self.debugger.threads():
            if each["agent"] == self.agent:
                return each["x"], each["y"]
        return 0, 0

    def thread(self):
        return next((each for each in self.debugger.threads() if each["agent"] == self.agent), None)

    def names(self):
        """What expressions may use: the thread's variables and the buffers and semaphores of its node."""
        x, y = self.node()
        values = {"np": np, "node": (x, y)}
        values.update({each["name"]: each for each in self.debugger.buffers(x, y)})
        values.update({each["name"]: each["value"] for each in self.debugger.semaphores(x, y)})
        values["dst"] = {number: tile for number, _, tile in self.debugger.registers(self.agent)}
        values.update({name: value for name, (_, value) in self.debugger.variables(self.agent).items()})
        return values

    def evaluate(self, text):
        code = _compiled(text)
        self.launched()
        try:
            return eval(code, {"__builtins__": builtins}, self.names())
        except Exception as error:
            raise Mistake(f"{text}: {type(error).__name__}: {error}") from None

    def set(self, target, text):
        """Sets a scalar, `NAME`, or an element of a block, `NAME[ROW, COLUMN]`."""
        value = self.evaluate(text)
        if not isinstance(value, (int, float, np.integer, np.floating)):
            raise Mistake(f"expected a number, found {value!r}")
        name, bracket, index = target.partition("[")
        element = None
        if bracket:
            array = self.debugger.variables(self.agent).get(name.strip(), (None, None))[1]
            place = self.evaluate(f"({index.rstrip().removesuffix(']')})")
            if not isinstance(array, np.ndarray):
                raise Mistake(f"there is no block '{name.strip()}' here")
            try:
                element = int(np.ravel_multi_index(place if isinstance(place, tuple) else (place,), array.shape))
            except (TypeError, ValueError):
                raise Mistake(f"expected an element of an array of shape {array.shape}, found [{index}") from None
        mistake = self.debugger.set(self.agent, name.strip(), element, float(value))
        if mistake:
            raise Mistake(mistake)


def is_path_end(path, end):
    return not end or path == end or path.endswith("/" + end.lstrip("/")) or os.path.abspath(path) == os.path.abspath(end)


def _compiled(text):
    try:
        return compile(text.strip(), "<debugger>", "eval")
    except (SyntaxError, ValueError) as error:
        raise Mistake(f"{text}: {error.args[0]}") from None
