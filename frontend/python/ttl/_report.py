# ===- _report.py - diagnostics as text ----------------------------------------===//
# SPDX-License-Identifier: Apache-2.0
#
# The one place that prints what compiler and device have to say. The libraries
# below return diagnostics as data; how they look as text stands in _ttjit.
# ===----------------------------------------------------------------------------===//

import functools
import itertools
import linecache
import sys
from typing import NamedTuple

import _ttjit


class Location(NamedTuple):
    """A range in a source file; lines and columns from 1, line 0 is unknown."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self):
        return f"{self.file}:{self.line}:{self.column}"


UNKNOWN = Location("", 0, 0, 0, 0)


def caller_location(depth):
    """The call that is running `depth` frames above the caller of this function."""
    frame = sys._getframe(depth + 1)
    return _location_in(frame.f_code, frame.f_lasti)


@functools.lru_cache(maxsize=4096)
def _location_in(code, instruction):
    positions = next(itertools.islice(code.co_positions(), instruction // 2, None))
    line, end_line, column, end_column = (value or 0 for value in positions)
    return Location(code.co_filename, line, column + 1, end_line, end_column + 1)


def render(severity, message, location, notes=(), thread=None, node=None):
    """`severity: message`, the place with its source line and a caret, the notes."""
    line = linecache.getline(location.file, location.line) if location.line else None
    records = [(str(note), tuple(note.location)) for note in notes]
    return _ttjit.render(
        severity or "", message, tuple(location), records, thread or "", node or (0, 0), line or None
    ).rstrip("\n")


def warn(message, location, notes=()):
    """Prints a warning to standard error."""
    print(render("warning", message, location, notes), file=sys.stderr)


def settle(diagnostics):
    """Prints warnings and raises the errors as one.

    A diagnostic is (severity, message, location, [(message, location)])."""
    from ttl import _errors

    failures = []
    for severity, message, location, raw_notes in diagnostics:
        notes = [_errors.Note(text, Location(*place)) for text, place in raw_notes]
        if severity == "error":
            failures.append((message, Location(*location), notes))
        else:
            print(render(severity, message, Location(*location), notes), file=sys.stderr)
    if failures:
        first, *others = (_errors.CompileError(*failure) for failure in failures)
        first.others = others
        raise first


def explain(interrupt):
    """Adds to a KeyboardInterrupt what was running, as a note."""
    record = getattr(interrupt, "fault", None)
    if record is not None:
        interrupt.add_note(fault(record).render())


def fault(record):
    """The exception for a fault (kind, message, location, node, thread, notes)."""
    from ttl import _errors

    kind, message, location, node, thread, raw_notes = record
    notes = [_errors.Note(text, Location(*place)) for text, place in raw_notes]
    return _errors.FAULTS[kind](message, Location(*location), notes, node, thread)
