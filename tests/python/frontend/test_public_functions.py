# SPDX-License-Identifier: Apache-2.0
"""_ttjit.public() wraps a function and keeps its signature."""

import functools
import inspect

import _ttjit
import pytest


def plain(a, b=1, c="x", *, d, e=(1, 2), **rest):
    """Text."""


def variadic(*values, key=None):
    """Text."""


def both(first, *values, **rest):
    """Text."""


def positional(a, b=2, /, c=3):
    """Text."""


def nothing():
    """Text."""


@functools.wraps(plain)
def wrapped(*args, **kwargs):
    """Text."""


@pytest.mark.parametrize("function", [plain, variadic, both, positional, nothing, wrapped])
def test_a_wrapped_function_has_its_signature(function):
    public = _ttjit.public(function)
    assert str(inspect.signature(public)) == str(inspect.signature(function))
    assert public.__doc__ == "Text."
