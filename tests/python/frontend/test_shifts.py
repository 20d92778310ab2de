# SPDX-License-Identifier: Apache-2.0
"""Shifts and powers of integers that are only known at run time."""

import pytest
import ttl
from kernels import run


def value_of(function):
    def body(zero):
        assert function(zero) != 123456

    return body


def test_shifts_by_many_places():
    """Shifts give the results of Python. A right shift by 32 or more places gives 0 or -1."""

    def body(zero, places, numbers):
        for number in numbers:
            for place in places:
                assert (zero + number) >> place == number >> place
                assert (zero + number) >> (zero + place) == number >> place
                assert number >> (zero + place) == number >> place
        for place in places:
            assert zero << place == 0 and zero << (zero + place) == 0
        assert (zero - 1) << 31 == -(2**31) and (zero - 1) << (zero + 31) == -(2**31)
        assert (zero - 3) << (zero + 29) == -3 * 2**29 and (zero + 3) << (zero + 29) == 3 * 2**29
        assert (zero + 3) << 29 == 3 * 2**29

    run(body, (0, 1, 30, 31, 32, 100), (0, 1, -1, -5, 2**31 - 1, -(2**31)))


@pytest.mark.parametrize("function", [
    lambda zero: (zero + 3) << 30, lambda zero: (zero + 1) << 31, lambda zero: (zero + 1) << 62,
    lambda zero: (zero + 3) << (zero + 30), lambda zero: 1 << (zero + 31), lambda zero: (zero - 2) << (zero + 100)])
def test_shifts_that_do_not_fit(function):
    with pytest.raises(ttl.RuntimeFault, match="overflow"):
        run(value_of(function))


@pytest.mark.parametrize("function, message", [
    (lambda zero: 1 << (zero - 1), "negative shift count"), (lambda zero: 5 >> (zero - 1), "negative shift count"),
    (lambda zero: (zero + 2) ** (zero - 1), "negative exponent")])
def test_negative_counts_and_exponents(function, message):
    with pytest.raises(ttl.RuntimeFault, match=message):
        run(value_of(function))


@pytest.mark.parametrize("function, message", [
    (lambda zero: zero << -1, "negative shift count: -1"), (lambda zero: zero >> -2, "negative shift count: -2"),
    (lambda zero: (zero + 2) ** -1, "negative exponent: -1; the power of an int is an int")])
def test_negative_counts_and_exponents_that_are_known(function, message):
    with pytest.raises(ttl.CompileError, match=message):
        run(value_of(function))
