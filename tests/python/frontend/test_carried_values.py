# SPDX-License-Identifier: Apache-2.0
"""Variables with block expressions, blocks and transfers that loops carry and branches choose."""
# feature: Expressions that loops and branches carry; Sums over a loop

import numpy as np
import pytest
import ttl


def rows(count, seed=1):
    return np.random.default_rng(seed).random((32 * count, 32), np.float32)


def run(compute_body, a, count=1, block_count=3):
    """Runs `compute_body(a_dfb, y_dfb)` between a reader of all blocks of `a` and a writer of
    `count` blocks. Returns the blocks written."""
    y = np.zeros((32 * count, 32), np.float32)
    blocks = a.shape[0] // 32

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=block_count)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for i in range(blocks):
                with a_dfb.reserve() as block:
                    ttl.copy(a[i, 0], block).wait()

        @ttl.compute()
        def compute():
            compute_body(a_dfb, y_dfb)

        @ttl.datamovement()
        def writer():
            for i in range(count):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    op(a, y)
    return y


def summed(a):
    total = a[:32].copy()
    for first in range(32, a.shape[0], 32):
        total = total + a[first : first + 32]
    return total


@pytest.mark.parametrize("start", [0, 0.0, 2, -1.5])
def test_a_number_becomes_an_accumulator(start):
    def body(a_dfb, y_dfb):
        with y_dfb.reserve() as y:
            total = start
            for _ in range(4):
                with a_dfb.wait() as block:
                    total += block
            y.store(total)

    a = rows(4)
    expected = np.full((32, 32), start, np.float32)
    for i in range(4):
        expected = expected + a[32 * i : 32 * i + 32]
    assert np.array_equal(run(body, a), expected)


def test_a_block_becomes_an_accumulator():
    def body(a_dfb, y_dfb):
        with a_dfb.wait() as first, y_dfb.reserve() as y:
            total = first
            for i in range(3):
                total = total + first * i
            y.store(total)

    a = rows(1)
    assert np.array_equal(run(body, a), a + a * np.float32(0) + a * 1 + a * 2)


def test_a_block_becomes_an_accumulator_of_a_loop_of_run_time_length():
    """The variable `total` starts as the block `first`, which the loop also reads."""

    def body(a_dfb, y_dfb):
        with a_dfb.wait() as first, y_dfb.reserve() as y:
            total = first
            for i in range(ttl.node(dims=1) + 70):
                total = total + first * i
                for _ in range(ttl.node(dims=1) + 1):
                    total = total + first
            y.store(total)

    a = np.floor(rows(1) * 8)
    assert np.array_equal(run(body, a), a * (1 + sum(range(70)) + 70))


def test_an_accumulator_of_a_while():
    def body(a_dfb, y_dfb):
        with y_dfb.reserve() as y:
            total = 0
            i = 0
            while i < 4:
                with a_dfb.wait() as block:
                    total += block
                i += 1
            y.store(total)

    a = rows(4)
    assert np.array_equal(run(body, a), summed(a))


def test_a_block_on_one_path_and_an_expression_on_the_other():
    def body(a_dfb, y_dfb):
        x = ttl.node(dims=1)
        for i in range(4):
            with a_dfb.wait() as block, y_dfb.reserve() as y:
                if i == x + 1:
                    value = block
                elif i == x + 2:
                    value = 1
                else:
                    value = block * 2
                y.store(value + block)

    a = rows(4)
    expected = a.reshape(4, 32, 32).copy()
    expected[0] *= 3
    expected[1] *= 2
    expected[2] += 1
    expected[3] *= 3
    result = run(body, a, count=4).reshape(4, 32, 32)
    assert np.array_equal(result[1:3], expected[1:3])
    assert np.allclose(result, expected)


def test_one_of_two_held_blocks():
    def body(a_dfb, y_dfb):
        x = ttl.node(dims=1)
        for i in range(2):
            p = a_dfb.wait()
            q = a_dfb.wait()
            with y_dfb.reserve() as y:
                if i == x:
                    chosen = p
                else:
                    chosen = q
                y.store(chosen)
            p.pop()
            q.pop()

    a = rows(4)
    assert np.array_equal(run(body, a, count=2), np.concatenate([a[:32], a[96:]]))


def test_reading_keeps_all_values():
    def body(a_dfb, y_dfb):
        with a_dfb.wait() as block, y_dfb.reserve() as y:
            value = 0.0
            if ttl.node(dims=1) == 0:
                value = block
            y.store(value)

    a = np.zeros((32, 32), np.float32)
    a[0, :6] = [-0.0, np.inf, -np.inf, 1e-42, 3.4e38, np.nan]
    result = run(body, a)
    assert result.view(np.uint32).tolist() == a.view(np.uint32).tolist()


def test_rotating_blocks_of_data_movement():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=3)

        @ttl.datamovement()
        def reader():
            block = dfb.reserve()
            transfer = ttl.copy(a[0, 0], block)
            for i in range(1, 5):
                next_block = dfb.reserve()
                next_transfer = ttl.copy(a[i, 0], next_block)
                transfer.wait()
                block.push()
                block = next_block
                transfer = next_transfer
            transfer.wait()
            block.push()

        @ttl.datamovement()
        def writer():
            for i in range(5):
                with dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    a = rows(5)
    y = np.zeros_like(a)
    op(a, y)
    assert np.array_equal(a, y)


def test_blocks_that_either_branch_acquires():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=3)

        @ttl.datamovement()
        def reader():
            for i in range(4):
                if i == ttl.node(dims=1) + 1:
                    block = dfb.reserve()
                    transfer = ttl.copy(a[0, 0], block)
                else:
                    block = dfb.reserve()
                    transfer = ttl.copy(a[i, 0], block)
                transfer.wait()
                block.push()

        @ttl.datamovement()
        def writer():
            for i in range(4):
                with dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()

    a = rows(4)
    y = np.zeros_like(a)
    op(a, y)
    assert np.array_equal(y, np.concatenate([a[:32], a[:32], a[64:]]))


def test_blocks_that_loops_of_compute_threads_pass_on():
    def body(a_dfb, y_dfb):
        p = a_dfb.wait()
        for _ in range(4 + ttl.node(dims=1)):
            q = a_dfb.wait()
            with y_dfb.reserve() as y:
                y.store(p + q)
            p.pop()
            p = q
        p.pop()

    a = rows(5)
    assert np.array_equal(run(body, a, count=4), a[:128] + a[32:])


def test_shapes_that_no_loop_carries():
    @ttl.operation(grid=(1, 1))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        b_dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 1))

        @ttl.compute()
        def compute():
            with a_dfb.wait() as small, b_dfb.wait() as large:
                value = small * 2
                for _ in range(3):
                    value = large * 2

    with pytest.raises(ttl.CompileError, match=r"it is a block expression of shape \(1, 1\) "
                       r"before this loop and a block expression of shape \(2, 1\) after"):
        op.ir(rows(2))
