# SPDX-License-Identifier: Apache-2.0
"""Makes messages readable."""

import re

from _ttjit import plural  # noqa: F401

_ADDRESS = re.compile(r"<(?:[\w<>]+\.)*(\w+) object at 0x[0-9a-f]+>")


def readable(message):
    """Returns the message with the class of each object in place of its address in memory."""
    return _ADDRESS.sub(r"an object of type \1", message)
