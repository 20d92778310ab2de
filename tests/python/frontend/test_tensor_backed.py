# SPDX-License-Identifier: Apache-2.0
"""Tensor-backed buffers: their blocks are parts of a shard, so no data is copied to use them."""
# feature: Tensor-backed buffers

import gc

import numpy as np
import pytest
import ttl
import ttnn

from sharded import DEVICE, F32, add_one, numbers, placed, sharded_memory

SHARDINGS = {
    "height": ("HEIGHT_SHARDED", 4, 1, (64, 96), (256, 96)),
    "width": ("WIDTH_SHARDED", 4, 1, (64, 96), (64, 384)),
    "block": ("BLOCK_SHARDED", 2, 3, (64, 32), (192, 64)),
}


@pytest.mark.parametrize("name", SHARDINGS)
@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16])
def test_shards(name, dtype):
    layout, columns, rows, shard, shape = SHARDINGS[name]
    config = sharded_memory(layout, columns, rows, shard)
    x_host = numbers(*shape)
    x = placed(x_host, config, dtype)
    y = placed(np.zeros(shape, np.float32), config, dtype)
    x_seen = ttnn.to_numpy(x)
    add_one((columns, rows), (shard[0] // 32, shard[1] // 32))(x, y)
    exact = placed(x_seen + 1, config, dtype)  # placed() rounds to `dtype`, as the store does
    assert np.array_equal(ttnn.to_numpy(y), ttnn.to_numpy(exact))
    assert np.array_equal(ttnn.to_numpy(x), x_seen)


def test_shards_in_column_major_order():
    config = sharded_memory("BLOCK_SHARDED", 2, 3, (64, 32), "COL_MAJOR")
    x_host = numbers(128, 96)
    x, y = placed(x_host, config), placed(np.zeros((128, 96), np.float32), config)
    add_one((2, 3), (2, 1))(x, y)
    assert np.array_equal(ttnn.to_numpy(y), x_host + 1)


@pytest.mark.parametrize("shape, count", [((1, 1), 6), ((1, 3), 2), ((2, 1), 3), ((2, 3), 1)])
def test_several_blocks(shape, count):
    """A shard holds its tiles row by row. Each block is the next part of them, whatever its shape."""
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (64, 96))
    x_host = numbers(128, 96)
    x, y = placed(x_host, config), placed(np.zeros((128, 96), np.float32), config)
    add_one((2, 1), shape, count)(x, y)
    assert np.array_equal(ttnn.to_numpy(y), x_host + 1)


def test_blocks_follow_the_tiles_of_the_shard():
    config = sharded_memory("HEIGHT_SHARDED", 1, 1, (64, 64))
    x_host, y_host = numbers(64, 64), np.zeros((64, 64), np.float32)
    x, y = placed(x_host, config), placed(y_host, config)

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 2), block_count=2)
        y_dfb = ttl.make_tensor_backed_dfb(y, (2, 1), block_count=2)

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()

        @ttl.compute()
        def compute():
            for _ in range(2):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(ttl.block.transpose(x_blk))

    op(x, y)
    tiles = x_host.reshape(2, 32, 2, 32).swapaxes(1, 2)  # tiles[row, column] is one tile
    expected = tiles.transpose(0, 1, 3, 2).swapaxes(1, 2).reshape(64, 64)
    assert np.array_equal(ttnn.to_numpy(y), expected)


def test_byte_offset():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (128, 32))
    x_host, y_host = numbers(256, 32), numbers(256, 32, seed=1)
    x, y = placed(x_host, config), placed(y_host, config)
    add_one((2, 1), (1, 1), 2, byte_offset=2 * F32)(x, y)
    expected = y_host.copy()
    for shard in (0, 128):
        rows = slice(shard + 64, shard + 128)
        expected[rows] = x_host[rows] + 1
    assert np.array_equal(ttnn.to_numpy(y), expected)


