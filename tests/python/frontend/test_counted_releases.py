# SPDX-License-Identifier: Apache-2.0
"""Loops that hold a number of blocks which is only known at run time."""
# feature: Releases in other loops and branches

import numpy as np
import pytest
import ttl

TILES = 7
A = np.random.default_rng(1).random((TILES * 32, 32), np.float32)


def copy(source, target):
    ttl.copy(source, target).wait()


def read_tiles(a, dfb, n):
    for i in range(n):
        with dfb.reserve() as block:
            copy(a[i, 0], block)


def write_tiles(dfb, y, n):
    for i in range(n):
        with dfb.wait() as block:
            copy(block, y[i, 0])


def run(reader_body=read_tiles, writer_body=write_tiles, compute_body=None, tiles=TILES, blocks=3):
    """Moves `tiles` tiles from A to y. The bodies get this number, unknown at compile time."""
    y = np.zeros_like(A)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=blocks)
        y_dfb = a_dfb
        if compute_body:
            y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=blocks)

            @ttl.compute()
            def compute():
                compute_body(a_dfb, y_dfb, tiles + ttl.node(dims=1))

        @ttl.datamovement()
        def reader():
            reader_body(a, a_dfb, tiles + ttl.node(dims=1))

        @ttl.datamovement()
        def writer():
            writer_body(y_dfb, y, tiles + ttl.node(dims=1))

    op(A, y)
    assert np.array_equal(y[: tiles * 32], A[: tiles * 32])
    assert not y[tiles * 32 :].any()


# ===--------------------------------------------------------------------------=== #
# Data movement threads
# ===--------------------------------------------------------------------------=== #


def one_ahead(dfb, y, n):
    current = dfb.wait()
    for i in range(n):
        if i < n - 1:
            following = dfb.wait()
        copy(current, y[i, 0])
        current.pop()
        if i < n - 1:
            current = following


def one_ahead_with_an_old_block_at_the_end(dfb, y, n):
    current = dfb.wait()
    for i in range(n):
        if i + 1 < n:
            following = dfb.wait()
        copy(current, y[i, 0])
        current.pop()
        current = following


def break_with_a_block(dfb, y, n):
    i = 0
    while True:
        block = dfb.wait()
        copy(block, y[i, 0])
        i += 1
        if i == n:
            break
        block.pop()
    block.pop()


def break_and_pop_the_oldest(dfb, y, n):
    i = 0
    while True:
        copy(dfb.wait(), y[i, 0])
        i += 1
        if i == n:
            break
        dfb.pop()
    dfb.pop()


def batches(dfb, y, n):
    done = 0
    while done < n:
        size = min(3, n - done)
        for j in range(size):
            copy(dfb.wait(), y[done + j, 0])
        for _ in range(size):
            dfb.pop()
        done += size


def batches_in_a_tuple(dfb, y, n):
    pair = (dfb.wait(), 0)
    while pair[1] < n:
        block, i = pair
        copy(block, y[i, 0])
        if i + 1 < n:
            pair = (dfb.wait(), i + 1)
        else:
            pair = (block, i + 1)
        dfb.pop()


def one_block_twice_in_a_list(dfb, y, n):
    i = 0
    while i < n:
        size = min(2, n - i)
        if size == 2:
            blocks = [dfb.wait(), dfb.wait()]
        else:
            last = dfb.wait()
            blocks = [last, last]
        copy(blocks[0], y[i, 0])
        if size == 2:
            copy(blocks[1], y[i + 1, 0])
        for _ in range(size):
            dfb.pop()
        i += size


def swapped(dfb, y, n):
    current = dfb.wait()
    following = current
    for i in range(n):
        if i < n - 1:
            following = dfb.wait()
        copy(current, y[i, 0])
        current.pop()
        current, following = following, current


def return_after_the_last_block(dfb, y, n):
    current = dfb.wait()
    for i in range(n + 5):
        copy(current, y[i, 0])
        if i == n - 1:
            dfb.pop()
            return
        following = dfb.wait()
        current.pop()
        current = following


