# SPDX-License-Identifier: Apache-2.0
"""Checks the values that the debugger's user sets variables of a kernel to."""

import math

import numpy as np
from ttl_jit.debugger._places import Mistake

_INTEGERS = -2**31, 2**31 - 1
_FLOAT_MAX = float(np.finfo(np.float32).max)


def is_integer(variable):
    """Returns whether a variable, or each element of an array, is an integer."""
    return variable.dtype.kind == "i" if isinstance(variable, np.ndarray) else type(variable) is int


def checked(variable, value):
    """Returns the value as a float. Raises a Mistake if the variable cannot hold it."""
    if not isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
        raise Mistake(f"expected a number, found {_text(value)}")
    if isinstance(variable, bool):
        _require(value in (0, 1), "True or False", value)
    elif is_integer(variable):
        low, high = _INTEGERS
        _require(low <= value <= high and value == int(value), f"an integer from {low} to {high}", value)
    else:
        is_special = isinstance(value, (float, np.floating)) and not math.isfinite(value)
        _require(is_special or abs(value) <= _FLOAT_MAX, "a number that float32 can hold", value)
    return float(value)


def _require(condition, expected, value):
    if not condition:
        raise Mistake(f"expected {expected}, found {_text(value)}")


def _text(value):
    """Returns the repr() of a value, cut after 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # an int with more digits than Python converts to text
        return "a larger number"
    return text if len(text) <= 60 else f"{text[:60]}..."