def test_two_parts_of_one_tensor():
    """Adds the first half of each shard to the second half: two buffers are parts of one tensor."""
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (64, 32))
    x_host = numbers(128, 32)
    x = placed(x_host, config)
    y = placed(np.zeros((64, 32), np.float32), sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32)))

    @ttl.operation(grid=(2, 1))
    def op(x, y):
        low = ttl.make_tensor_backed_dfb(x, (1, 1))
        high = ttl.make_tensor_backed_dfb(x, (1, 1), byte_offset=F32)
        y_dfb = ttl.make_tensor_backed_dfb(y, (1, 1))

        @ttl.datamovement()
        def publisher():
            low.publish()
            high.publish()

        @ttl.compute()
        def compute():
            with low.wait() as a, high.wait() as b, y_dfb.reserve() as out:
                out.store(a + b)

    op(x, y)
    halves = x_host.reshape(2, 2, 32, 32)
    assert np.array_equal(ttnn.to_numpy(y), (halves[:, 0] + halves[:, 1]).reshape(64, 32))


@pytest.mark.parametrize("shape, count", [((2, 2), 1), ((1, 1), 4)])
def test_in_place(shape, count):
    """The input and the output of the kernel are the same tensor."""
    config = sharded_memory("BLOCK_SHARDED", 2, 2, (64, 64))
    x_host = numbers(128, 128)
    x = placed(x_host, config)

    @ttl.operation(grid=(2, 2))
    def op(x):
        x_dfb = ttl.make_tensor_backed_dfb(x, shape, count)
        y_dfb = ttl.make_tensor_backed_dfb(x, shape, count)

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()

        @ttl.compute()
        def compute():
            for _ in range(count):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(x_blk * x_blk + x_blk)

    for _ in range(2):
        op(x)
        x_host = x_host * x_host + x_host
        assert np.array_equal(ttnn.to_numpy(x), x_host)


def test_a_tensor_as_both_arguments():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32))
    x_host = numbers(64, 32)
    x = placed(x_host, config)
    add_one((2, 1), (1, 1))(x, x)
    assert np.array_equal(ttnn.to_numpy(x), x_host + 1)


def test_a_loop_around_a_loop():
    """The outer loop reads blocks of a tensor-backed buffer, the inner loop blocks that a reader copies."""
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (96, 32))
    x_host, w_host = numbers(192, 32), numbers(64, 32, seed=1)
    x, w = placed(x_host, config), ttnn.from_numpy(w_host, device=DEVICE)
    y = placed(np.zeros((192, 32), np.float32), config)

    @ttl.operation(grid=(2, 1))
    def op(x, w, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), block_count=3)
        y_dfb = ttl.make_tensor_backed_dfb(y, (1, 1), block_count=3)
        w_dfb = ttl.make_dataflow_buffer_like(w, (1, 1))

        @ttl.datamovement()
        def reader():
            x_dfb.publish()
            for _ in range(3):
                for k in range(2):
                    with w_dfb.reserve() as blk:
                        ttl.copy(w[k, 0], blk).wait()

        @ttl.compute()
        def compute():
            for _ in range(3):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    total = ttl.block.fill(0, shape=(1, 1))
                    for k in range(2):
                        with w_dfb.wait() as w_blk:
                            total += x_blk * w_blk
                    y_blk.store(total)

    op(x, w, y)
    rows = x_host.reshape(6, 32, 32)
    expected = np.float32(0) + rows * w_host[:32] + rows * w_host[32:]
    assert np.allclose(ttnn.to_numpy(y), expected.reshape(192, 32), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("place", ["branch in a loop", "loop in a branch", "while", "early end"])
def test_publish_under_branches(place):
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32))
    x_host = numbers(64, 32)
    x, y = placed(x_host, config), placed(np.zeros((64, 32), np.float32), config)

    @ttl.operation(grid=(2, 1))
    def op(x, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))
        y_dfb = ttl.make_tensor_backed_dfb(y, (1, 1))

        @ttl.datamovement()
        def publisher():
            node = ttl.node(dims=1)
            if place == "branch in a loop":
                for i in range(3):
                    if i == node + 1:
                        x_dfb.publish()
            elif place == "loop in a branch":
                if node < 5:
                    for _ in range(node, node + 1):
                        x_dfb.publish()
            elif place == "while":
                i = node
                while i < 4:
                    if i == 3:
                        x_dfb.publish()
                    i += 1
            else:
                for i in range(4):
                    if i == node:
                        x_dfb.publish()
                        return

        @ttl.compute()
        def compute():
            with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                y_blk.store(x_blk + 1)

    op(x, y)
    assert np.array_equal(ttnn.to_numpy(y), x_host + 1)


