# SPDX-License-Identifier: Apache-2.0
"""Mistakes with tensor-backed buffers that are found at a launch, not when compiling."""
# feature: Tensor-backed buffers

import numpy as np
import pytest
import ttl
import ttnn

from sharded import add_one, numbers, placed, sharded_memory


def refused(kind, *parts, **settings):
    """Runs add_one() with these settings: it must raise `kind`, with all `parts` in its text."""
    config = settings.pop("config", sharded_memory("HEIGHT_SHARDED", 2, 1, (64, 32)))
    shape = settings.pop("shape", (128, 32))
    x = placed(numbers(*shape), config)
    grid, block = settings.pop("grid", (2, 1)), settings.pop("block", (1, 1))
    with pytest.raises(kind) as caught:
        add_one(grid, block, **settings)(x, x)
    report = str(caught.value)
    for part in parts:
        assert part in report, report
    assert caught.value.file.endswith("sharded.py")  # add_one() makes the buffer there


def test_nodes_without_a_shard():
    refused(ttl.ResourceError, "'x_dfb' is part of tensor 'x'", "(2,0)-(3,0) [2]", grid=(4, 1))


def test_a_shard_that_is_not_full():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (64, 32))
    refused(ttl.ResourceError, "the shard of node (1, 0) has no page 1", config=config,
            shape=(96, 32), block=(2, 1))


def test_shards_on_other_cores():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (64, 32), first=(4, 0))
    refused(ttl.ResourceError, "no shard of it is on these nodes", config=config)


def publish_twice(x, y, pops):
    """Runs an operation that publishes all blocks of x twice, and pops `pops` of them."""

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), block_count=2)

        @ttl.datamovement()
        def publisher():
            for _ in range(2):
                x_dfb.publish()

        @ttl.datamovement()
        def writer():
            for i in range(pops):
                with x_dfb.wait() as blk:
                    ttl.copy(blk, y[i, 0]).wait()

    op(x, y)


@pytest.mark.parametrize("pops", [2, 3, 4])
def test_a_second_publish_waits_until_all_blocks_are_popped(pops):
    x = placed(numbers(64, 32), sharded_memory("HEIGHT_SHARDED", 1, 1, (64, 32)))
    y = np.zeros((128, 32), np.float32)
    publish_twice(x, y, pops)
    expected = np.concatenate([numbers(64, 32)] * 2)
    expected[32 * pops :] = 0
    assert np.array_equal(y, expected)


def test_a_second_publish_that_waits_for_ever():
    x = placed(numbers(64, 32), sharded_memory("HEIGHT_SHARDED", 1, 1, (64, 32)))
    with pytest.raises(ttl.DeadlockError) as caught:
        publish_twice(x, np.zeros((128, 32), np.float32), 1)
    report = str(caught.value)
    assert "publisher() waits to reserve 2 blocks of 'x_dfb': needed 2 blocks, free 1 block" in report
    assert "writer() popped 1 block of 'x_dfb' in all" in report


def test_a_publish_that_does_not_run():
    """Only node 1 calls publish(). The report of the deadlock of node 0 names this publish() call."""
    x = placed(numbers(64, 32), sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32)))
    y = np.zeros((64, 32), np.float32)

    @ttl.operation(grid=(2, 1))
    def op(x, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))

        @ttl.datamovement()
        def publisher():
            if ttl.node(dims=1) == 1:
                x_dfb.publish()

        @ttl.datamovement()
        def writer():
            with x_dfb.wait() as blk:
                ttl.copy(blk, y[ttl.node(dims=1), 0]).wait()

    with pytest.raises(ttl.DeadlockError) as caught:
        op(x, y)
    report = str(caught.value)
    assert "'x_dfb' is part of tensor 'x', and no thread has published it so far" in report, report
    assert "publisher() publishes 'x_dfb' here" in report, report
    assert "blocked nodes: (0,0)" in report, report


def test_more_outputs_than_the_part_has():
    y = placed(numbers(64, 32), sharded_memory("HEIGHT_SHARDED", 1, 1, (64, 32)))

    @ttl.operation(grid=(1, 1))
    def op(y):
        y_dfb = ttl.make_tensor_backed_dfb(y, (1, 1), block_count=2)

        @ttl.compute()
        def compute():
            for _ in range(3):
                with y_dfb.reserve() as blk:
                    blk.store(ttl.block.fill(1, shape=(1, 1)))

    with pytest.raises(ttl.DeadlockError) as caught:
        op(y)
    report = str(caught.value)
    assert "'y_dfb' is part of tensor 'y'" in report, report
    assert "it has room for 2 blocks in all" in report, report
    assert np.array_equal(ttnn.to_numpy(y), np.ones((64, 32), np.float32))