def copies_that_nobody_waits_for(dfb, y, n):
    i = 0
    while i < n:
        block = dfb.wait()
        ttl.copy(block, y[i, 0])
        i += 1
        if i == n:
            break
        block.pop()
    block.pop()


def in_a_helper(dfb, y, n):
    def next_block(i, current):
        if i < n - 1:
            current = dfb.wait()
        return current

    current = dfb.wait()
    for i in range(n):
        following = next_block(i, current)
        copy(current, y[i, 0])
        dfb.pop()
        current = following


@pytest.mark.parametrize("tiles", [1, 2, 6, 7])
@pytest.mark.parametrize(
    "writer",
    [one_ahead, break_with_a_block, break_and_pop_the_oldest, batches, in_a_helper,
     one_block_twice_in_a_list, swapped, return_after_the_last_block,
     copies_that_nobody_waits_for],
)
def test_pop(writer, tiles):
    run(writer_body=writer, tiles=tiles)


@pytest.mark.parametrize("writer", [one_ahead_with_an_old_block_at_the_end, batches_in_a_tuple])
def test_pop_of_several_tiles(writer):
    run(writer_body=writer)


def batches_of_reserved_blocks(a, dfb, n):
    done = 0
    while done < n:
        size = min(3, n - done)
        transfers = ttl.GroupTransfer()
        for j in range(size):
            copy(a[done + j, 0], dfb.reserve())
        transfers.wait_all()
        for _ in range(size):
            dfb.push()
        done += size


def transfers_ahead(a, dfb, n):
    transfer = ttl.copy(a[0, 0], dfb.reserve())
    for i in range(n):
        if i < n - 1:
            following = ttl.copy(a[i + 1, 0], dfb.reserve())
            transfer.wait()
            dfb.push()
            transfer = following
        else:
            transfer.wait()
            dfb.push()


def copies_to_the_buffer(a, dfb, n):
    """An old spelling: ttl.copy() into a buffer fills its oldest reserved block."""
    done = 0
    while done < n:
        size = min(3, n - done)
        for _ in range(size):
            dfb.reserve()
        for j in range(size):
            copy(a[done + j, 0], dfb)
            dfb.push()
        done += size


@pytest.mark.parametrize("reader", [batches_of_reserved_blocks, transfers_ahead, copies_to_the_buffer])
@pytest.mark.parametrize("tiles", [1, 2, 6, 7])
def test_push(reader, tiles):
    run(reader_body=reader, tiles=tiles)


# ===--------------------------------------------------------------------------=== #
# Compute threads
# ===--------------------------------------------------------------------------=== #


def sliding(a_dfb, y_dfb, n):
    current = a_dfb.wait()
    for _ in range(n - 1):
        following = a_dfb.wait()
        with y_dfb.reserve() as y:
            y.store(current + following * 0)
        current.pop()
        current = following
    with y_dfb.reserve() as y:
        y.store(current)
    current.pop()


def computed_one_ahead(a_dfb, y_dfb, n):
    current = a_dfb.wait()
    for i in range(n):
        if i < n - 1:
            following = a_dfb.wait()
        y = y_dfb.reserve()
        y.store(current * 1)
        y.push()
        current.pop()
        current = following


def pushed_one_later(a_dfb, y_dfb, n):
    for i in range(n):
        a = a_dfb.wait()
        y = y_dfb.reserve()
        y.store(a)
        a.pop()
        if i > 0:
            y_dfb.push()
    y_dfb.push()


def read_before_the_release_and_stored_after_it(a_dfb, y_dfb, n):
    current = a_dfb.wait()
    for i in range(n):
        value = current + 0
        if i < n - 1:
            following = a_dfb.wait()
            current.pop()
            current = following
        else:
            current.pop()
        with y_dfb.reserve() as y:
            y.store(value)


