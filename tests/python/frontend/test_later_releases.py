# SPDX-License-Identifier: Apache-2.0
"""Blocks that one loop or branch acquires and another loop or branch releases."""
# feature: Releases in other loops and branches

import numpy as np
import pytest
import ttl


def copy(source, target):
    ttl.copy(source, target).wait()


def read_rows(a, dfb, x):
    for i in range(4):
        with dfb.reserve() as block:
            copy(a[i, 0], block)


def write_rows(dfb, y, x):
    for i in range(4):
        with dfb.wait() as block:
            copy(block, y[i, 0])


def run(reader_body=read_rows, writer_body=write_rows, compute_body=None):
    """Moves four tiles through a buffer of four blocks. Each body gets a number that is 0 on the
    first node and 1 on the second one, and is not known at compile time."""
    a = np.random.default_rng(1).random((128, 32), np.float32)
    y = np.zeros_like(a)

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=4)
        y_dfb = a_dfb
        if compute_body:
            y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=4)

            @ttl.compute()
            def compute():
                x, _ = ttl.node(dims=2)
                compute_body(a_dfb, y_dfb, x)

        @ttl.datamovement()
        def reader():
            x, _ = ttl.node(dims=2)
            reader_body(a, a_dfb, x)

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node(dims=2)
            writer_body(y_dfb, y, x)

    op(a, y)
    assert np.array_equal(y, a)


def error_of(*bodies):
    with pytest.raises(ttl.CompileError) as caught:
        run(*bodies)
    return caught.value


# ===--------------------------------------------------------------------------=== #
# Data movement threads
# ===--------------------------------------------------------------------------=== #


def two_loops(a, dfb, x):
    for i in range(4):
        copy(a[i, 0], dfb.reserve())
    for _ in range(4):
        dfb.push()


def after_a_loop(a, dfb, x):
    for i in range(4):
        block = dfb.reserve()
        copy(a[i, 0], block)
    dfb.push()
    dfb.push()
    dfb.push()
    dfb.push()


def inner_loops(a, dfb, x):
    for row in range(0, 4, 2):
        for i in range(2):
            copy(a[row + i, 0], dfb.reserve())
        for _ in range(2):
            dfb.push()


def transfers_ahead(a, dfb, x):
    transfer = ttl.copy(a[0, 0], dfb.reserve())
    for i in range(1, 4):
        following = ttl.copy(a[i, 0], dfb.reserve())
        transfer.wait()
        dfb.push()
        transfer = following
    transfer.wait()
    dfb.push()


def two_ahead(a, dfb, x):
    for i in range(2):
        copy(a[i, 0], dfb.reserve())
    for i in range(2, 4 + x * 0):
        copy(a[i, 0], dfb.reserve())
        dfb.push()
    dfb.push()
    dfb.push()


def ahead_in_a_while(a, dfb, x):
    copy(a[0, 0], dfb.reserve())
    i = 1 + x * 0
    while i < 4:
        copy(a[i, 0], dfb.reserve())
        dfb.push()
        i += 1
    dfb.push()


def ahead_in_an_inner_loop(a, dfb, x):
    for row in range(0, 4, 2):
        copy(a[row, 0], dfb.reserve())
        for _ in range(1 + x * 0):
            copy(a[row + 1, 0], dfb.reserve())
            dfb.push()
        dfb.push()


def skewed(a, dfb, x):
    for i in range(5):
        if i < 4:
            copy(a[i, 0], dfb.reserve())
        if i > 0:
            dfb.push()


def both_branches(a, dfb, x):
    for i in range(0, 4, 2):
        if x == 0:
            first = dfb.reserve()
            copy(a[i, 0], first)
            copy(a[i + 1, 0], dfb.reserve())
        else:
            copy(a[i, 0], dfb.reserve())
            second = dfb.reserve()
            copy(a[i + 1, 0], second)
        dfb.push()
        dfb.push()


def same_condition(a, dfb, x):
    for i in range(4):
        if x == 0:
            copy(a[i, 0], dfb.reserve())
        if x != 0:
            copy(a[i, 0], dfb.reserve())
        is_first = x == 0
        if is_first:
            dfb.push()
        else:
            dfb.push()


def same_conditions_of_an_elif(a, dfb, x):
    for i in range(4):
        if x > 1:
            pass
        elif x >= 0:
            copy(a[i, 0], dfb.reserve())
        if x > 1:
            pass
        elif x >= 0:
            dfb.push()