def test_unified_body():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (64, 32))
    x_host, b_host = numbers(128, 32), numbers(32, 32, seed=1)
    x, b = placed(x_host, config), ttnn.from_numpy(b_host, device=DEVICE)
    y = placed(np.zeros((128, 32), np.float32), config)

    @ttl.operation(grid=(2, 1))
    def op(x, b, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), block_count=2)
        y_dfb = ttl.make_tensor_backed_dfb(y, (1, 1), block_count=2)
        b_dfb = ttl.make_dfb(ttnn.float32, (1, 1))
        x_dfb.publish()
        for _ in range(2):
            ttl.copy(b[0, 0], b_dfb.reserve()).wait()
            y_dfb.reserve().store(x_dfb.wait() + b_dfb.wait())

    for _ in range(2):
        op(x, b, y)
        expected = (x_host.reshape(4, 32, 32) + b_host).reshape(128, 32)
        assert np.array_equal(ttnn.to_numpy(y), expected)


def test_copies_into_and_out_of_the_tensor():
    """Data movement threads copy into and out of blocks of tensor-backed buffers."""
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (64, 32))
    x_host = numbers(128, 32)
    x, y = placed(x_host, config), placed(np.zeros((128, 32), np.float32), config)
    z = ttnn.zeros((128, 32), device=DEVICE)
    source = ttnn.from_numpy(x_host * 2, device=DEVICE)

    @ttl.operation(grid=(2, 1))
    def op(source, x, y, z):
        x_dfb = ttl.make_tensor_backed_dfb(x, (2, 1))
        y_dfb = ttl.make_tensor_backed_dfb(y, (2, 1))

        @ttl.datamovement()
        def reader():
            row = ttl.node(dims=1) * 2
            with y_dfb.reserve() as blk:
                ttl.copy(source[row : row + 2, 0], blk).wait()
            x_dfb.publish()

        @ttl.datamovement()
        def writer():
            row = ttl.node(dims=1) * 2
            with x_dfb.wait() as blk:
                ttl.copy(blk, z[row : row + 2, 0]).wait()

    op(source, x, y, z)
    assert np.array_equal(ttnn.to_numpy(y), x_host * 2)
    assert np.array_equal(ttnn.to_numpy(z), x_host)


def test_row_major_rows():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (8, 16))
    x_host = numbers(16, 16)
    x = placed(x_host, config, layout=ttnn.ROW_MAJOR_LAYOUT)
    y = ttnn.from_numpy(
        np.zeros((16, 16), np.float32), layout=ttnn.ROW_MAJOR_LAYOUT, device=DEVICE
    )

    @ttl.operation(grid=(2, 1))
    def op(x, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, (4, 16), block_count=2)

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()

        @ttl.datamovement()
        def writer():
            for k in range(2):
                row = ttl.node(dims=1) * 8 + k * 4
                with x_dfb.wait() as blk:
                    ttl.copy(blk, y[row : row + 4, :]).wait()

    op(x, y)
    assert np.array_equal(ttnn.to_numpy(y), x_host)


def test_elements_in_place():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32))
    x_host = numbers(64, 32)
    x = placed(x_host, config)

    @ttl.operation(grid=(2, 1))
    def op(x):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()
            with x_dfb.wait() as blk:
                ttl.raw_element_write(blk, 3, 4, value=ttl.raw_element_read(blk, 3, 4) + 1.0)

    op(x)
    x_host[3, 4] += 1
    x_host[35, 4] += 1
    assert np.array_equal(ttnn.to_numpy(x), x_host)


