# ===- _report.py - reports diagnostics of the compiler and the device -------------===
# SPDX-License-Identifier: Apache-2.0
#
# The C++ libraries return diagnostics as data. This file prints the warnings and raises the errors
# as exceptions.
# ===----------------------------------------------------------------------------===//

import collections
import sys

from ttl import _errors
from ttl._location import Location, render


def warn(message, location, notes=()):
    """Prints a warning to standard error."""
    print(render("warning", message, location, notes), file=sys.stderr)


def has_errors(records):
    return any(severity == "error" for severity, *_ in records)


def settle(records):
    """Prints warnings, and raises all errors as one exception. A record is (severity, message,
    location, [(message, location)])."""
    failures = []
    for each in diagnostics(records):
        if each.severity == "error":
            failures.append(each[1:])
        else:
            print(render(*each), file=sys.stderr)
    if failures:
        first, *others = (_errors.CompileError(*failure) for failure in failures)
        first.others = others
        raise first


Diagnostic = collections.namedtuple("Diagnostic", "severity message location notes")


def diagnostics(records):
    """Returns the diagnostics of a compilation as objects."""
    found = []
    for severity, message, location, raw_notes in records:
        notes = [_errors.Note(text, Location(*place)) for text, place in raw_notes]
        found.append(Diagnostic(severity, message, Location(*location), notes))
    return found


def explain(interrupt):
    """Adds a note to a KeyboardInterrupt that says what was running."""
    record = getattr(interrupt, "fault", None)
    if record is not None:
        interrupt.add_note(fault(record).render())


def fault(record):
    """Returns the exception for a fault (kind, message, location, node, thread, notes)."""
    kind, message, location, node, thread, raw_notes = record
    notes = [_errors.Note(text, Location(*place)) for text, place in raw_notes]
    return _errors.FAULTS[kind](message, Location(*location), notes, node, thread)
