# ===- _terminal.py - the debugger's prompt ------------------------------------------===
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

import sys

from ttl_jit.debugger._commands import Commands
from ttl_jit.debugger._session import Mistake, Session

PROMPT = "(ttl) "


def _write(text):
    print(text, flush=True)


class Terminal:
    """Reads commands while a launch is stopped."""

    def __init__(self, lines=None):
        self.session = Session()
        self.commands = Commands(self.session, _write)
        self.lines = lines  # the commands of tests; None: standard input
        self.last = ""  # an empty line repeats it

    def start(self):
        self.session.start(self.drive)

    def drive(self, session):
        """Runs one launch."""
        if session.stops_at_start:
            self.commands.show_stop(session.resume("any"))
        else:
            self.commands.show_stop(session.resume("continue"))
        while not session.wants_quit and not session.debugger.ended:
            self._command()
        while self.lines is None and session.debugger.ended and not session.wants_quit and sys.stdin.isatty():
            # The user may go back from the end; `continue` goes on with the program.
            text = self._read()
            if text in (None, "c", "continue"):
                break
            self._run(text)
            while not session.wants_quit and not session.debugger.ended:
                self._command()

    def _command(self):
        text = self._read()
        if text is None:
            self.session.wants_quit = True
            return
        self._run(text or self.last)

    def _read(self):
        try:
            if sys.stdin.isatty():
                return input(PROMPT)
        except EOFError:
            return None
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _run(self, text):
        if not text:
            return
        self.last = text
        try:
            self.commands.run(text)
        except Mistake as mistake:
            _write(f"error: {mistake}")
