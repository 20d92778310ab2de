# ===- _time.py - how long a call takes on a card -----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import _ttjit
from ttl import _options


class Estimate:
    """How long one launch takes on a card, as op.time() estimates it (docs/timing.md).

    cycles, lower and upper are cycles of the chip, us microseconds; advice is a sentence. figures has
    everything as dicts and lists: threads, lines, critical_path, utilisation, what_if, not_modelled.
    str() gives the report.

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
        if change not in known:
            raise ValueError(f"no prediction for {change!r}; there are {', '.join(map(repr, known))}")
        return known[change]

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<estimate: {self.cycles:.0f} cycles, {self.us:.2f} us on {self.figures['arch']}>"


def of(call, name):
    """Calls a function that launches a kernel, and returns the Estimate of the launch."""
    import json  # slow to import

    with _options.options(time="on"):
        call()
    found = _ttjit.last_estimate()
    if found is None:
        raise ValueError(f"{name}.time(): the call launched nothing; leave compile_only out")
    figures, text = json.loads(found[0]), found[1]
    if "failure" in figures:
        raise ValueError(f"{name}.time(): {figures['failure']}")
    return Estimate(figures, text)


class Timed:
    """What has a time on a card: a base of Operation."""

    def time(self, *args, **kwargs):
        """Runs a call with these arguments, and returns how long it takes on a card: an object with
        cycles, bounds, what limits the kernel, and what changes would gain."""
        return of(lambda: self(*args, **kwargs), self.__name__)