def last_block_of_a_loop(a_dfb, y_dfb, n):
    i = 0
    while i < n:
        a = a_dfb.wait()
        i += 1
        if i == n:
            break
        with y_dfb.reserve() as y:
            y.store(a)
        a.pop()
    with y_dfb.reserve() as y:
        y.store(a)
    a.pop()


@pytest.mark.parametrize("tiles", [2, 7])
@pytest.mark.parametrize(
    "compute",
    [sliding, computed_one_ahead, pushed_one_later, read_before_the_release_and_stored_after_it,
     last_block_of_a_loop],
)
def test_compute_threads(compute, tiles):
    run(compute_body=compute, tiles=tiles)


def test_a_compute_loop_of_more_items_than_are_unrolled():
    total = np.zeros((32, 32), np.float32)
    a = np.random.default_rng(2).random((100 * 32, 32), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(a, total):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=3)
        y_dfb = ttl.make_dataflow_buffer_like(total, shape=(1, 1))

        @ttl.compute()
        def compute():
            total = ttl.zeros(shape=(1, 1))
            left = a_dfb.wait()
            for _ in range(99):
                right = a_dfb.wait()
                total += left - right
                left.pop()
                left = right
            left.pop()
            y_dfb.reserve().store(total)

        @ttl.datamovement()
        def reader():
            read_tiles(a, a_dfb, 100)

        @ttl.datamovement()
        def writer():
            write_tiles(y_dfb, total, 1)

    op(a, total)
    tiles = a.reshape(100, 32, 32)
    expected = np.zeros((32, 32), np.float32)
    for left, right in zip(tiles, tiles[1:]):
        expected += left - right
    assert np.array_equal(total, expected)


# ===--------------------------------------------------------------------------=== #
# Any order of acquires and releases
# ===--------------------------------------------------------------------------=== #


def in_any_order(n, most, pause, take, give):
    """Calls take(i) and give() n times each, in an irregular order, with at most `most` blocks held."""
    held = taken = given = 0
    while given < n:
        may_take = (taken * 7 + given * 3) % 5 != pause or held == 0
        if taken < n and held < most and may_take:
            take(taken)
            taken += 1
            held += 1
        else:
            give()
            held -= 1
            given += 1


@pytest.mark.parametrize("thread", ["reader", "compute", "writer"])
@pytest.mark.parametrize("most, blocks", [(1, 2), (2, 2), (3, 3), (2, 5), (5, 5)])
@pytest.mark.parametrize("tiled", [True, False], ids=["tiles", "rows"])
def test_any_order(thread, most, blocks, tiled):
    """Blocks of three tiles or of one row, in buffers for `blocks` blocks."""
    if thread == "compute" and not tiled:
        pytest.skip("compute threads read tiles")
    n, unit = 11, 32 if tiled else 1
    a = np.random.default_rng(3).random((n * unit, 96), np.float32)
    y = np.zeros_like(a)

    @ttl.operation(grid=(1, 1), tiled=tiled)
    def op(a, y):
        shape = (1, 3) if tiled else (1, 96)
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=shape, block_count=blocks)
        y_dfb = a_dfb
        if thread == "compute":
            y_dfb = ttl.make_dataflow_buffer_like(y, shape=shape, block_count=blocks)

            @ttl.compute()
            def compute():
                def double(i):
                    block = a_dfb.wait()
                    with y_dfb.reserve() as y_block:
                        y_block.store(block * 1)

                in_any_order(n + ttl.node(dims=1), most, 2, double, lambda: a_dfb.pop())

        @ttl.datamovement()
        def reader():
            size = n + ttl.node(dims=1)
            if thread == "reader":
                in_any_order(size, most, 0, lambda i: copy(a[i, :], a_dfb.reserve()),
                             lambda: a_dfb.push())
            else:
                for i in range(size):
                    with a_dfb.reserve() as block:
                        copy(a[i, :], block)

        @ttl.datamovement()
        def writer():
            size = n + ttl.node(dims=1)
            if thread == "writer":
                in_any_order(size, most, 4, lambda i: copy(y_dfb.wait(), y[i, :]),
                             lambda: y_dfb.pop())
            else:
                for i in range(size):
                    with y_dfb.wait() as block:
                        copy(block, y[i, :])

    op(a, y)
    assert np.array_equal(y, a)


