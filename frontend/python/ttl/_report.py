# ===- _report.py - reports diagnostics of the compiler and the device -------------===
# SPDX-License-Identifier: Apache-2.0
#
# The C++ libraries return diagnostics as data. This file prints the warnings and raises the errors
# as exceptions.
# ===----------------------------------------------------------------------------===//

import sys

from ttl import _errors
from ttl._location import Location, render


def warn(message, location, notes=()):
    """Prints a warning to standard error."""
    print(render("warning", message, location, notes), file=sys.stderr)


def has_errors(diagnostics):
    return any(severity == "error" for severity, *_ in diagnostics)


def settle(diagnostics):
    """Prints warnings, and raises all errors as one exception. A diagnostic is (severity, message,
    location, [(message, location)])."""
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
    """Adds a note to a KeyboardInterrupt that says what was running."""
    record = getattr(interrupt, "fault", None)
    if record is not None:
        interrupt.add_note(fault(record).render())


def fault(record):
    """Returns the exception for a fault (kind, message, location, node, thread, notes)."""
    kind, message, location, node, thread, raw_notes = record
    notes = [_errors.Note(text, Location(*place)) for text, place in raw_notes]
    return _errors.FAULTS[kind](message, Location(*location), notes, node, thread)
