# ===- _location.py - positions in the program's files ------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import collections
import contextlib
import contextvars
import functools
import itertools
import linecache
import sys

import _ttjit


_written = {}  # `file` of a Location -> the real name of the file, if UTF-8 cannot express the name


class Location(collections.namedtuple("Location", "file line column end_line end_column")):
    """A range in a source file. Lines and columns count from 1; line 0 means unknown. `file` has escapes
    for characters that UTF-8 cannot express."""

    __slots__ = ()

    def __new__(cls, file, *fields):
        name = file if file.isascii() else _utf8(file)
        if name != file:
            _written[name] = file
        return super().__new__(cls, name, *fields)

    def __str__(self):
        return f"{self.file}:{self.line}:{self.column}"


UNKNOWN = Location("", 0, 0, 0, 0)


def start_of(code):
    """Returns the Location of a function's first line."""
    return Location(code.co_filename, code.co_firstlineno, 1, 0, 0)


def of_definition(file, node):
    """Returns the range of `def name` of a function in a _source.SourceFile."""
    end = node.col_offset + len(f"def {node.name}")
    return Location(file.name, node.lineno, node.col_offset + 1, node.lineno, end + 1)


def program_frame():
    """Returns the frame of the program that called this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_own(frame):
        frame = frame.f_back
    return frame


_position = contextvars.ContextVar("ttl_walked_position", default=None)


@contextlib.contextmanager
def at(location):
    """While this context is active, program_location() returns `location`. The compiler uses it
    when it evaluates a call of the program, for which Python has no frame."""
    token = _position.set(location)
    try:
        yield
    finally:
        _position.reset(token)


def run_at(position, function, *args):
    """Returns function(*args). `position` has the fields of the Location that the function's new
    objects get."""
    with at(Location(*position)):
        return function(*args)


def program_location():
    """Returns the position in the program from which it called this package."""
    if _position.get() is not None:
        return _position.get()
    frame = program_frame()
    return _location_in(frame.f_code, frame.f_lasti)


def _is_own(frame):
    return frame.f_globals.get("__name__", "").partition(".")[0] in ("ttl", "ttnn")


@functools.lru_cache(maxsize=4096)
def _location_in(code, instruction):
    positions = next(itertools.islice(code.co_positions(), instruction // 2, None))
    line, end_line, column, end_column = (value or 0 for value in positions)
    return Location(code.co_filename, line, column + 1, end_line, end_column + 1)


def render(severity, message, location, notes=(), thread=None, node=None, device=None):
    """Returns a diagnostic as text: `severity: message`, the position with its source line and a
    caret, and the notes."""
    file = _written.get(location.file, location.file)
    line = linecache.getline(file, location.line) if location.line else None
    records = [(_utf8(note), tuple(note.location)) for note in notes]
    place = (*(node or (0, 0)), -1 if device is None else device)
    where = (tuple(location), records, thread or "", place, line or None)
    return _ttjit.render(severity or "", _utf8(message), *where).rstrip("\n")


def _utf8(text):
    """Returns the text with escapes for characters that UTF-8 cannot express."""
    return str(text).encode("utf-8", "backslashreplace").decode()
