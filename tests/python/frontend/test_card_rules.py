# SPDX-License-Identifier: Apache-2.0
"""The whole messages with which --strict refuses what tt-lang's compiler refuses for a card."""
# feature: Several blocks of one buffer; Copies and handles

import numpy as np
import pytest
import ttl

CARD = ": tt-lang's compiler refuses this for a card; "


def read(a, a_dfb, rows):
    @ttl.datamovement()
    def reader():
        for row in range(rows):
            with a_dfb.reserve() as block:
                ttl.copy(a[row, 0], block).wait()


def write(y_dfb, y, rows):
    @ttl.datamovement()
    def writer():
        for row in range(rows):
            with y_dfb.wait() as block:
                ttl.copy(block, y[row, 0]).wait()


def refused(threads, rows=2, block_count=2, options="--strict"):
    """Returns the error message for an operation with the threads that `threads` defines."""
    a, y = np.ones((32 * rows, 32), np.float32), np.zeros((32 * rows, 32), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=block_count)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=block_count)
        threads(a, y, a_dfb, y_dfb)

    with pytest.raises(ttl.CompileError) as caught:
        op(a, y, options=options)
    return str(caught.value)


def test_a_copy_into_a_block_that_wait_returned():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()

        @ttl.datamovement()
        def writer():
            with a_dfb.wait() as block:
                assert ttl.raw_element_read(block, 0, 0) == 1.0
                ttl.copy(a[1, 0], block).wait()
                ttl.copy(block, y[0, 0]).wait()

    message = refused(threads)
    assert "this copies from a tensor into block 'block' of 'a_dfb', which wait() returned" in message
    assert CARD + "copy into a block that reserve() returns" in message


def test_a_younger_block_of_a_data_movement_thread():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as first, a_dfb.reserve() as second:
                ttl.copy(a[0, 0], first).wait()
                ttl.copy(a[1, 0], second).wait()

        @ttl.datamovement()
        def writer():
            for row in range(2):
                with a_dfb.wait() as block:
                    ttl.copy(block, y[row, 0]).wait()

    message = refused(threads)
    assert (", which is older; a data movement thread has one pointer, to the oldest block" + CARD +
            "release the older block first") in message


def test_a_block_that_is_held_around_a_loop():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            for row in range(4):
                with a_dfb.reserve() as block:
                    ttl.copy(a[row, 0], block).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as first:
                for _ in range(3 + ttl.node(dims=1)):
                    with a_dfb.wait() as block, y_dfb.reserve() as out:
                        out.store(block + first)

        @ttl.datamovement()
        def writer():
            for row in range(3):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[row, 0]).wait()

    message = refused(threads, rows=4, block_count=5)
    assert (", which was acquired earlier, so its slot stays in use" + CARD +
            "release blocks in the order in which they were acquired") in message


def test_blocks_that_cannot_be_acquired_together():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            for row in range(3):
                with a_dfb.reserve() as block:
                    ttl.copy(a[row, 0], block).wait()

        @ttl.compute()
        def compute():
            first, second = a_dfb.wait(), a_dfb.wait()
            with y_dfb.reserve() as out:
                out.store(first + second)
            first.pop()
            third = a_dfb.wait()
            with y_dfb.reserve() as out:
                out.store(second + third)
            second.pop()
            third.pop()

        @ttl.datamovement()
        def writer():
            for row in range(2):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[row, 0]).wait()

    message = refused(threads, rows=3, block_count=3)
    assert ", and the two cannot be acquired together" in message


def test_a_second_acquire_in_a_branch():
    def threads(a, y, a_dfb, y_dfb):
        read(a, a_dfb, 4)
        write(y_dfb, y, 3)

        @ttl.compute()
        def compute():
            for i in range(3):
                first = a_dfb.wait()
                if i + ttl.node(dims=1) > 1:
                    second = a_dfb.wait()
                    with y_dfb.reserve() as out:
                        out.store(first + second)
                    first.pop()
                    second.pop()
                else:
                    with y_dfb.reserve() as out:
                        out.store(first)
                    first.pop()

    message = refused(threads, rows=4, block_count=5)
    assert ", which was acquired outside of this loop or branch" in message


def replaces(body):
    """Returns a definer of three threads for refused(); the compute thread runs `body`."""

    def threads(a, y, a_dfb, y_dfb):
        read(a, a_dfb, 2)
        write(y_dfb, y, 2)

        @ttl.compute()
        def compute():
            body(a_dfb, y_dfb)

    return threads


def in_a_loop(a_dfb, y_dfb):
    for _ in range(2 + ttl.node(dims=1)):
        with a_dfb.wait() as block, y_dfb.reserve() as out:
            block.store(block + 1)
            out.store(block)


def before_another_block(a_dfb, y_dfb):
    with a_dfb.wait() as block, y_dfb.reserve() as out:
        block.store(block + 1)
        out.store(block)
    with a_dfb.wait() as block, y_dfb.reserve() as out:
        out.store(block)


def with_old_contents(a_dfb, y_dfb):
    with a_dfb.wait() as block, y_dfb.reserve() as out:
        old = block * 2
        block.store(block + 1)
        out.store(block + old)


@pytest.mark.parametrize("body, reason", [
    (in_a_loop, "it is in a loop or branch"),
    (before_another_block, "the thread acquires other blocks of the buffer"),
    (with_old_contents, "another expression uses the old contents"),
])
def test_replaced_blocks(body, reason):
    message = refused(replaces(body), block_count=1)
    assert ("this store replaces block 'block' of 'a_dfb', which wait() returned; tt-lang's "
            "compiler refuses this for a card, because " + reason) in message


def test_a_thread_that_another_one_than_the_users_is_named():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        ttl.copy(a[0, 0], a_dfb.reserve())
        block = a_dfb.wait()
        y_dfb.reserve().store(block + 1)
        block.pop(kernel=ttl.KernelKind.DATA_MOVEMENT)
        ttl.copy(y_dfb.wait(), y[0, 0])

    with pytest.raises(ttl.CompileError) as caught:
        op(np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32))
    message = str(caught.value)
    assert "uses it: leave kernel= out, or name that thread" in message
    assert "the block is used here" in message


def test_a_waited_block_that_a_loop_adds_to():
    def threads(a, y, a_dfb, y_dfb):
        read(a, a_dfb, 1)
        write(y_dfb, y, 1)

        @ttl.compute()
        def compute():
            with a_dfb.wait() as block, y_dfb.reserve() as out:
                for _ in range(2 + ttl.node(dims=1)):
                    block += block
                out.store(block)

    message = refused(threads, block_count=1, options="")
    assert ("this changes block 'block' of 'a_dfb' inside a condition or loop, but the thread waited for "
            "it outside: change a variable there; write block = block + x in place of block += x, or "
            "block = x in place of block.store(x)") in message


def test_a_replaced_block_of_a_buffer_with_two():
    def threads(a, y, a_dfb, y_dfb):
        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as block, y_dfb.reserve() as out:
                block.store(block + 1)
                out.store(block)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    message = refused(threads)
    assert "the buffer has more than one block: make it with block_count=1" in message
