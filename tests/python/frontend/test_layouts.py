# SPDX-License-Identifier: Apache-2.0
"""Tensors in L1, row-major tensors, sharded tensors, and slices of all of them."""
# feature: Slices of tensors; Row-major tensors; Shards

import os
import re
import subprocess
import sys

import numpy as np
import pytest
import ttl
import ttnn

DEVICE = ttnn.open_device()


def numbers(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def grid(columns, rows=1, first=(0, 0)):
    last = (first[0] + columns - 1, first[1] + rows - 1)
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(*first), ttnn.CoreCoord(*last))])


def sharded(layout, cores, shape, buffer=ttnn.BufferType.L1, orientation=None):
    orientation = orientation or ttnn.ShardOrientation.ROW_MAJOR
    spec = ttnn.ShardSpec(cores, shape, orientation)
    return ttnn.MemoryConfig(getattr(ttnn.TensorMemoryLayout, layout), buffer, spec)


def copy_parts(a, y, parts, block):
    """Copies y[to] = a[from] for each pair (from, to) of `parts`, through blocks of shape `block`."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=block)

        @ttl.datamovement()
        def reader():
            for source, _ in parts:
                with dfb.reserve() as blk:
                    ttl.copy(a[source], blk).wait()

        @ttl.datamovement()
        def writer():
            for _, target in parts:
                with dfb.wait() as blk:
                    ttl.copy(blk, y[target]).wait()

    op(a, y)


# ===--------------------------------------------------------------------------=== #
# Tensors in L1
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16])
def test_l1_tensors(dtype):
    values = numbers(64, 96) % 256
    a = ttnn.from_numpy(values, dtype, device=DEVICE, memory_config=ttnn.L1_MEMORY_CONFIG)
    y = ttnn.zeros((64, 96), dtype, device=DEVICE, memory_config=ttnn.L1_MEMORY_CONFIG)
    assert a.memory_config() == ttnn.L1_MEMORY_CONFIG and a.buffer_address() > 2**20
    copy_parts(a, y, [((slice(0, 2), slice(0, 3)),) * 2], (2, 3))
    assert np.array_equal(y.to_numpy(), values)


def test_memory_space_places_host_tensors_in_l1():
    @ttl.operation(grid=(2, 1), memory_space="L1")
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        out = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            x, _ = ttl.node()
            with dfb.reserve() as blk:
                ttl.copy(a[0, x], blk).wait()

        @ttl.compute()
        def compute():
            with dfb.wait() as blk, out.reserve() as result:
                result.store(blk + blk)

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node()
            with out.wait() as blk:
                ttl.copy(blk, y[0, x]).wait()

    a, y = numbers(32, 64), np.zeros((32, 64), np.float32)
    assert "ttl.tensor_encoding<l1" in op.ir(a, y)
    op(a, y)
    assert np.array_equal(y, 2 * a)


def test_buffers_that_reach_into_l1_tensors_are_a_fault():
    full = ttnn.zeros((64 * 32, 32 * 320), device=DEVICE, memory_config=ttnn.L1_MEMORY_CONFIG)

    @ttl.operation(grid=(1, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(8, 8))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[0:8, 0:8], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, a[0:8, 0:8]).wait()

    with pytest.raises(ttl.ResourceError, match="buffer 'dfb' ends at L1 address"):
        op(full)


# ===--------------------------------------------------------------------------=== #
# Row-major tensors
# ===--------------------------------------------------------------------------=== #


def rows(values, memory=ttnn.DRAM_MEMORY_CONFIG, dtype=ttnn.float32):
    return ttnn.from_numpy(values, dtype, layout=ttnn.ROW_MAJOR_LAYOUT, device=DEVICE,
                           memory_config=memory)


ROW_PARTS = [
    ((6, 16), (3, slice(0, 16)), (1, 16)),  # a whole row
    ((5, 7), (slice(1, 4), slice(0, 7)), (3, 7)),  # rows that are not aligned
    ((5, 40), (slice(0, 5), slice(3, 20)), (5, 17)),  # parts of rows
    ((5, 40), (slice(2, 4), 39), (2, 1)),
    ((2, 3, 9), (1, slice(0, 3), slice(4, 9)), (1, 3, 5)),
    ((2, 3, 9), (1, slice(0, 3), slice(4, 9)), (3, 5)),  # a block may lack leading dimensions of extent 1
    ((2, 2, 2, 5), (slice(0, 2), 1, slice(0, 2), slice(1, 3)), (2, 1, 2, 2)),
    ((11,), (slice(2, 6),), (4,)),
    ((11,), (-1,), (1,)),
]


@pytest.mark.parametrize("memory", [ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG])
@pytest.mark.parametrize("shape, index, block", ROW_PARTS)
def test_parts_of_row_major_tensors(shape, index, block, memory):
    for dtype in (ttnn.float32, ttnn.uint16, ttnn.uint8):
        values = numbers(*shape) % 251
        a, y = rows(values, memory, dtype), rows(np.zeros(shape), memory, dtype)
        copy_parts(a, y, [(index, index)], block)
        expected = np.zeros(shape, np.float32)
        expected[index] = values[index]
        assert np.array_equal(y.to_numpy(), expected)


def test_parts_with_starts_known_at_run_time():
    @ttl.operation(grid=(4, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 5))

        @ttl.datamovement()
        def reader():
            x, _ = ttl.node()
            with dfb.reserve() as blk:
                ttl.copy(a[x : x + 2, x * 5 : (x + 1) * 5], blk).wait()

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node()
            with dfb.wait() as blk:
                ttl.copy(blk, y[2 * x : 2 * x + 2, 0:5]).wait()

    values = numbers(5, 20)
    a, y = rows(values), rows(np.zeros((8, 5)))
    op(a, y)
    expected = [values[x : x + 2, x * 5 : x * 5 + 5] for x in range(4)]
    assert np.array_equal(y.to_numpy(), np.concatenate(expected))


def test_a_tensor_of_rank_0():
    a, y = rows(np.float32(7)), rows(np.zeros(()))

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1,))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[()], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y).wait()

    op(a, y)
    assert y.to_numpy() == 7 and y.shape == ()


def test_host_arrays_in_row_major_layout():
    @ttl.operation(grid=(1, 1), tiled=False)
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(3, 4))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[:, 2:6], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[:, :]).wait()

    a, y = numbers(3, 7), np.zeros((3, 4), np.float32)
    op(a, y)
    assert np.array_equal(y, a[:, 2:6])


# ===--------------------------------------------------------------------------=== #
# Sharded tensors
# ===--------------------------------------------------------------------------=== #

SHARDED = {
    "height": ((128, 64), lambda: sharded("HEIGHT_SHARDED", grid(4), (32, 64)), (1, 2)),
    "height of rank 3": ((2, 64, 32), lambda: sharded("HEIGHT_SHARDED", grid(2, 2), (32, 32)),
                         (1, 1)),
    "width": ((64, 96), lambda: sharded("WIDTH_SHARDED", grid(1, 3), (64, 32)), (2, 1)),
    "block": ((64, 96), lambda: sharded("BLOCK_SHARDED", grid(3, 2, (2, 1)), (32, 32)), (1, 1)),
    "columns first": ((64, 96), lambda: sharded(
        "BLOCK_SHARDED", grid(2, 3), (32, 32), orientation=ttnn.ShardOrientation.COL_MAJOR),
        (1, 1)),
    "DRAM": ((128, 32), lambda: sharded("HEIGHT_SHARDED", grid(4), (32, 32), ttnn.BufferType.DRAM),
             (1, 1)),
}


def shards_of(values, height, width):
    table = values.reshape(-1, values.shape[-1])
    return [table[r : r + height, c : c + width] for r in range(0, table.shape[0], height)
            for c in range(0, table.shape[1], width)]


@pytest.mark.parametrize("name", SHARDED)
def test_shards_by_their_number(name):
    shape, memory, block = SHARDED[name]
    height, width = memory().shard_spec.shape
    values = numbers(*shape)
    a = ttnn.from_numpy(values, device=DEVICE, memory_config=memory())
    assert np.array_equal(a.to_numpy(), values)
    expected = shards_of(values, height, width)
    count = len(expected)
    y = ttnn.zeros((count * height, width), device=DEVICE)

    @ttl.operation(grid=(count, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=block)

        @ttl.datamovement()
        def reader():
            x, _ = ttl.node()
            with dfb.reserve() as blk:
                ttl.copy(a[x], blk).wait()

        @ttl.datamovement()
        def writer():
            x, _ = ttl.node()
            with dfb.wait() as blk:
                ttl.copy(blk, y[x * block[0] : (x + 1) * block[0], 0 : block[1]]).wait()

    op(a, y)
    assert np.array_equal(y.to_numpy(), np.concatenate(expected))
    last = ttnn.zeros((height, width), device=DEVICE)
    copy_parts(a, last, [((-1,), (slice(0, block[0]), slice(0, block[1])))], block)
    assert np.array_equal(last.to_numpy(), expected[-1])


@pytest.mark.parametrize("name", SHARDED)
def test_slices_of_sharded_tensors(name):
    shape, memory, _ = SHARDED[name]
    values = numbers(*shape)
    a = ttnn.from_numpy(values, device=DEVICE, memory_config=memory())
    y = ttnn.zeros(shape, device=DEVICE, memory_config=memory())
    tiles = [slice(0, n) for n in (*shape[:-2], shape[-2] // 32, shape[-1] // 32)]
    copy_parts(a, y, [(tuple(tiles), tuple(tiles))], tuple(s.stop for s in tiles))
    assert np.array_equal(y.to_numpy(), values)


@pytest.mark.parametrize("layout, shard, shape", [
    ("HEIGHT_SHARDED", (3, 7), (9, 7)),
    ("WIDTH_SHARDED", (5, 4), (5, 12)),
    ("BLOCK_SHARDED", (2, 6), (4, 12)),
])
def test_row_major_shards(layout, shard, shape):
    values = numbers(*shape)
    memory = sharded(layout, grid(2, 2) if layout == "BLOCK_SHARDED" else grid(3), shard)
    a, y = rows(values, memory), rows(np.zeros(shape), memory)
    expected = shards_of(values, *shard)
    for number, part in enumerate(expected):
        one = rows(np.zeros(shard))
        copy_parts(a, one, [((number,), (slice(0, shard[0]), slice(0, shard[1])))], shard)
        assert np.array_equal(one.to_numpy(), part)
    index = (slice(1, shape[0]), slice(1, shape[1]))  # a slice that lies in all shards
    copy_parts(a, y, [(index, index)], (shape[0] - 1, shape[1] - 1))
    assert np.array_equal(y.to_numpy()[index], values[index])


def test_shards_that_cut_rows_are_a_warning():
    memory = sharded("WIDTH_SHARDED", grid(2), (2, 16))
    a, y = rows(numbers(2, 32), memory), rows(np.zeros((2, 32)))
    everything = (slice(0, 2), slice(0, 32))
    message = (
        "on a card, this copy is slow: the shards of 'a' cut its rows, so that it goes through a "
        "buffer, row by row; let the shards have whole rows, or use tile layout"
    )
    with pytest.warns(ttl.EmissionWarning, match=re.escape(message)) as caught:
        copy_parts(a, y, [(everything, everything)], (2, 32))
    assert len(caught) == 1
    assert np.array_equal(y.to_numpy(), numbers(2, 32))


def test_numbers_of_shards_are_checked():
    _, memory, block = SHARDED["width"]
    a = ttnn.zeros((64, 96), device=DEVICE, memory_config=memory())
    y = ttnn.zeros((64, 32), device=DEVICE)
    target = (slice(0, 2), slice(0, 1))
    with pytest.raises(ttl.CompileError, match="shard 3 is out of range: tensor 'a' has 3 shards"):
        copy_parts(a, y, [((3,), target)], block)

    @ttl.operation(grid=(4, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=block)

        @ttl.datamovement()
        def reader():
            x, _ = ttl.node()
            with dfb.reserve() as blk:
                ttl.copy(a[x], blk).wait()

    with pytest.raises(ttl.OutOfBoundsError, match="index 3 is out of range .* tensor 'a'"):
        op(a)


def test_a_shard_that_is_not_full():
    memory = sharded("HEIGHT_SHARDED", grid(2), (64, 32))
    a = ttnn.zeros((96, 32), device=DEVICE, memory_config=memory)
    y = ttnn.zeros((64, 32), device=DEVICE)
    with pytest.raises(ttl.CompileError, match="shard 1 of tensor 'a' cannot be used because the tensor ends inside"):
        copy_parts(a, y, [((1,), (slice(0, 2), 0))], (2, 1))


def test_memory_configs_are_values():
    one, same = (sharded("WIDTH_SHARDED", grid(3), (32, 32)) for _ in range(2))
    assert one == same and hash(one) == hash(same) and one.is_sharded()
    assert one != sharded("WIDTH_SHARDED", grid(3), (32, 64))
    assert one.shard_spec.shape == (32, 32) and one.shard_spec.num_cores() == 3
    assert one.shard_spec.orientation is ttnn.ShardOrientation.ROW_MAJOR
    assert one.shard_spec.grid.ranges()[0].end == ttnn.CoreCoord(2, 0)
    assert ttnn.DRAM_MEMORY_CONFIG.shard_spec is None
    with pytest.raises(ValueError, match="must not have a shard_spec"):
        ttnn.MemoryConfig(shard_spec=one.shard_spec)


# ===--------------------------------------------------------------------------=== #
# Slices of tiled tensors
# ===--------------------------------------------------------------------------=== #

LAST = slice(-1, None)
TILED_PARTS = [
    ((128, 96), (slice(0, 2), slice(1, 3)), (2, 2)),
    ((128, 96), (1, 2), (1, 1)),
    ((128, 96), (-1, -1), (1, 1)),
    ((128, 96), (slice(-3, -1), slice(None)), (2, 3)),
    ((128, 96), (slice(None, 2),), (2, 3)),  # a missing index means the whole dimension
    ((128, 96), (2,), (1, 3)),
    ((128, 96), (LAST, slice(None, None, 1)), (1, 3)),
    ((3, 64, 32), (1,), (1, 2, 1)),
    ((3, 64, 32), (slice(1, 3), 0), (2, 1, 1)),
    ((2, 3, 64, 32), (1, slice(0, 2), 1), (2, 1, 1)),
    ((100,), (slice(1, 3),), (2,)),  # a tensor of rank 1 is one row of tiles
    ((100,), (slice(1, 3),), (1, 2)),
    ((100,), (0, slice(1, 3)), (1, 2)),
    ((100,), (slice(None),), (4,)),
]


def in_elements(index, shape):
    """Converts an index in tiles to numpy slices in elements."""
    index = index + (slice(None),) * (len(shape) - len(index))
    tiled = len(shape) - 2
    result = []
    for i, (part, extent) in enumerate(zip(index, shape)):
        unit = 32 if i >= tiled else 1
        count = -(-extent // unit)
        if isinstance(part, int):
            part = slice(part % count, part % count + 1)
        start, stop, _ = part.indices(count)
        result.append(slice(start * unit, stop * unit))
    return tuple(result)


@pytest.mark.parametrize("shape, index, block", TILED_PARTS)
def test_slices_of_tiled_tensors(shape, index, block):
    values = numbers(*shape) + 1
    a = ttnn.from_numpy(values, device=DEVICE)
    y = ttnn.zeros(shape, device=DEVICE)
    copy_parts(a, y, [(index, index)], block)
    own = index[1:] if len(index) > len(shape) else index
    expected = np.zeros(shape, np.float32)
    expected[in_elements(own, shape)] = values[in_elements(own, shape)]
    assert np.array_equal(y.to_numpy(), expected)


def test_slice_objects_made_in_the_kernel():
    a, y = numbers(96, 64), np.zeros((32, 64), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 2))

        @ttl.datamovement()
        def reader():
            x, _ = ttl.node()
            row = slice(x + 2, x + 3)
            with dfb.reserve() as blk:
                ttl.copy(a[row, :], blk).wait()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[slice(0, 1), :]).wait()

    op(a, y)
    assert np.array_equal(y, a[64:])


@pytest.mark.parametrize("index, message", [
    ((4, 0), "index 4 is out of range: dimension 0 of tensor 'a' has 4 tiles"),
    ((0, -4), "index -4 is out of range: dimension 1 of tensor 'a' has 3 tiles"),
    ((slice(2, 5), 0), "slice 2:5 is out of range: dimension 0 of tensor 'a' has 4 tiles"),
    ((slice(2, 2), 0), "slice 2:2 of dimension 0 of tensor 'a' is empty"),
    ((0, 0, 0), "found 3 indices for tensor 'a', which has only 2 dimensions"),
    ((slice(0, 4, 2), 0), "a slice of a tensor must have step 1"),
    ((1.5, 0), "the indices of a tensor must be integers or slices, found"),
])
def test_slices_that_are_refused(index, message):
    a, y = np.zeros((128, 96), np.float32), np.zeros((32, 32), np.float32)
    with pytest.raises(ttl.CompileError, match=re.escape(message)) as caught:
        copy_parts(a, y, [(index, (0, 0))], (1, 1))
    assert caught.value.file == __file__ and caught.value.line


def test_starts_known_at_run_time_are_checked():
    @ttl.operation(grid=(4, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 1))

        @ttl.datamovement()
        def reader():
            x, _ = ttl.node()
            with dfb.reserve() as blk:
                ttl.copy(a[x : x + 2, 0], blk).wait()

    message = "slice 3:5 is out of range in dimension 0 of tensor 'a', which has 4 tile rows"
    with pytest.raises(ttl.OutOfBoundsError, match=message):
        op(np.zeros((128, 32), np.float32))


# ===--------------------------------------------------------------------------=== #
# The same tests on the interpreter
# ===--------------------------------------------------------------------------=== #


@pytest.mark.skipif("TTL_ENGINE" in os.environ, reason="this test chooses the engine, but TTL_ENGINE is set")
def test_on_the_interpreter():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    process = subprocess.run(command, env={**os.environ, "TTL_ENGINE": "interp"},
                             capture_output=True, text=True)
    assert process.returncode == 0, process.stdout


@pytest.mark.parametrize("column, warns", [(3, True), (16, False)])
def test_parts_of_rows_that_a_card_cannot_copy(column, warns, recwarn):
    a = ttnn.from_numpy(np.arange(64 * 64, dtype=np.float32).reshape(64, 64),
                        layout=ttnn.ROW_MAJOR_LAYOUT)
    seen = []
    note = ttl.host_function(lambda block: seen.append(block.copy()), restype=None)

    @ttl.operation(grid=(1, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(4, 16))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[0:4, column : column + 16], blk).wait()
            with dfb.wait() as blk:
                note(blk)

    op(a)
    assert np.array_equal(seen[0], a.to_numpy()[0:4, column : column + 16])
    message = (
        "on a card, this copy of parts of rows of 'a' is slow: it goes through a buffer, row by row; "
        "a transfer without one begins and ends at multiples of the memory's alignment (32 or 64 "
        "bytes for reads from DRAM, else 16): choose slices whose rows do, or use tile layout"
    )
    found = [each for each in recwarn if issubclass(each.category, ttl.EmissionWarning)]
    assert [each.message.message for each in found] == [message] * warns
    if warns:
        line = op.function.__code__.co_firstlineno + 7
        assert (found[0].filename, found[0].lineno) == (__file__, line)


def test_whole_rows_that_are_unaligned_want_padding():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 5))

        @ttl.datamovement()
        def reader():
            for i in range(2):
                with dfb.reserve() as blk:
                    ttl.copy(a[2 * i : 2 * i + 2, :], blk).wait()

        @ttl.datamovement()
        def writer():
            for i in range(2):
                with dfb.wait() as blk:
                    ttl.copy(blk, y[2 * i : 2 * i + 2, 0:5]).wait()

    values = np.arange(20, dtype=np.float32).reshape(4, 5)
    a, y = (ttnn.from_numpy(each, layout=ttnn.ROW_MAJOR_LAYOUT, device=ttnn.open_device(device_id=0))
            for each in (values, 0 * values))
    with pytest.warns(ttl.EmissionWarning, match="copy of rows of 'a' is slow.*pad the rows of the tensor, or use"):
        op(a, y)
    assert np.array_equal(y.to_numpy(), values)


def copies_of_rows(width, block_count, options):
    """Returns an operation that copies a to y row by row, in blocks of one row of `width` elements."""

    @ttl.operation(grid=(1, 1), options=options)
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, width), block_count=block_count)

        @ttl.datamovement()
        def reader():
            for i in range(a.shape[0]):
                with dfb.reserve() as blk:
                    ttl.copy(a[i : i + 1, 0:width], blk).wait()

        @ttl.datamovement()
        def writer():
            for i in range(a.shape[0]):
                with dfb.wait() as blk:
                    ttl.copy(blk, y[i : i + 1, 0:width]).wait()

    return op


@pytest.mark.parametrize("width, block_count, is_aligned",
                         [(5, 1, True), (5, 2, False), (5, 3, False), (12, 2, False), (16, 2, True),
                          (16, 3, True)])
def test_blocks_that_begin_between_multiples_of_the_alignment(width, block_count, is_aligned, recwarn):
    """On a card both addresses of a copy must be equal modulo 16, or modulo 32 for reads from DRAM. Only
    widths that are multiples of that keep the buffer's second block aligned; others must warn."""
    a = ttnn.from_numpy(np.arange(6.0 * width, dtype=np.float32).reshape(6, width),
                        layout=ttnn.ROW_MAJOR_LAYOUT)

    def run(engine):
        y = ttnn.zeros((6, width), layout=ttnn.ROW_MAJOR_LAYOUT)
        copies_of_rows(width, block_count, f"--engine={engine}")(a, y)
        assert np.array_equal(y.to_numpy(), a.to_numpy())

    run("jit")
    found = [each for each in recwarn if issubclass(each.category, ttl.EmissionWarning)]
    assert bool(found) is not is_aligned
    run("interp")
    run("emitted")