@pytest.mark.finds("outputs")
def test_blocks_that_arrive_over_a_pipe():
    """Node 0 sends its shard over a pipe; nodes 1 to 3 receive it into their own shards."""
    config = sharded_memory("HEIGHT_SHARDED", 4, 1, (32, 32))
    x_host = numbers(128, 32)
    x, y = placed(x_host, config), placed(np.zeros((128, 32), np.float32), config)

    @ttl.operation(grid=(4, 1))
    def op(x, y):
        net = ttl.PipeNet([ttl.Pipe((0, 0), (slice(1, 4), 0))])
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))
        y_dfb = ttl.make_tensor_backed_dfb(y, (1, 1))

        @ttl.datamovement()
        def sender():
            x_dfb.publish()

            def send(pipe):
                with x_dfb.wait() as blk:
                    ttl.copy(blk, pipe).wait()

            net.if_src(send)

        @ttl.datamovement()
        def receiver():
            def receive(pipe):
                with y_dfb.reserve() as blk:
                    ttl.copy(pipe, blk).wait()

            net.if_dst(receive)

    op(x, y)
    expected = np.concatenate([np.zeros((32, 32), np.float32)] + [x_host[:32]] * 3)
    assert np.array_equal(ttnn.to_numpy(y), expected)


def test_a_tensor_that_is_no_argument():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32))
    x_host = numbers(64, 32)
    captured, y = placed(x_host, config), placed(np.zeros((64, 32), np.float32), config)

    @ttl.operation(grid=(2, 1))
    def op(y):
        x_dfb = ttl.make_tensor_backed_dfb(captured, (1, 1))
        y_dfb = ttl.make_tensor_backed_dfb(y, (1, 1))

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()

        @ttl.compute()
        def compute():
            with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                y_blk.store(x_blk + 1)

    for _ in range(2):
        op(y)
        assert np.array_equal(ttnn.to_numpy(y), x_host + 1)


def test_a_body_that_asks_for_its_node():
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32))
    x_host = numbers(64, 32)
    x, y = placed(x_host, config), placed(np.zeros((64, 32), np.float32), config)

    @ttl.operation(grid=(2, 1))
    def op(x, y):
        number = ttl.node(dims=1) + 1.0
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))
        y_dfb = ttl.make_tensor_backed_dfb(y, (1, 1))

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()

        @ttl.compute()
        def compute():
            with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                y_blk.store(x_blk + number)

    op(x, y)
    assert np.array_equal(ttnn.to_numpy(y), x_host + np.repeat(np.float32([[1], [2]]), 32, 0))


@pytest.mark.finds("outputs")
def test_further_launches():
    """Launches with other data or other tensors reuse the compiled program. A tensor with shards of
    another shape needs a new program."""
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32))
    op = add_one((2, 1), (1, 1))
    keep = []  # kept alive, so that later tensors get other addresses
    before = ttl._cache_info()
    for seed in range(3):
        x_host = numbers(64, 32, seed=seed)
        keep.append(placed(x_host, config))
        x, y = placed(x_host, config), placed(np.zeros((64, 32), np.float32), config)
        keep += [x, y]
        op(x, y)
        assert np.array_equal(ttnn.to_numpy(y), x_host + 1)
    other = sharded_memory("HEIGHT_SHARDED", 2, 1, (64, 32))
    x_host = numbers(128, 32)
    x, y = placed(x_host, other), placed(np.zeros((128, 32), np.float32), other)
    op(x, y)
    expected = np.zeros((4, 32, 32), np.float32)
    expected[::2] = x_host.reshape(4, 32, 32)[::2] + 1  # the first tile of each shard
    assert np.array_equal(ttnn.to_numpy(y), expected.reshape(128, 32))
    after = ttl._cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (2, 2)


