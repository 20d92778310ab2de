# SPDX-License-Identifier: Apache-2.0
"""Releases before those of older blocks, and copies: uses of blocks that run here and --strict refuses."""
# feature: Several blocks of one buffer

import numpy as np
import pytest
import ttl

ignored = pytest.mark.filterwarnings("ignore::ttl.KernelWarning")


def run(compute_body, rows=4, block_count=4, options=""):
    """Runs compute_body(a_dfb, y_dfb, 0), which stores one tile. Returns that tile's number."""
    a = np.arange(1, rows + 1, dtype=np.float32).repeat(32)[:, None] * np.ones((1, 32), np.float32)
    y = np.zeros((32, 32), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=block_count)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for row in range(rows):
                with a_dfb.reserve() as block:
                    ttl.copy(a[row, 0], block).wait()

        @ttl.compute()
        def compute():
            compute_body(a_dfb, y_dfb, ttl.node(dims=1))

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    op(a, y, options=options)
    assert (y == y[0, 0]).all()
    return y[0, 0]


def in_one_list(a_dfb, y_dfb, zero):
    first, second = a_dfb.wait(), a_dfb.wait()
    with y_dfb.reserve() as y:
        y.store(second - first)
    second.pop()
    first.pop()
    for _ in range(2):
        with a_dfb.wait():
            pass


def around_a_loop(a_dfb, y_dfb, zero):
    with a_dfb.wait() as first, y_dfb.reserve() as y:
        total = ttl.fill(0, shape=(1, 1))
        for _ in range(3):
            with a_dfb.wait() as x:
                total = total + x * first
        y.store(total)


def around_a_loop_of_run_time_length(a_dfb, y_dfb, zero):
    with a_dfb.wait() as first, y_dfb.reserve() as y:
        total = ttl.fill(0, shape=(1, 1))
        for _ in range(3 + zero):
            with a_dfb.wait() as x:
                total = total + x * first
        y.store(total)


def around_a_while(a_dfb, y_dfb, zero):
    with a_dfb.wait() as first, y_dfb.reserve() as y:
        total = ttl.fill(0, shape=(1, 1))
        i = zero
        while i < 3:
            with a_dfb.wait() as x:
                total = total + x * first
            i += 1
        y.store(total)


@ignored
@pytest.mark.parametrize("body, result", [
    (in_one_list, 1), (around_a_loop, 9), (around_a_loop_of_run_time_length, 9), (around_a_while, 9)],
    ids=lambda value: getattr(value, "__name__", ""))
def test_out_of_order(body, result):
    assert run(body) == result


def test_strict_refuses_it():
    with pytest.warns(ttl.CardWarning, match="this releases block 'second' of 'a_dfb' before block 'first'"):
        run(in_one_list, block_count=5)  # the launch cache has no program with 5 blocks
    with pytest.raises(ttl.CompileError, match="refuses this for a card"):
        run(in_one_list, options="--strict")


@ignored
def test_too_few_blocks():
    with pytest.raises(ttl.CompileError, match="acquires one more block of 'a_dfb' than the buffer has") as caught:
        run(around_a_loop, block_count=3)
    assert "this block is still held" in str(caught.value)
    with pytest.raises(ttl.ProtocolError, match="which has room for 3 blocks"):
        run(around_a_loop_of_run_time_length, block_count=3)


def test_ends_of_copies():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
                ttl.copy(block, y[0, 0]).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as block:
                assert ttl.raw_element_read(block, 0, 0) == 1.0
                ttl.copy(a[0, 0], block).wait()

    a, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    with pytest.warns(ttl.CardWarning) as caught:
        op(a, y)
    texts = [str(warning.message) for warning in caught]
    assert any("which reserve() returned, to a tensor" in text for text in texts)
    assert any("which wait() returned: tt-lang's compiler refuses" in text for text in texts)
    with pytest.raises(ttl.CompileError, match="tt-lang's compiler refuses this for a card"):
        op(a, y, options="--strict")


def test_strict_knows_the_pointer_of_a_data_movement_thread():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as first, dfb.reserve() as second:
                ttl.copy(a[0, 0], first).wait()
                ttl.copy(a[1, 0], second).wait()

        @ttl.datamovement()
        def writer():
            for row in range(2):
                with dfb.wait() as block:
                    ttl.copy(block, y[row, 0]).wait()

    a = np.ones((64, 32), np.float32)
    y = np.zeros_like(a)
    op(a, y)
    assert np.array_equal(a, y)
    with pytest.raises(ttl.CompileError, match="uses block 'second' of 'dfb' while the thread holds block 'first'"):
        op(a, y, options="--strict")


def test_strict_knows_replaced_blocks():
    def body(a_dfb, y_dfb, zero):
        with a_dfb.wait() as x, y_dfb.reserve() as y:
            x.store(x + 1)
            y.store(x)

    assert run(body, rows=1, block_count=1, options="--strict") == 2
    assert run(body, rows=1, block_count=2) == 2
    with pytest.raises(ttl.CompileError, match="make it with block_count=1"):
        run(body, rows=1, block_count=2, options="--strict")


def left_to_the_compiler(a_dfb, y_dfb, zero):
    with y_dfb.reserve() as y:
        y.store(a_dfb.wait())
        for _ in range(3 + zero):
            with a_dfb.wait() as x:
                y += x


def left_to_the_compiler_in_a_loop(a_dfb, y_dfb, zero):
    total = ttl.fill(0, shape=(1, 1))
    for i in range(2 + zero):
        x = a_dfb.wait()
        total += x
        for _ in range(1 + zero):
            with a_dfb.wait() as z:
                total += z
    with y_dfb.reserve() as y:
        y.store(total)


def left_to_the_compiler_before_a_return(a_dfb, y_dfb, zero):
    total = ttl.fill(0, shape=(1, 1))
    for _ in range(2 + zero):
        if zero == 1:
            return
        a_dfb.wait().pop()
        total += a_dfb.wait()
    with y_dfb.reserve() as y:
        y.store(total)


@ignored
@pytest.mark.parametrize("body, result", [
    (left_to_the_compiler, 10), (left_to_the_compiler_in_a_loop, 10), (left_to_the_compiler_before_a_return, 6)],
    ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("block_count", [2, 3])
def test_an_older_block_that_the_program_never_releases(body, result, block_count):
    """The compiler releases the older block after its last use, so it needs one slot only."""
    assert run(body, block_count=block_count) == result
