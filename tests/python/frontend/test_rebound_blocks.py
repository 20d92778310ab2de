# SPDX-License-Identifier: Apache-2.0
"""Loops that assign to the variable of a block. Helper functions return the same block again; other
loops assign an expression, while the number of blocks held is only known at run time."""
# feature: Blocks and handles in variables

import numpy as np
import pytest
import ttl

pytestmark = pytest.mark.filterwarnings("ignore::ttl.CardWarning")
TILE = 32
ENGINES = ["jit", "interp", "emitted"]


def stored(out, x):
    out.store(x)
    return out


def added(out, x):
    out += x
    return out


# Each body stores one tile, computed from four tiles of `dfb`, into `out`. CASES has the expected tiles.


def sum_by_a_helper(dfb, out, four):
    for _ in range(four):
        x = dfb.wait()
        out = added(out, x)
        x.pop()
    out.store(out * 2.0)


def last_of_a_helper(dfb, out, four):
    for _ in range(four):
        x = dfb.wait()
        out = stored(out, x)
        x.pop()
    out.store(out * 2.0)


def read_back_in_the_loop(dfb, out, four):
    out.store(ttl.fill(0.0, shape=(1, 1)))
    for _ in range(four):
        x = dfb.wait()
        out = stored(out, out + x)
        x.pop()
    out.store(out * 2.0)


def branches(dfb, out, four):
    for i in range(four):
        x = dfb.wait()
        if i == 0:
            out = stored(out, x)
        else:
            out = added(out, x)
        x.pop()
    out.store(out * 2.0)


def nested(dfb, out, four):
    for _ in range(four // 2):
        for _ in range(2):
            x = dfb.wait()
            out = added(out, x)
            x.pop()
    out.store(out * 2.0)


def while_loop(dfb, out, four):
    i = 0
    while i < four:
        x = dfb.wait()
        out = added(out, x)
        x.pop()
        i += 1
    out.store(out * 2.0)


def long_loop(dfb, out, four):
    for i in range(80):
        if i < four:
            x = dfb.wait()
            out = added(out, x)
            x.pop()
    out.store(out * 2.0)


def total(a):
    return 2 * ((a[0] + a[1]) + a[2] + a[3])


CASES = {case.__name__: (case, total) for case in (
    sum_by_a_helper, read_back_in_the_loop, branches, nested, while_loop, long_loop)}
CASES["last_of_a_helper"] = (last_of_a_helper, lambda a: 2 * a[3])


def in_threads(body):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=4)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for i in range(4):
                with a_dfb.reserve() as block:
                    ttl.copy(a[i, 0], block).wait()

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as out:
                body(a_dfb, out, ttl.node(dims=1) + 4)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    return op


def unified(body):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=4)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        for i in range(4):
            ttl.copy(a[i, 0], a_dfb.reserve()).wait()
        with y_dfb.reserve() as out:
            body(a_dfb, out, ttl.node(dims=1) + 4)
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    return op


def integers():
    """Returns integers as float32, whose sums are exact in any order."""
    return np.random.default_rng(7).integers(-99, 99, (4 * TILE, TILE)).astype(np.float32)


def check(make, body, golden, engine):
    a, y = integers(), np.zeros((TILE, TILE), np.float32)
    with ttl.options(engine=engine):
        make(body)(a, y)
    assert np.array_equal(y, golden(a.reshape(4, TILE, TILE)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", [in_threads, unified])
@pytest.mark.parametrize("body, golden", CASES.values(), ids=CASES)
def test_the_same_block_under_its_name(body, golden, make, engine):
    check(make, body, golden, engine)


# ===--------------------------------------------------------------------------=== #
# Loops in which the number of blocks held is only known at run time
# ===--------------------------------------------------------------------------=== #

# The thread pops no block before the end, so the loop decides how many blocks it holds.


def counted_loop(dfb, out, four):
    acc = dfb.wait()
    for _ in range(four - 1):
        x = dfb.wait()
        acc = acc + x
        x.pop()
    out.store(acc)
    dfb.pop()


def counted_helper(dfb, out, four):
    acc = dfb.wait()
    for _ in range(four - 1):
        x = dfb.wait()
        acc = plus(acc, x)
        x.pop()
    out.store(acc)
    dfb.pop()


def plus(left, right):
    return left + right


def counted_branch(dfb, out, four):
    acc = dfb.wait()
    for i in range(four - 1):
        x = dfb.wait()
        if i >= 0:
            acc = acc + x
        x.pop()
    out.store(acc)
    dfb.pop()


def counted_while(dfb, out, four):
    acc, i = dfb.wait(), 1
    while i < four:
        x = dfb.wait()
        acc = acc + x
        x.pop()
        i += 1
    out.store(acc)
    dfb.pop()


def counted_nested(dfb, out, four):
    acc = dfb.wait()
    for _ in range(four - 3):
        for _ in range(3):
            x = dfb.wait()
            acc = plus(acc, x)
            x.pop()
    out.store(acc)
    dfb.pop()


def counted_long(dfb, out, four):
    acc = dfb.wait()
    for i in range(80):
        if i < four - 1:
            x = dfb.wait()
            acc = acc + x
            x.pop()
    out.store(acc)
    dfb.pop()


COUNTED = [counted_loop, counted_helper, counted_branch, counted_while, counted_nested, counted_long]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("body", COUNTED, ids=lambda body: body.__name__)
def test_a_counted_block_becomes_an_expression(body, engine):
    check(in_threads, body, lambda a: total(a) / 2, engine)
