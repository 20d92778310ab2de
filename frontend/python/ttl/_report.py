# ===- _report.py - reports diagnostics of the compiler and the device --------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The C++ libraries return diagnostics as data. This file gives warnings to Python's `warnings` and
# raises errors as exceptions.
# ===--------------------------------------------------------------------------=== #

import collections
import sys

from ttl import _errors, _warnings
from ttl._location import Location, render


def has_errors(records):
    return any(severity == "error" for severity, *_ in records)


def settle(records):
    """Warns, prints remarks, and raises all errors as one exception. A record is (severity, message,
    location, [(message, location)], name of the class of a warning)."""
    found = diagnostics(records)
    errors = [_errors.CompileError(*each[1:4]) for each in found if each.severity == "error"]
    for each in found:
        if each.severity == "warning":
            _warn(each, errors)
        elif each.severity == "remark":
            print(render(*each[:4]), file=sys.stderr)
    if errors:
        first, *first.others = errors
        raise first


def _warn(diagnostic, errors):
    try:
        _warnings.warn(_warnings.KINDS[diagnostic.kind](*diagnostic[1:4]))
    except _warnings.KernelWarning:
        # A filter of Python's warnings made it an exception. Errors of the compiler are raised instead.
        if not errors:
            raise


# `kind` is the name of the class of a warning.
Diagnostic = collections.namedtuple("Diagnostic", "severity message location notes kind")


def diagnostics(records):
    """Returns the diagnostics of a compilation as objects."""
    found = []
    for severity, message, location, raw_notes, kind in records:
        notes = [_errors.Note(text, Location(*place)) for text, place in raw_notes]
        found.append(Diagnostic(severity, message, Location(*location), notes, kind))
    return found


def explain(interrupt):
    """Adds a note to a KeyboardInterrupt that says what was running."""
    record = getattr(interrupt, "fault", None)
    if record is not None:
        interrupt.add_note(fault(record).render())


def fault(record):
    """Returns the exception for a fault (kind, message, location, (x, y, device), thread, notes)."""
    kind, message, location, (x, y, device), thread, raw_notes = record
    notes = [_errors.Note(text, Location(*place)) for text, place in raw_notes]
    device = None if device < 0 else device
    return _errors.FAULTS[kind](message, Location(*location), notes, (x, y), thread, device)
