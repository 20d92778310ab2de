# ===- _long_runs.py - says what a long call of a module does -----------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import contextlib
import math
import sys
import threading
import time

FIRST = 10.0  # seconds until the first line; the wait for each later line is twice as long
LARGE = 1 << 23  # in elements: calls whose tensors are all smaller are not watched


def is_large(shapes):
    return any(math.prod(shape) >= LARGE for shape in shapes)


class _Notes:
    """What a call is doing now, as text for the lines on stderr."""

    def __init__(self, name, steps):
        self.name, self.steps, self.doing = name, steps, "prepares its arguments"

    def begin(self, number, step, elements):
        self.doing = f"step {number + 1} of {self.steps}, {step.name} at {step.place} with {elements} elements"

    def text(self, seconds):
        return f"note: {self.name}() has run for {seconds:.0f} s: {self.doing}\n"


@contextlib.contextmanager
def notes(name, steps, is_watched):
    """Yields a _Notes; the caller calls its begin() before each step. If the call `is_watched` and
    takes long, lines on stderr say which step is running."""
    found, done, start = _Notes(name, steps), threading.Event(), time.monotonic()

    def watch():
        wait = FIRST
        while not done.wait(wait):
            sys.stderr.write(found.text(time.monotonic() - start))
            wait *= 2

    if not is_watched:
        yield found
        return
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        done.set()
        thread.join()