def released_by_a_loop_in_a_branch(a_dfb, y_dfb, n):
    filled = 0
    for i in range(n):
        with a_dfb.wait() as a:
            y_dfb.reserve().store(a)
        filled += 1
        if filled == 3 or i == n - 1:
            for _ in range(filled):
                y_dfb.push()
            filled = 0


def test_released_by_a_loop_in_a_branch():
    run(compute_body=released_by_a_loop_in_a_branch)


# ===--------------------------------------------------------------------------=== #
# Mistakes: too many or too few releases
# ===--------------------------------------------------------------------------=== #


def fault_of(kind, **bodies):
    with pytest.raises(kind) as caught:
        run(**bodies)
    return caught.value


def test_a_block_is_never_released():
    def writer(dfb, y, n):
        for i in range(n):
            copy(dfb.wait(), y[i, 0])
        for _ in range(n - 1):
            dfb.pop()

    error = fault_of(ttl.RuntimeFault, writer_body=writer, blocks=8)
    assert "a block of 'a_dfb' is still held when writer() ends: write pop()" in error.message
    assert error.line == writer.__code__.co_firstlineno + 2


def test_more_releases_than_blocks():
    def writer(dfb, y, n):
        for i in range(n):
            copy(dfb.wait(), y[i, 0])
        for _ in range(n + 1):
            dfb.pop()

    error = fault_of(ttl.ProtocolError, writer_body=writer, blocks=8)
    assert "pops 1 block of 'a_dfb', but none was waited for" in error.message
    assert error.line == writer.__code__.co_firstlineno + 4


def test_more_blocks_than_the_buffer_has():
    def writer(dfb, y, n):
        for i in range(n):
            copy(dfb.wait(), y[i, 0])
        for _ in range(n):
            dfb.pop()

    error = fault_of(ttl.ProtocolError, writer_body=writer)
    assert "waits for 4 blocks of 'a_dfb', which has room for 3 blocks" in error.message
    assert error.line == writer.__code__.co_firstlineno + 2


def test_use_after_the_release():
    def writer(dfb, y, n):
        current = dfb.wait()
        for i in range(n):
            if i < n - 1:
                following = dfb.wait()
            current.pop()
            copy(current, y[i, 0])
            current = following

    error = fault_of(ttl.RuntimeFault, writer_body=writer)
    assert "this uses a block of 'a_dfb' that the thread does not hold" in error.message
    assert error.line == writer.__code__.co_firstlineno + 6


def test_the_younger_block_first():
    def writer(dfb, y, n):
        current = dfb.wait()
        for i in range(n):
            if i < n - 1:
                following = dfb.wait()
            copy(current, y[i, 0])
            following.pop()
            current = following

    error = fault_of(ttl.RuntimeFault, writer_body=writer)
    assert "this block of 'a_dfb' is not the oldest one that the thread holds" in error.message
    assert error.line == writer.__code__.co_firstlineno + 6


def test_callbacks_of_pipes_cannot_count():
    a, y = np.zeros((32, 64), np.float32), np.zeros((32, 64), np.float32)

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=4)
        net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])

        @ttl.datamovement()
        def reader():
            n = 2 + ttl.node(dims=1)
            for _ in range(n):
                dfb.reserve()

            def receive(pipe):
                copy(pipe, dfb.reserve())

            net.if_dst(receive)
            for _ in range(n + 1):
                dfb.push()

        @ttl.datamovement()
        def writer():
            pass

    with pytest.raises(ttl.CompileError) as caught:
        op(a, y)
    assert "this callback acquires or releases blocks of 'dfb'" in caught.value.message
