# ===- _errors.py - the exceptions that a program can catch -------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Every error has its position in the user's file: `file`, `line` and `column` (from 1; line 0
# means unknown). A run-time fault also has its `node` and `thread`.
# ===--------------------------------------------------------------------------=== #

from ttl import _location
from ttl._ttnn import words

MAX_SHOWN = 20  # the most errors of one compilation that are shown


class Note(str):
    """One note of an error: a text and its position in a file."""

    def __new__(cls, text, location=None):
        note = super().__new__(cls, text)
        note.location = location or _location.UNKNOWN
        return note

    file = property(lambda self: self.location.file)
    line = property(lambda self: self.location.line)
    column = property(lambda self: self.location.column)


class Located:
    """The base class of compile-time errors, run-time faults and warnings."""

    severity = "error"

    def __init__(self, message, location=None, notes=(), node=None, thread=None, device=None):
        super().__init__(message)
        self.message = message
        self.location = location or _location.UNKNOWN
        self.notes = list(notes)
        self.node = node
        self.thread = thread
        self.device = device

    file = property(lambda self: self.location.file)
    line = property(lambda self: self.location.line)
    column = property(lambda self: self.location.column)

    def render(self, severity=None):
        """Returns the message as the tools print it: position, source line, caret and notes."""
        return self._render(severity or self.severity)

    def __str__(self):
        return self._render(None)

    def _render(self, severity):
        return _location.render(
            severity, self.message, self.location, self.notes, self.thread, self.node, self.device
        )


class TTLangCompileError(Exception):
    """A compile-time error. Programs that know tt-lang's own compiler catch it by this name.

    It has the fields `message`, `source_file`, `line` and `col` (from 1).

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.TTLangCompileError as error:
            print(error)
    """

    def __init__(self, message, source_file=None, line=None, col=None, source_lines=None):
        super().__init__(message)
        self._position = (source_file, line, col)
        self._lines = source_lines

    source_file = property(lambda self: self._position[0])
    line = property(lambda self: self._position[1])
    col = property(lambda self: self._position[2])
    source_lines = property(lambda self: self._lines)

    def format(self):
        """Returns the message with its position and the line of the source."""
        file, line, column = self._position
        if file is None or line is None:
            return str(self)
        column = column or 1
        place = _location.Location(file, line, column, line, column + 1)
        if self._lines is None:
            return _location.render("error", str(self), place, [], None, None)
        text = self._lines[line - 1].rstrip() if 0 < line <= len(self._lines) else ""
        return f"{file}:{line}:{column}: error: {self}\n  {text}\n  {' ' * (column - 1)}^"


class CompileError(Located, TTLangCompileError, ValueError):
    """The compiler found an error in the program before it ran: also a ValueError.

    `others` are further errors of the same compilation, in the order of the source. It has the
    fields `message`, `file`, `line`, `column` (from 1) and `notes`.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.CompileError as error:
            print(error.message, error.file, error.line)
    """

    others = ()

    source_file = property(lambda self: self.location.file)
    col = property(lambda self: self.location.column)
    source_lines = None

    def format(self):
        """Returns the message as the tools print it."""
        return self.render()

    def _render(self, severity):
        shown = self.others[: MAX_SHOWN - 1]
        texts = [super()._render(severity), *(other.render() for other in shown)]
        left = len(self.others) - len(shown)
        if left:
            texts.append(f"and {words.plural(left, 'more error')}")
        return "\n".join(texts)


class CompileTypeError(CompileError, TypeError):
    """A compile-time error about an argument of a wrong type."""


class RuntimeFault(Located, RuntimeError):
    """A kernel did something wrong while it ran: a failed assert, an integer overflow, a division
    by zero, or one of the classes derived from this one. Also a RuntimeError.

    The process can go on; tensors hold what the kernel had written by then. It has the fields
    `message`, `file`, `line`, `column` (from 1) and `notes`, and `node` and `thread` that failed.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.RuntimeFault as error:
            print(error.message, error.file, error.line, error.node, error.thread)
    """


class DeadlockError(RuntimeFault):
    """No thread can continue and no transfer is in flight, but threads have not finished.

    The notes say which thread waits for what, and which one would have ended the wait. It has the
    fields `message`, `file`, `line`, `column` (from 1) and `notes`, and `node` and `thread` that
    failed.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.DeadlockError as error:
            print(error.message, error.file, error.line, error.node, error.thread)
    """


class OutOfBoundsError(RuntimeFault, IndexError):
    """An access used an address or index out of bounds, or a misaligned address: also an
    IndexError.

    It has the fields `message`, `file`, `line`, `column` (from 1) and `notes`, and `node` and
    `thread` that failed.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.OutOfBoundsError as error:
            print(error.message, error.file, error.line, error.node, error.thread)
    """


class DataRaceError(RuntimeFault):
    """Two accesses to the same bytes are not ordered, and one of them writes. check="race" looks
    for them.

    It has the fields `message`, `file`, `line`, `column` (from 1) and `notes`, and `node` and
    `thread` that failed.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.DataRaceError as error:
            print(error.message, error.file, error.line, error.node, error.thread)
    """


class ProtocolError(RuntimeFault):
    """A kernel breaks the rules of buffers, transfers or register sections: a push without a
    reserve, a block that is used while a transfer of it is in flight.

    It has the fields `message`, `file`, `line`, `column` (from 1) and `notes`, and `node` and
    `thread` that failed.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.ProtocolError as error:
            print(error.message, error.file, error.line, error.node, error.thread)
    """


class UninitializedReadError(RuntimeFault):
    """A kernel reads a page that nothing wrote; with check="init" also a byte or a tensor.

    It has the fields `message`, `file`, `line`, `column` (from 1) and `notes`, and `node` and
    `thread` that failed.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.UninitializedReadError as error:
            print(error.message, error.file, error.line, error.node, error.thread)
    """


class ResourceError(RuntimeFault):
    """A kernel needs more semaphores, transfer ids or memory than the device, or the host, has.

    It has the fields `message`, `file`, `line`, `column` (from 1) and `notes`, and `node` and
    `thread` that failed.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.ResourceError as error:
            print(error.message, error.file, error.line, error.node, error.thread)
    """


class MeshAccessError(RuntimeFault):
    """A kernel with a mesh grid copies elements of a tensor that another device of the mesh holds, or
    such a tensor does not fit the mesh axes of the grid.

    It has the fields `message`, `file`, `line`, `column` (from 1) and `notes`, and `node` and
    `thread` that failed.

    Example:

        try:
            scale(x, y, 2.0)
        except ttl.MeshAccessError as error:
            print(error.message, error.file, error.line, error.node, error.thread)
    """


# The exception class for each kind of fault that the C++ code in hw/ reports.
FAULTS = {
    "Runtime": RuntimeFault,
    "Deadlock": DeadlockError,
    "OutOfBounds": OutOfBoundsError,
    "DataRace": DataRaceError,
    "Protocol": ProtocolError,
    "UninitializedRead": UninitializedReadError,
    "Resource": ResourceError,
    "MeshAccess": MeshAccessError,
}

for _class in (TTLangCompileError, CompileError, CompileTypeError, *FAULTS.values()):
    _class.__module__ = "ttl"
