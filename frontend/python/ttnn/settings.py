# SPDX-License-Identifier: Apache-2.0
"""The options that `with ttl.options(...)` sets for a block of code.

The options of a call are, in this order: those of the process (environment and command line), of
the device, of the block, of the operation's decorator, and of the call. A later one replaces an earlier one.
"""

import contextvars
import functools

import _ttjit

# (name, value) pairs of all blocks around the running code, the outermost block first. A new thread
# starts outside of all blocks; an asyncio task starts in those of the code that made it.
block = contextvars.ContextVar("ttl_options", default=())

# The pairs that hold for kernels on the open device: the limit of L1 given to open_device().
of_device = ()


@functools.lru_cache(maxsize=1024)
def of(pairs):
    """Returns the options of the process with these (name, value) pairs applied in order. Equal
    pairs give the same object."""
    for name, value in pairs:
        _check_text(name, value)
    made = _ttjit.settings(list(pairs))
    made.changes = pairs
    return made


def _check_text(name, value):
    try:
        f"{name}{value}".encode()
    except UnicodeEncodeError:
        raise ValueError(f"--{name}: expected text that UTF-8 can express, found {value!r}") from None


def current(*pairs):
    """Returns the options of a call at this place. `pairs` are those of its decorator, then its own."""
    return of((*of_device, *block.get(), *pairs))