def test_the_offset_is_part_of_the_cache_key():
    config = sharded_memory("HEIGHT_SHARDED", 1, 1, (64, 32))
    x_host = numbers(64, 32)
    x = placed(x_host, config)

    @ttl.operation(grid=(1, 1))
    def op(x, y, offset):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1), byte_offset=offset)

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()

        @ttl.datamovement()
        def writer():
            with x_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    for tile in (0, 1, 0):
        y = np.zeros((32, 32), np.float32)
        op(x, y, tile * F32)
        assert np.array_equal(y, x_host[tile * 32 : tile * 32 + 32])


def test_an_allocation_group():
    """Two output buffers of one allocation group are the same part of a tensor. One is written first."""
    config = sharded_memory("HEIGHT_SHARDED", 1, 1, (32, 32))
    y = placed(np.zeros((32, 32), np.float32), config)
    z = np.zeros((64, 32), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(y, z):
        group = ttl.make_dfb_allocation_group()
        first = ttl.make_tensor_backed_dfb(y, (1, 1), allocation_group=group)
        second = ttl.make_tensor_backed_dfb(y, (1, 1), allocation_group=group)

        @ttl.compute()
        def compute():
            first.reserve().store(ttl.block.fill(1, shape=(1, 1)))
            second.reserve().store(ttl.block.fill(2, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            ttl.copy(first.wait(), z[0, 0]).wait()
            ttl.copy(second.wait(), z[1, 0]).wait()

    op(y, z)
    assert np.array_equal(z, np.repeat([[1], [2]], 32, 0) * np.ones((1, 32)))
    assert np.array_equal(ttnn.to_numpy(y), np.full((32, 32), 2))


def test_a_host_tensor_with_shards():
    """A tensor that is not on the device can back a buffer: the kernel's output is copied back into it."""
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32))
    x_host = numbers(64, 32)
    x = ttnn.from_numpy(x_host, memory_config=config)
    y = ttnn.from_numpy(np.zeros((64, 32), np.float32), memory_config=config)
    add_one((2, 1), (1, 1))(x, y)
    assert np.array_equal(ttnn.to_numpy(y), x_host + 1)


def explicit():
    @ttl.operation(grid=(2, 1))
    def op(x):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))

        @ttl.datamovement()
        def mover():
            x_dfb.publish()
            x_dfb.wait().pop()

    return op


def unified():
    @ttl.operation(grid=(2, 1))
    def op(x):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))
        y_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))
        x_dfb.publish()
        y_dfb.reserve().store(x_dfb.wait() + 1)

    return op


def asks_for_its_node():
    @ttl.operation(grid=(2, 1))
    def op(x):
        number = ttl.node(dims=1) + 1.0
        y_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))

        @ttl.compute()
        def compute():
            y_dfb.reserve().store(ttl.block.fill(number, shape=(1, 1)))

    return op


def defines_functions():
    @ttl.operation(grid=(2, 1))
    def op(x):
        x_dfb = ttl.make_tensor_backed_dfb(x, (1, 1))

        @ttl.datamovement()
        def mover():
            def publish():
                assert x.shape == (64, 32)
                x_dfb.publish()

            publish()
            [(lambda: x_dfb.wait().pop())() for _ in range(1)]

    return op


@pytest.mark.parametrize("make", [explicit, unified, asks_for_its_node, defines_functions])
def test_launches_keep_no_tensors(make):
    """A launch keeps no reference to its tensors. A program that makes new tensors in L1 for each launch
    must not run out of L1 when the garbage collector is off."""
    config = sharded_memory("HEIGHT_SHARDED", 2, 1, (32, 32))
    gc.collect()
    gc.disable()
    try:
        addresses = set()
        op = make()
        for _ in range(3):
            x = placed(np.zeros((64, 32), np.float32), config)
            addresses.add(x.buffer_address())
            op(x)
            del x
    finally:
        gc.enable()
    assert len(addresses) == 1
