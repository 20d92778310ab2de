# ===- _errors.py - what a program can catch -----------------------------------===//
# SPDX-License-Identifier: Apache-2.0
#
# Every error knows its place in the user's file: `file`, `line`, `column` (from
# 1; line 0 is unknown), and for run-time faults the `node` and `thread`.
# ===----------------------------------------------------------------------------===//

from ttl import _location

MAX_SHOWN = 20  # of the errors of one compile


class Note(str):
    """One note of an error: a text and its place in a file."""

    def __new__(cls, text, location=None):
        note = super().__new__(cls, text)
        note.location = location or _location.UNKNOWN
        return note

    file = property(lambda self: self.location.file)
    line = property(lambda self: self.location.line)
    column = property(lambda self: self.location.column)


class _Located:
    """What compile-time errors and run-time faults have in common."""

    def __init__(self, message, location=None, notes=(), node=None, thread=None):
        super().__init__(message)
        self.message = message
        self.location = location or _location.UNKNOWN
        self.notes = list(notes)
        self.node = node
        self.thread = thread

    file = property(lambda self: self.location.file)
    line = property(lambda self: self.location.line)
    column = property(lambda self: self.location.column)

    def render(self):
        """The message as the tools print it: place, source line, caret, notes."""
        return self._render("error")

    def __str__(self):
        return self._render(None)

    def _render(self, severity):
        return _location.render(
            severity, self.message, self.location, self.notes, self.thread, self.node
        )


class CompileError(_Located, ValueError):
    """The program is wrong, and that was certain before it ran.

    `others` are further errors of the same compile, in the order of the source."""

    others = ()

    def _render(self, severity):
        shown = self.others[: MAX_SHOWN - 1]
        texts = [super()._render(severity), *(other.render() for other in shown)]
        left = len(self.others) - len(shown)
        if left:
            texts.append(f"and {left} more {'errors' if left > 1 else 'error'}")
        return "\n".join(texts)


class RuntimeFault(_Located, RuntimeError):
    """A kernel did something wrong while it ran. The process stays usable."""


class DeadlockError(RuntimeFault):
    """No thread can run, nothing is in flight, and there is work left."""


class OutOfBoundsError(RuntimeFault, IndexError):
    """An address, its alignment or an index is outside of what exists."""


class DataRaceError(RuntimeFault):
    """Two accesses that nothing orders. No check raises it yet."""


class ProtocolError(RuntimeFault):
    """A kernel breaks the rules of buffers, transfers or register sections."""


class UninitializedReadError(RuntimeFault):
    """A kernel reads a page that nothing wrote."""


class ResourceError(RuntimeFault):
    """A kernel needs more semaphores, transfer ids or memory than there are."""


# By the name of hw's fault kind.
FAULTS = {
    "Runtime": RuntimeFault,
    "Deadlock": DeadlockError,
    "OutOfBounds": OutOfBoundsError,
    "DataRace": DataRaceError,
    "Protocol": ProtocolError,
    "UninitializedRead": UninitializedReadError,
    "Resource": ResourceError,
}

for _class in (CompileError, *FAULTS.values()):
    _class.__module__ = "ttl"
