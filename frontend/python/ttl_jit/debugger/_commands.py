# ===- _commands.py - the commands of the debugger ----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Each command is a method named do_NAME of Commands. The first line of its docstring is the usage, the
# second one says what the command does. In the interactive session (repl), a colon comes before the
# command's name.
# ===--------------------------------------------------------------------------=== #

import linecache
import os
import re

import numpy as np
from _ttjit import plural
from ttl_jit.debugger import _scope
from ttl_jit.debugger._places import Breakpoint, Mistake, hint, is_path_end

_SHORT = {"b": "break", "c": "continue", "s": "step", "n": "next", "p": "print", "q": "quit",
          "w": "where", "bt": "where", "h": "help", "l": "list"}


class Commands:
    """Runs the user's commands on a session; write(text) is called for each line of their output."""

    def __init__(self, session, write):
        self.session, self.write = session, write
        self._listed = None  # (file, line) at which the next `list` begins
        session.on_log = write

    @classmethod
    def names(cls):
        return [name.removeprefix("do_") for name in vars(cls) if name.startswith("do_")]

    def run(self, text):
        """Runs the command in one line of text. Raises a Mistake if the command cannot be run."""
        name, _, rest = text.strip().removeprefix(":").partition(" ")
        name = _SHORT.get(name, name)
        command = getattr(self, f"do_{name}", None)
        if command is None:
            raise Mistake(f"there is no command {name}" + (hint(name, self.names()) or "; help lists the commands"))
        command(rest.strip())

    def do_help(self, name):
        """help
        Lists the commands."""
        for each in self.names():
            usage, text = (line.strip() for line in getattr(self, f"do_{each}").__doc__.splitlines()[:2])
            if not name or each == name:
                self.write(f"{usage:<34} {text}")

    # ===--- Where to stop ----------------------------------------------------=== #

    def do_break(self, text):
        """break [PLACE] [[device D] node X Y] [thread NAME] [hits N] [if CONDITION]
        Stops at LINE, FILE:LINE, FUNCTION, op NAME or event NAME [BUFFER]; without a place lists the breakpoints."""
        if not text:
            for each in [*self.session.breakpoints]:
                self.write(f"{each.id}: {each.text()}, {plural(each.hits, 'stop')}")
            for each in self.session.watches:
                self.write(f"{each.id}: watch {each.text}")
            return
        self._add(self._parse(text))

    def _add(self, breakpoint):
        added = self.session.add(breakpoint)
        waits = "" if self.session.debugger is None or added.lines or added.kind not in ("line", "function") else (
            ", for a later kernel: this one has no code there")
        self.write(f"breakpoint {added.id}: {added.text()}{waits}")

    def do_log(self, text):
        """log PLACE: TEXT
        Shows a text instead of a stop; {EXPRESSION} in it has a value: log 42: row is {row}."""
        match = re.fullmatch(r"(.*?):\s+(.*)", text)
        if not match:
            raise Mistake(f"expected PLACE: TEXT, found '{text}'")
        found = self._parse(match[1])
        found.log = match[2]
        self._add(found)

    def do_ignore(self, text):
        """ignore NUMBER COUNT
        Passes a breakpoint COUNT times before it stops."""
        words = text.split()
        if len(words) != 2 or not all(each.isdigit() for each in words):
            raise Mistake(f"expected the number of a breakpoint and a count, found '{text}'")
        found = self.session.find(int(words[0]))
        found.hit_condition = f"> {found.reached + int(words[1])}"
        self.write(f"breakpoint {found.id}: {found.text()}")

    def _parse(self, text):
        match = re.fullmatch(r"(.*?)(?:\s+if\s+(.*))?", text)
        place, condition = match[1], match[2] or ""
        found = Breakpoint(self.session.new_id(), "line", condition=condition)
        if node := re.search(r"(?:\s+device\s+(\d+))?\s+node\s+(\d+)[ ,]+(\d+)", place):
            found.node, place = (int(node[2]), int(node[3])), place.replace(node[0], "")
            found.device = int(node[1]) if node[1] else None
        if thread := re.search(r"\s+thread\s+(\w+)", place):
            found.thread, place = thread[1], place.replace(thread[0], "")
        if hits := re.search(r"\s+hits\s+((?:[<>=]=?|%)?\s*\d+)", place):
            found.hit_condition, place = hits[1], place.replace(hits[0], "")
        words = place.split()
        if words[:1] == ["op"] and len(words) == 2:
            found.kind, found.name = "op", words[1]
        elif words[:1] == ["event"] and len(words) in (2, 3):
            found.kind, found.name, found.buffer_name = "event", words[1], (words + [""])[2]
        elif line := re.fullmatch(r"(?:(.+):)?(\d+)", place.strip()):
            found.file, found.line = line[1] or self._file(), int(line[2])
        elif place.strip().isidentifier():
            found.kind, found.name = "function", place.strip()
        else:
            raise Mistake(f"expected LINE, FILE:LINE, FUNCTION, op NAME or event NAME [BUFFER], found '{place}'")
        return found

    def _file(self):
        debugger = self.session.debugger
        if debugger is None:
            return ""  # any file
        frames = debugger.frames(self.session.agent)
        return frames[self.session.depth][0] if frames else min(debugger.lines())[0]

    def do_delete(self, text):
        """delete NUMBER
        Removes a breakpoint or watch."""
        if not text.isdigit():
            raise Mistake(f"expected the number of a breakpoint or watch, found '{text}'")
        self.session.remove(int(text))

    def do_watch(self, text):
        """watch NAME | EXPRESSION | l1 X Y ADDRESS BYTES | tensor NAME PAGE
        Stops when a buffer or semaphore of this node, a variable of this thread, a range of L1 or a page changes."""
        try:
            added = self.session.watch(text)
        except ValueError:
            raise Mistake(f"expected numbers, found '{text}'") from None
        self.write(f"watch {added.id}: {added.text}")

    # ===--- Going on and back ------------------------------------------------=== #

    def do_step(self, text):
        """step [any]
        Runs to the next statement of this thread, or of any thread."""
        self._go("any" if text == "any" else "step")

    def do_next(self, _):
        """next
        Runs to the next statement of this thread that is not in a function it calls."""
        self._go("next")

    def do_finish(self, _):
        """finish
        Runs until the function returns to its caller, or the thread ends."""
        self._go("finish")

    def do_continue(self, _):
        """continue
        Runs to the next breakpoint, watch or fault."""
        self._go("continue")

    def do_until(self, text):
        """until PLACE
        Runs to a place, as break does, and stops there once."""
        added = self.session.add(self._parse(text))
        try:
            self._go("continue")
        finally:
            self.session.remove(added.id)

    def do_trace(self, text):
        """trace [N]
        Runs N (10) statements of this thread, and shows each and the numbers that changed."""
        if text and not text.isdigit():
            raise Mistake(f"expected a number of statements, found '{text}'")
        before = self._numbers()
        for _ in range(int(text or 10)):
            stop = self.session.resume("step")
            self.show_stop(stop)
            if stop is None or stop["reason"] != "step":
                break
            now = self._numbers()
            changed = [f"{name} = {value}" for name, value in now.items() if before.get(name) != value]
            if changed:
                self.write("    " + ", ".join(changed))
            before = now

    def _numbers(self):
        self.session.launched()
        values = self.session.debugger.variables(self.session.agent)
        return {name: value for name, (kind, value) in values.items() if kind == "scalar"}

    def do_back(self, text):
        """back [N]
        Goes N (1) statements and events back, or one by one with `back`."""
        if text and not text.isdigit():
            raise Mistake(f"expected a number of statements and events, found '{text}'")
        self.show_stop(self.session.back(int(text or 1)))

    def _go(self, goal):
        self.show_stop(self.session.resume(goal))

    def show_stop(self, stop):
        if stop is None:
            fault = self.session.debugger.fault
            self.write(f"{self.session.debugger.name} has ended"
                       + (f" with a fault: {fault[0]}" if fault else ""))
            return
        reason = {"breakpoint": f"breakpoint {stop['id']}", "watch": f"watch {stop['id']}"}.get(
            stop["reason"], stop["reason"])
        what = "" if stop["reason"] == "step" else f"  {reason} {stop['text']}".rstrip()
        thread = self.session.thread()
        self.write(f"[{stop['moment']}] {thread_name(thread)}{what}")
        self._listed = None
        self._show_line()
        for number in self.session.displays:
            self._show_display(number)

    def _show_line(self):
        frames = self.session.frames()
        file, line = frames[min(self.session.depth, len(frames) - 1)]
        if line:
            self.write(f"{os.path.basename(file)}:{line}: {linecache.getline(file, line).rstrip()}")

    def _show_display(self, number):
        text = self.session.displays[number]
        try:
            value = self._shown(self.session.evaluate(text))
        except Mistake as mistake:
            value = f"<{str(mistake).removeprefix(text + ': ')}>"
        self.write(f"{number}: {text} = {value}")

    # ===--- Looking ----------------------------------------------------------=== #

    def do_where(self, _):
        """where
        Shows the statement of this thread and the calls around it."""
        self.session.launched()
        thread = self.session.thread()
        self.write(f"[{self.session.debugger.moment}] {thread_name(thread)}, {state_of(thread)}")
        for depth, (file, line) in enumerate(self.session.frames()):
            mark = "> " if depth == self.session.depth and depth else "  "
            self.write(f"{mark}{os.path.basename(file)}:{line}: {linecache.getline(file, line).strip()}")

    def do_up(self, text):
        """up [N]
        Looks at the call around this statement; its variables can be printed."""
        self._look(_count(text))

    def do_down(self, text):
        """down [N]
        Looks at the statement inside of this call again."""
        self._look(-_count(text))

    def _look(self, steps):
        self.session.launched()
        depth, most = self.session.depth + steps, len(self.session.frames()) - 1
        if not 0 <= depth <= most:
            raise Mistake("this is the kernel function itself" if steps > 0 else "this is the statement itself")
        self.session.depth, self._listed = depth, None
        self._show_line()

    def do_list(self, text):
        """list [LINE | FILE:LINE]
        Shows the source around the statement or a line; again: the lines that follow."""
        self.session.launched()
        frames = self.session.frames()
        here = frames[min(self.session.depth, len(frames) - 1)]
        match = re.fullmatch(r"(?:(.+):)?(\d+)", text)
        if text and not match:
            raise Mistake(f"expected LINE or FILE:LINE, found '{text}'")
        if match:
            file = self._whole_path(match[1]) if match[1] else here[0]
            first = max(1, int(match[2]) - 5)
        else:
            file, first = self._listed or (here[0], max(1, here[1] - 5))
        lines = linecache.getlines(file)
        if first > len(lines):
            raise Mistake(f"{os.path.basename(file)} has {plural(len(lines), 'line')}")
        stops = {line for each in self.session.breakpoints for path, line in each.lines if path == file}
        for number in range(first, min(first + 10, len(lines) + 1)):
            mark = ">" if (file, number) == tuple(here) else "*" if number in stops else " "
            self.write(f"{mark}{number:5} {lines[number - 1].rstrip()}".rstrip())
        self._listed = file, first + 10

    def _whole_path(self, end):
        for path in sorted({path for path, _ in self.session.code()}):
            if is_path_end(path, end):
                return path
        raise Mistake(f"the kernel has no code in a file {end}")

    def do_display(self, text):
        """display [EXPRESSION]
        Shows an expression now and at each stop; without one shows all of these."""
        if text:
            number = self.session.new_id()
            self.session.evaluate(text)  # raises a Mistake if the expression has no value
            self.session.displays[number] = text
            self._show_display(number)
            return
        self.session.launched()
        for number in self.session.displays:
            self._show_display(number)

    def do_undisplay(self, text):
        """undisplay NUMBER
        No longer shows an expression at each stop."""
        if not text.isdigit() or int(text) not in self.session.displays:
            raise Mistake(f"there is no display '{text}'")
        del self.session.displays[int(text)]

    def do_threads(self, _):
        """threads
        Lists the threads, where they are and what they wait for."""
        for each in self.session.launched().threads():
            mark = "*" if each["agent"] == self.session.agent else " "
            line = (each["frames"] or [each["location"]])[0][1]
            self.write(f"{mark} {thread_name(each):<20} line {line:<5} {state_of(each)}")

    def do_node(self, text):
        """node [device D] X Y [THREAD]
        Looks at a thread of another node, or at another thread of this node: node THREAD."""
        given, text = text, text.strip()
        device = re.match(r"device\s+(\d+)\s+", text)
        text = text[device.end():] if device else text
        *numbers, name = [*text.split(), ""] if re.fullmatch(r"\d+[ ,]+\d+", text) else text.split() or [""]
        if numbers and not all(each.isdigit() for each in numbers) or len(numbers) not in (0, 2):
            raise Mistake(f"expected [device D] X Y [THREAD] or THREAD, found '{given}'")
        threads = self.session.launched().threads()
        place = tuple(int(each) for each in numbers)
        x, y = self.session.in_grid(place, int(device[1]) if device else None) if numbers else self.session.node()
        here = self.session.thread()
        name = name or here["name"]
        for each in threads:
            if (each["x"], each["y"], each["name"]) == (x, y, name):
                self.session.agent, self.session.depth = each["agent"], 0
                return self.do_where("")
        raise Mistake(f"there is no thread '{name}' on node {','.join(numbers) or f'{x},{y}'}")

    def do_print(self, text):
        """print [EXPRESSION]
        Shows a Python expression of variables, blocks, tensors and buffers; without one all variables."""
        if text:
            self.write(self._shown(self.session.evaluate(text)))
            return
        self.session.launched()
        for name, (kind, value) in self.session.variables().items():
            is_array = isinstance(value, np.ndarray)
            shown = f"{kind} of shape {value.shape}" if is_array else value if kind == "scalar" else _scope.shown(value)
            self.write(f"{name} = {shown}")

    def _shown(self, value):
        is_buffer = isinstance(value, dict) and "page_bytes" in value
        return buffer_text(value) if is_buffer else str(value)

    def do_buffers(self, _):
        """buffers
        Shows the buffers of this node: pages, pointers and what they hold."""
        self.session.launched()
        for each in self.session.debugger.buffers(*self.session.node()):
            self.write(buffer_text(each))

    def do_semaphores(self, _):
        """semaphores
        Shows the semaphores of this node."""
        self.session.launched()
        for each in self.session.debugger.semaphores(*self.session.node()):
            self.write(f"{each['name']} = {each['value']}")

    def do_dst(self, _):
        """dst
        Shows the DST registers that this thread has written."""
        self.session.launched()
        for number, is_packing, tile in self.session.debugger.registers(self.session.agent):
            self.write(f"DST[{number}]{' (packing)' if is_packing else ''}\n{tile}")

    def do_time(self, _):
        """time
        Shows how far the threads of this node are on a card, in cycles: run with --time --stage=ttkernel."""
        session, node = self.session, self.session.node()
        session.launched()
        times = session.times()
        if times is None:
            raise Mistake("times need the time model: start with --time --stage=ttkernel")
        for each in session.debugger.threads():
            if (each["x"], each["y"]) == node:
                self.write(f"{each['name']}: {time_text(times[each['agent']])}")

    def do_set(self, text):
        """set NAME = VALUE
        Changes a number, or an element of a block: set a_blk[0, 1] = 2.5."""
        target, equals, value = text.partition("=")
        if not equals:
            raise Mistake(f"expected NAME = VALUE, found '{text}'")
        self.session.set(target.strip(), value.strip())

    def do_quit(self, _):
        """quit
        Ends the kernel and the debugger."""
        self.session.wants_quit = True


def _count(text):
    if text and not text.isdigit():
        raise Mistake(f"expected a number of calls, found '{text}'")
    return int(text or 1)


def thread_name(thread):
    return f"{thread['where']} {thread['name']}"


def state_of(thread):
    return f"waits for {thread['wait']}" if thread["wait"] else thread["state"]


UNITS = ("unpacker", "math", "packer")


def time_text(times):
    units = ", ".join(f"{name} {cycle}" for name, cycle in zip(UNITS, times["units"]))
    return f"cycle {times['cycle']}, waited {times['waited']}" + (f"; {units}" if units else "")


def buffer_text(buffer):
    return (f"{buffer['name']}: {plural(buffer['pages'], 'page')} of {buffer['page_bytes']} bytes at "
            f"{buffer['address']:#x}; {buffer['filled']} filled, {buffer['reserved']} reserved, "
            f"{buffer['waited']} waited for; write page {buffer['write_page']}, read page "
            f"{buffer['read_page']}; {buffer['pushed']} pushed, {buffer['popped']} popped")
