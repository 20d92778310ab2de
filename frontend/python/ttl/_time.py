# ===- _time.py - how long a call takes on a card -----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import os

import _ttjit
from ttl import _options
from ttl._ttnn import settings


class Estimate:
    """How long one launch takes on a card, as op.time() estimates it (docs/timing.md).

    cycles is the time in cycles of the chip, with the bounds lower and upper, and us the time in
    microseconds; advice names the change with the largest gain, or what limits the kernel. figures has
    everything as dicts and lists: threads, lines, critical_path, utilisation, what_if, not_possible,
    not_modelled. str() gives the report. In `with ttl.options(what_if=True)` what_if also has other grids
    and blocks.

    Example:

        estimate = scale.time(x, y, 2.0)
        assert estimate.lower <= estimate.cycles <= estimate.upper
    """

    def __init__(self, figures, text):
        self.figures, self.text = figures, text
        self.cycles, self.us = figures["cycles"], figures["us"]
        self.lower, self.upper = figures["lower"], figures["upper"]
        self.advice = figures["advice"]

    def what_if(self, change):
        """Returns the predicted cycles after a change, which is one of figures["what_if"]."""
        known = {each["change"]: each["cycles"] for each in self.figures["what_if"]}
        why = next((each["why"] for each in self.figures["not_possible"] if each["change"] == change), None)
        if why is not None:
            raise ValueError(f"{change} is not possible: {why}")
        if change not in known:
            raise ValueError(f"no prediction for {change!r}; there are {', '.join(map(repr, known))}")
        return known[change]

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<estimate: {self.cycles:.0f} cycles, {self.us:.2f} us on {self.figures['arch']}>"


def of(call, name, operation, args, kwargs):
    """Calls a function that launches a kernel, and returns the Estimate of the launch. With what_if=True
    the estimate also has other grids and blocks for a call of the operation with its arguments."""
    import json  # slow to import

    changes = _changes(operation, args, kwargs)
    with _options.options(time="on"):
        call()
        changes()
    found = _ttjit.last_estimate()
    if found is None:
        raise ValueError(f"{name}.time(): the call launched nothing; leave compile_only out")
    figures, text = json.loads(found[0]), found[1]
    if "failure" in figures:
        raise ValueError(f"{name}.time(): {figures['failure']}")
    return Estimate(figures, text)


def _changes(operation, args, kwargs):
    """Returns a function to call after the launch. With what_if=True it adds the times of other grids and
    blocks to the estimate; otherwise it does nothing."""
    given = getattr(getattr(operation, "options", None), "given", None)  # None: not an Operation
    if given is None or not settings.current(*given).what_if:
        return lambda: None
    what_if = _what_if()
    kept = what_if.before(operation, args, kwargs)
    return lambda: what_if.add([kept])


def _what_if():
    """Returns the module ttl_jit.tune._what_if. It is imported here, not at the top of this file, because
    it is slow to import and imports this package."""
    import importlib

    return importlib.import_module("ttl_jit.tune._what_if")


class Timed:
    """A base class of Operation: adds the method time()."""

    def time(self, *args, **kwargs):
        """Runs a call with these arguments, and returns how long it takes on a card: an object with
        cycles, bounds, what limits the kernel, and what changes would gain."""
        return of(lambda: self(*args, **kwargs), self.__name__, self, args, kwargs)


def follow():
    """With --time and --what-if, starts to record the program's launches, so that changes of them can be
    tried at the end of the program."""
    if os.environ.get("TTL_WHAT_IF") and os.environ.get("TTL_TIME") and settings.current().what_if:
        _what_if().follow()