@pytest.mark.parametrize(
    "reader",
    [two_loops, after_a_loop, inner_loops, transfers_ahead, two_ahead, ahead_in_a_while,
     ahead_in_an_inner_loop, skewed, both_branches, same_condition, same_conditions_of_an_elif],
)
def test_push(reader):
    run(reader)


def wait_in_a_loop(dfb, y, x):
    transfers = ttl.GroupTransfer()
    for i in range(4):
        transfers.add(ttl.copy(dfb.wait(), y[i, 0]))
    transfers.wait_all()
    for _ in range(4):
        dfb.pop()


def last_after_the_loop(dfb, y, x):
    for i in range(4):
        copy(dfb.wait(), y[i, 0])
        if i < 3:
            dfb.pop()
    dfb.pop()


def pop_in_one_branch(dfb, y, x):
    for i in range(4):
        copy(dfb.wait(), y[i, 0])
        if x == 0:
            dfb.pop()
        if x != 0:
            dfb.pop()


@pytest.mark.parametrize("writer", [wait_in_a_loop, last_after_the_loop, pop_in_one_branch])
def test_pop(writer):
    run(writer_body=writer)


# ===--------------------------------------------------------------------------=== #
# Compute threads
# ===--------------------------------------------------------------------------=== #


def pop_in_a_second_loop(a_dfb, y_dfb, x):
    for _ in range(4):
        with y_dfb.reserve() as y:
            y.store(a_dfb.wait() * 1)
    for _ in range(4):
        a_dfb.pop()


def one_block_ahead(a_dfb, y_dfb, x):
    block = a_dfb.wait()
    for _ in range(3):
        following = a_dfb.wait()
        with y_dfb.reserve() as y:
            y.store(block + following * 0)
        block.pop()
        block = following
    with y_dfb.reserve() as y:
        y.store(block)
    block.pop()


def acquired_in_both_branches(a_dfb, y_dfb, x):
    for i in range(4):
        if i == x:
            y = y_dfb.reserve()
            y.store(a_dfb.wait() * 1)
        else:
            a = a_dfb.wait()
            y = y_dfb.reserve()
            y.store(a * 1)
        y_dfb.push()
        a_dfb.pop()


@pytest.mark.parametrize(
    "compute", [pop_in_a_second_loop, one_block_ahead, acquired_in_both_branches]
)
def test_compute_threads(compute):
    run(compute_body=compute)


# ===--------------------------------------------------------------------------=== #
# Releases that the compiler cannot match with an acquire
# ===--------------------------------------------------------------------------=== #


def test_another_loop_of_a_unified_body():
    @ttl.operation(grid=(2, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        x, _ = ttl.node()
        for i in range(1 + x):
            copy(a[i, 0], dfb.reserve())
        for _ in range(1 + x):
            dfb.push()

    with pytest.raises(ttl.CompileError) as caught:
        op(np.zeros((64, 32), np.float32))
    assert "dfb.push() has no block to release" in caught.value.message
    assert any(
        "it is not known how many blocks of 'dfb' this loop leaves acquired" in str(note)
        for note in caught.value.notes
    )


def test_another_branch_of_a_unified_body():
    @ttl.operation(grid=(2, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        x, _ = ttl.node()
        if x == 0:
            copy(a[0, 0], dfb.reserve())
        if x < 1:
            dfb.push()

    with pytest.raises(ttl.CompileError) as caught:
        op(np.zeros((64, 32), np.float32))
    assert any(
        "this 'if' leaves different numbers of blocks of 'dfb' acquired" in str(note)
        for note in caught.value.notes
    )


def test_one_push_too_many():
    def reader(a, dfb, x):
        for i in range(4):
            copy(a[i, 0], dfb.reserve())
        for _ in range(5):
            dfb.push()

    error = error_of(reader)
    assert "a_dfb.push() has no block to release" in error.message
    assert error.line == reader.__code__.co_firstlineno + 4


def test_more_blocks_than_the_buffer_has():
    def reader(a, dfb, x):
        for i in range(5):
            copy(a[i % 4, 0], dfb.reserve())
        dfb.push()

    error = error_of(reader)
    assert "this acquires one more block of 'a_dfb' than the buffer has (4)" in error.message
    assert error.line == reader.__code__.co_firstlineno + 2


def test_read_after_the_release():
    def writer(dfb, y, x):
        blocks = [dfb.wait() for _ in range(4)]
        for _ in range(2):
            dfb.pop()
        copy(blocks[1], y[0, 0])

    error = error_of(read_rows, writer)
    assert "cannot copy from" in error.message and "it was released already" in error.message
