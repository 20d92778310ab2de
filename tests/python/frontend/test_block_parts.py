# SPDX-License-Identifier: Apache-2.0
"""ttl.block.subview(): copies into and out of parts of blocks."""
# feature: Shapes of blocks

import numpy as np
import pytest
import ttl
import ttnn
from test_block_functions import SIZE


def random(*extents):
    return np.random.default_rng(7).standard_normal(extents).astype(np.float32)


def moved(x, block_shape, fill, drain):
    """Returns y. fill(x, block) fills a block of a buffer, and drain(block, y) copies it to y."""
    y = np.zeros_like(x)

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=block_shape, block_count=2)

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as block:
                fill(x, block)

        @ttl.datamovement()
        def writer():
            with dfb.wait() as block:
                drain(block, y)

    op(x, y)
    return y


def copy_in(x, block):
    ttl.copy(x, block).wait()


def copy_out(block, y):
    ttl.copy(block, y).wait()


@pytest.mark.parametrize("dtype", [ttnn.bfloat16, ttnn.float32])
@pytest.mark.parametrize("memory", [ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG])
def test_every_tile_by_itself(dtype, memory):
    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(random(2 * SIZE, 3 * SIZE), dtype=dtype, layout=ttnn.TILE_LAYOUT,
                        device=device, memory_config=memory)  # fmt: skip
    y = ttnn.zeros((2 * SIZE, 3 * SIZE), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 3), block_count=1)

        @ttl.datamovement()
        def reader():
            block = dfb.reserve()
            for row in range(2):
                for column in range(3):
                    part = ttl.block.subview(block, offsets=(row, column), shape=(1, 1))
                    ttl.copy(x[row, column], part).wait()
            block.push()

        @ttl.datamovement()
        def writer():
            block = dfb.wait()
            for column in range(3):
                part = block.subview(offsets=(0, column), shape=(2, 1))
                ttl.copy(part, y[0:2, column : column + 1]).wait()
            block.pop()

    op(x, y)
    assert np.array_equal(ttnn.to_numpy(x), ttnn.to_numpy(y))


def test_rectangles_with_all_copies_in_flight():
    """fill() copies rectangles in nested loops; a branch copies the last column. drain() waits once."""

    def fill(x, block):
        for i in range(2):
            for j in range(2):
                if j == 0:
                    part = ttl.block.subview(block, (2 * i, 0), (2, 2))
                    ttl.copy(x[2 * i : 2 * i + 2, 0:2], part).wait()
                else:
                    part = ttl.block.subview(block, (2 * i, 2), (2, 1))
                    ttl.copy(x[2 * i : 2 * i + 2, 2:3], part).wait()

    def drain(block, y):
        group = ttl.GroupTransfer()
        for row in range(4):
            part = ttl.block.subview(block, offsets=(row, 0), shape=(1, 3))
            group.add(ttl.copy(part, y[row : row + 1, 0:3]))
        group.wait_all()

    x = random(4 * SIZE, 3 * SIZE)
    assert np.array_equal(moved(x, (4, 3), fill, drain), x)


def test_parts_of_blocks_of_rank_three():
    def drain(block, y):
        for batch in range(2):
            i = 0
            while i < 2:
                part = ttl.block.subview(block, offsets=(batch, 0, i), shape=(1, 2, 1))
                ttl.copy(part, y[batch, 0:2, i]).wait()
                i += 1

    x = random(2, 2 * SIZE, 2 * SIZE)
    assert np.array_equal(moved(x, (2, 2, 2), copy_in, drain), x)


def test_a_part_that_is_not_filled():
    def fill(x, block):
        ttl.copy(x[0, 0], ttl.block.subview(block, offsets=(0, 0), shape=(1, 1))).wait()

    with pytest.raises(ttl.UninitializedReadError, match="page 1 of 2"):
        moved(random(SIZE, 2 * SIZE), (1, 2), fill, copy_out)


def test_an_offset_outside_of_the_block():
    def drain(block, y):
        for i in range(3):
            part = ttl.block.subview(block, offsets=(0, i), shape=(1, 1))
            ttl.copy(part, y[0, 0]).wait()

    with pytest.raises(ttl.OutOfBoundsError, match="index 2 is out of range in dimension 1 of a "):
        moved(random(SIZE, 2 * SIZE), (1, 2), copy_in, drain)


@pytest.mark.parametrize(
    "drain, message",
    [
        (lambda b, y: ttl.block.subview(b, offsets=(0, 2), shape=(1, 1)),
         "a part of 1 tile that begins at tile 2 is out of range: dimension 1 of a block of 'dfb' "
         "has 2 tiles"),
        (lambda b, y: ttl.block.subview(b, offsets=(0, -1), shape=(1, 1)), "begins at tile -1"),
        (lambda b, y: ttl.block.subview(b, offsets=(0,), shape=(1, 1)),
         "which has shape (1, 2); found 1 offset and 2 extents"),
        (lambda b, y: ttl.block.subview(b, offsets=0, shape=(1, 1)), "offsets= takes a tuple"),
        (lambda b, y: ttl.block.subview(b, offsets=(0, 0), shape=(1, 0)), "positive integers"),
        (lambda b, y: ttl.block.subview(y, offsets=(0, 0), shape=(1, 1)), "takes a block, found"),
        (lambda b, y: ttl.copy(ttl.block.subview(b, (0, 0), (1, 1)), y[0, 0:2]).wait(),
         "has shape (1, 1), its destination has shape (1, 2)"),
        (lambda b, y: ttl.copy(ttl.block.subview(b, (0, 0), (1, 1)), b).wait(),
         "found a part of shape (1, 1) of a block and a block"),
    ],
)  # fmt: skip
def test_refusals(drain, message):
    with pytest.raises(ttl.CompileError) as caught:
        moved(random(SIZE, 2 * SIZE), (1, 2), copy_in, drain)
    assert message in str(caught.value)


def test_compute_threads_take_no_parts():
    @ttl.operation(grid=(1, 1))
    def op(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 2), block_count=1)

        @ttl.compute()
        def compute():
            with dfb.wait() as block:
                block.subview(offsets=(0, 0), shape=(1, 1))

    with pytest.raises(ttl.CompileError, match="subview.* in the compute thread 'compute'"):
        op(random(SIZE, 2 * SIZE))
