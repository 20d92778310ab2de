# SPDX-License-Identifier: Apache-2.0
"""Functions that raise an exception on all paths: code after a call of such a function does not run."""
# feature: Helper functions; assert and raise

import numpy as np
import pytest
import ttl

ENGINES = ["jit", "interp", "emitted"]


def stop(i):
    raise ValueError(f"number {i}")
    return i  # never reached


def through(i):
    return stop(i) * 2


def in_a_statement(i):
    stop(i)


def in_an_assignment(i):
    value = stop(i)
    return value + 1


def in_an_operand(i):
    return stop(i) + 1


def in_an_argument(i):
    return max(stop(i), 3)


def in_another_function(i):
    return through(i) + 1


def in_an_element(i):
    values = [stop(k) + 1 for k in (i, i)]
    return values[0]


def in_a_condition(i):
    if stop(i) > 2:
        return 1
    return 2


def in_an_elif(i):
    if i > 7:
        return 1
    elif stop(i) > 2:
        return 3
    return 2


def in_one_value(i):
    return 3 if i > 7 else stop(i) + 1


def in_a_nested_value(i):
    return (1 if i > 9 else 2) if i > 7 else (stop(i) if i > 3 else stop(i) + 1)


def in_an_or(i):
    if i > 7 or stop(i):
        return 1
    return 0


def in_a_loop(i):
    total = 0
    for k in range(i):
        total += stop(i)
    return total


def in_the_range_of_a_loop(i):
    total = 0
    for k in range(stop(i)):
        total += k
    return total


def in_a_while_test(i):
    k = i
    while stop(k) > 2:
        k = k - 1
    return k


def in_a_walrus_test(i):
    total = 0
    while (k := stop(i)) > 2:
        total += k
    return total


def in_a_while_loop(i):
    k = i
    while k > 0:
        k = k - stop(k)
    return k


def in_a_branch(i):
    result = 1
    if i > 2:
        result = stop(i)
        result = result + 1
    return result


PLACES = [
    in_a_statement, in_an_assignment, in_an_operand, in_an_argument, in_another_function, in_an_element,
    in_a_condition, in_an_elif, in_one_value, in_a_nested_value, in_an_or, in_a_loop, in_the_range_of_a_loop,
    in_a_while_test, in_a_walrus_test, in_a_while_loop, in_a_branch,
]  # fmt: skip

WITH_TWO_PATHS = [in_an_elif, in_one_value, in_a_nested_value, in_an_or]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_the_call_ends_the_kernel(place, engine):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            five = ttl.node(dims=1) + 5
            with dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
            place(five)

        @ttl.datamovement()
        def writer():
            with dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    a, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    with ttl.options(engine=engine), pytest.raises(Exception, match="ValueError: number 5"):
        op(a, y)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("place", WITH_TWO_PATHS, ids=lambda place: place.__name__)
def test_the_other_path_goes_on(place, engine):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        eight = ttl.node(dims=1) + 8
        row = place(eight) - place(eight)
        ttl.copy(a[row, 0], dfb.reserve()).wait()
        ttl.copy(dfb.wait(), y[row, 0]).wait()

    a, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    with ttl.options(engine=engine):
        op(a, y)
    assert np.array_equal(a, y)
