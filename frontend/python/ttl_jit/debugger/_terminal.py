# ===- _terminal.py - the debugger's prompt -----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import sys

from ttl_jit.debugger._commands import Commands
from ttl_jit.debugger._session import Mistake, Session

PROMPT = "(ttl) "


def _write(text):
    print(text, flush=True)


def read_line():
    """Returns a line of standard input; None at its end."""
    try:
        if sys.stdin.isatty():
            return input(PROMPT)
    except EOFError:
        return None
    return sys.stdin.readline() or None


class Terminal:
    """Reads and runs commands while a launch is stopped. read() returns a line, or None at the end of the
    input."""

    def __init__(self, read=read_line):
        self.session = Session()
        self.commands = Commands(self.session, _write)
        self.last = ""  # the last command: an empty line repeats it
        self._read = read

    def start(self):
        self.session.start(self.drive)

    def drive(self, session):
        """Runs one launch: runs commands at each stop until the launch ends or the user quits."""
        first = session.resume("any" if session.stops_at_start else "continue")
        if first is None and not session.stops_at_start:
            return
        self.commands.show_stop(first)
        # In a terminal the user may go back from the end; `continue` goes on with the program.
        while not session.wants_quit and (not session.debugger.ended or sys.stdin.isatty()):
            line = self._read()
            if line is None:
                session.wants_quit = True
            elif session.debugger.ended and line.strip().removeprefix(":") in ("c", "continue"):
                break
            else:
                self._run(line.strip() or self.last)

    def _run(self, text):
        if not text:
            return
        self.last = text
        try:
            self.commands.run(text)
        except Mistake as mistake:
            _write(f"error: {mistake}")
