# SPDX-License-Identifier: Apache-2.0
"""NdShardSpec describes shards of any rank. Errors say what is wrong with a description."""

import copy
import itertools

import numpy as np
import pytest
import ttl
import ttnn
from ttnn import BufferType, CoreCoord, CoreRange, CoreRangeSet, MemoryConfig, NdShardSpec

LAYOUTS, COLUMNS = ttnn.TensorMemoryLayout, ttnn.ShardOrientation.COL_MAJOR
ROUND_ROBIN, GRID = ttnn.ShardDistributionStrategy.ROUND_ROBIN_1D, ttnn.ShardDistributionStrategy.GRID_2D
DEVICE = ttnn.open_device()


def cores(*corners):
    return CoreRangeSet([CoreRange(CoreCoord(*first), CoreCoord(*last)) for first, last in corners])


LINE, SQUARE = cores(((0, 0), (2, 0))), cores(((0, 0), (1, 1)))


def numbers(*shape):
    return (np.arange(np.prod(shape)) % 251).astype(np.float32).reshape(shape)


def placed(values, memory, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT):
    return ttnn.from_numpy(values, dtype=dtype, layout=layout, device=DEVICE, memory_config=memory)


def test_what_a_spec_has():
    spec = NdShardSpec((2, 32, 64), LINE)
    assert spec.shard_shape == (2, 32, 64) and spec.grid == LINE and spec.num_cores() == 3
    assert spec.orientation == ttnn.ShardOrientation.ROW_MAJOR and spec.numel() == 4096
    assert spec.shard_distribution_strategy is ROUND_ROBIN
    assert spec == NdShardSpec(shard_shape=ttnn.Shape([2, 32, 64]), grid=LINE)
    assert copy.copy(ROUND_ROBIN) is ROUND_ROBIN
    other = NdShardSpec([32, 64], SQUARE, COLUMNS, GRID)
    assert spec != other and hash(spec) == hash(NdShardSpec((2, 32, 64), LINE))
    assert repr(spec) == "shards of 2x32x64 on cores [(0, 0) - (2, 0)]"
    assert repr(other) == "shards of 32x64 on cores [(0, 0) - (1, 1)], column by column, as a grid"


def test_what_a_config_has():
    spec = NdShardSpec((2, 32, 64), LINE)
    config = MemoryConfig(BufferType.L1, spec)
    assert config == MemoryConfig(buffer_type=BufferType.L1, nd_shard_spec=spec) and config.is_sharded()
    assert config.memory_layout == LAYOUTS.ND_SHARDED and config.buffer_type == BufferType.L1
    assert config.nd_shard_spec == spec and config.shard_spec is None
    assert repr(config) == "<L1 ND sharded, shards of 2x32x64 on cores [(0, 0) - (2, 0)] memory>"
    assert config != MemoryConfig(BufferType.DRAM, spec) and ttnn.DRAM_MEMORY_CONFIG.nd_shard_spec is None


# (shape, shard, cores, further fields, the equal two-dimensional layout or None, the shape of its shards)
IN_TWO_DIMENSIONS = [
    ((128, 64), (32, 64), cores(((0, 0), (3, 0))), {}, "HEIGHT_SHARDED", (32, 64)),
    ((2, 64, 64), (1, 64, 64), LINE, {}, "HEIGHT_SHARDED", (64, 64)),
    ((2, 3, 32, 64), (1, 1, 32, 64), cores(((0, 0), (5, 0))), {}, "HEIGHT_SHARDED", (32, 64)),
    ((2, 32, 96), (2, 32, 32), LINE, {}, "WIDTH_SHARDED", (64, 32)),
    ((64, 64), (32, 32), SQUARE, {}, "BLOCK_SHARDED", (32, 32)),
    ((64, 64), (32, 32), SQUARE, {"shard_distribution_strategy": GRID}, "BLOCK_SHARDED", (32, 32)),
    ((64, 64), (32, 32), cores(((0, 0), (2, 1))), {}, None, None),  # the second row of shards begins on core (2, 0)
    ((64, 64), (32, 32), LINE, {}, None, None),  # a core has two shards
    ((2, 64, 64), (2, 32, 64), SQUARE, {}, None, None),  # a shard is no rectangle of the matrix
    ((2, 96, 32), (1, 64, 32), SQUARE, {}, None, None),  # the second shard ends inside the matrix
]


@pytest.mark.parametrize("shape, shard, grid, more, layout, matrix", IN_TWO_DIMENSIONS)
def test_tensors_say_it_in_two_dimensions_if_possible(shape, shard, grid, more, layout, matrix):
    config = MemoryConfig(BufferType.L1, NdShardSpec(shard, grid, **more))
    tensor = placed(numbers(*shape), config)
    found = tensor.memory_config()
    assert found == config and found.nd_shard_spec == config.nd_shard_spec
    assert found.memory_layout == getattr(LAYOUTS, layout or "ND_SHARDED")
    assert (found.shard_spec and found.shard_spec.shape) == matrix
    if layout is None:
        return
    same = placed(numbers(*shape), MemoryConfig(found.memory_layout, BufferType.L1, found.shard_spec))
    assert same.memory_config().nd_shard_spec.shard_shape == matrix
    assert np.array_equal(shards_on_nodes(same), shards_on_nodes(tensor))


def shards_on_nodes(tensor):
    """Returns what the L1 of each node holds of a tensor of tiles, node by node."""
    spec = tensor.memory_config().nd_shard_spec
    first, last = spec.grid.bounding_box().start, spec.grid.bounding_box().end
    assert (first.x, first.y) == (0, 0)
    shape, shard = tensor.padded_shape, spec.shard_shape
    tiles = int(np.prod(shard)) // 1024 * tensor.shards_per_core
    nodes = (last.x + 1) * (last.y + 1)
    if nodes * tiles * 1024 != np.prod(shape):
        return None  # some nodes have no shard

    @ttl.operation(grid=(last.x + 1, last.y + 1))
    def op(x, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, shape=(1, tiles))

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()

        @ttl.datamovement()
        def writer():
            column, row = ttl.node(dims=2)
            with x_dfb.wait() as block:
                ttl.copy(block, y[row * (last.x + 1) + column, 0:1, 0:tiles]).wait()

    y = np.zeros((nodes, 32, 32 * tiles), np.float32)
    op(tensor, y)
    return y


def expected_on_nodes(values, shard, order, width):
    """Returns the tiles of each core's shards, in the order in which the core gets the shards."""
    parts = [[] for _ in order]
    places = np.ndindex(*(extent // one for extent, one in zip(values.shape, shard)))
    for number, place in enumerate(places):
        part = values[tuple(slice(at * one, (at + 1) * one) for at, one in zip(place, shard))]
        tiles = part.reshape(-1, shard[-2] // 32, 32, shard[-1] // 32, 32).transpose(0, 1, 3, 2, 4)
        parts[number % len(order)].append(tiles.reshape(-1, 32, 32))
    rows = {}
    for core, tiles in zip(order, parts):
        rows[core[1] * width + core[0]] = np.concatenate(np.concatenate(tiles), axis=1)
    return np.stack([rows[number] for number in sorted(rows)])


@pytest.mark.parametrize("shape, shard", [((4, 64, 64), (2, 32, 32)), ((6, 64, 64), (1, 64, 64)),
                                          ((4, 2, 64, 96), (2, 1, 32, 96)), ((512, 32), (32, 32))])
@pytest.mark.parametrize("by_column", [False, True])
def test_shards_are_on_their_cores(shape, shard, by_column):
    grid = cores(((0, 0), (1, 0)))
    order = [(0, 0), (1, 0)]
    if int(np.prod(shape) // np.prod(shard)) % 4 == 0:
        grid, order = SQUARE, sorted(itertools.product(range(2), range(2)), key=lambda c: c if by_column else c[::-1])
    orientation = COLUMNS if by_column else ttnn.ShardOrientation.ROW_MAJOR
    tensor = placed(numbers(*shape), MemoryConfig(BufferType.L1, NdShardSpec(shard, grid, orientation)))
    assert np.array_equal(shards_on_nodes(tensor), expected_on_nodes(numbers(*shape), shard, order, 2))


ROUND_TRIPS = [
    ((3, 50, 70), (2, 32, 64), ttnn.TILE_LAYOUT, BufferType.L1),
    ((5, 4, 40, 40), (2, 3, 64, 32), ttnn.TILE_LAYOUT, BufferType.L1),
    ((2, 2, 2, 32, 32), (1, 32, 32), ttnn.TILE_LAYOUT, BufferType.DRAM),
    ((70,), (32,), ttnn.TILE_LAYOUT, BufferType.L1),
    ((70,), (9,), ttnn.ROW_MAJOR_LAYOUT, BufferType.L1),
    ((3, 5, 7), (2, 2, 3), ttnn.ROW_MAJOR_LAYOUT, BufferType.DRAM),
    ((3, 5, 7), (4, 6, 8), ttnn.ROW_MAJOR_LAYOUT, BufferType.L1),  # one shard, larger than the tensor
    ((2, 3, 4, 5), (2, 5), ttnn.ROW_MAJOR_LAYOUT, BufferType.L1),
]


@pytest.mark.parametrize("shape, shard, layout, buffer", ROUND_TRIPS)
@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16, ttnn.uint16])
def test_contents_survive(shape, shard, layout, buffer, dtype):
    grid = cores(((0, 0), (1, 0)), ((4, 0), (4, 0)))
    config = MemoryConfig(buffer, NdShardSpec(shard, grid))
    tensor = placed(numbers(*shape), config, dtype, layout)
    assert np.array_equal(tensor.to_numpy(), numbers(*shape)) and tensor.is_sharded()
    others = MemoryConfig(buffer, NdShardSpec(shard, LINE, COLUMNS))
    for other in (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG, others):
        moved = ttnn.to_memory_config(tensor, other)
        assert moved.memory_config() == other and np.array_equal(moved.to_numpy(), numbers(*shape))
        back = ttnn.to_memory_config(moved, config)
        assert back.memory_config() == config and np.array_equal(back.to_numpy(), numbers(*shape))
    assert (tensor + tensor).memory_config() == config


def test_block_floats_and_ttnn_functions():
    config = MemoryConfig(BufferType.L1, NdShardSpec((1, 32, 32), LINE))
    tensor = placed(numbers(2, 64, 64), config, ttnn.bfloat8_b)
    assert np.array_equal(tensor.to_numpy(), placed(numbers(2, 64, 64), None, ttnn.bfloat8_b).to_numpy())
    assert not ttnn.sum(tensor, 0).is_sharded() and not tensor[0].is_sharded()
    buffer = ttnn.cb_descriptor_from_sharded_tensor(3, tensor)
    assert buffer.total_size == 3 * 1088 and buffer.core_ranges == LINE  # 8 shards on 3 cores


def test_tensor_specs():
    spec = ttnn.TensorSpec((4, 100, 96), ttnn.float32, ttnn.TILE_LAYOUT, BufferType.L1)
    across = spec.sharded_across_dims([0, 1], LINE)
    assert across.memory_config.nd_shard_spec == NdShardSpec((1, 32, 96), LINE)
    assert spec.sharded_across_dims_except([-1], LINE) == across
    rounded = spec.sharded((2, 40, 96), SQUARE, orientation=COLUMNS)
    assert rounded.memory_config.nd_shard_spec == NdShardSpec((2, 64, 96), SQUARE, COLUMNS)
    assert spec.sharded(NdShardSpec((1, 1, 1), LINE)).memory_config.nd_shard_spec.shard_shape == (1, 32, 32)
    rows = ttnn.TensorSpec((4, 6, 8), ttnn.float32, ttnn.ROW_MAJOR_LAYOUT)
    assert rows.sharded_across_dims([1], LINE).memory_config.nd_shard_spec.shard_shape == (4, 1, 16)
    required = ttnn.ShardShapeAlignment.REQUIRED
    assert rows.sharded((4, 1, 8), LINE, required).memory_config.nd_shard_spec.shard_shape == (4, 1, 8)
    unaligned = spec.sharded(NdShardSpec((1, 40, 96), LINE), ttnn.ShardShapeAlignment.NONE)
    assert unaligned.memory_config.nd_shard_spec.shard_shape == (1, 40, 96)
    tensor = ttnn.allocate_tensor_on_device(across, DEVICE)
    assert tensor.spec == across and tensor.memory_config().buffer_type == BufferType.L1
    with pytest.raises(ValueError, match=r"dims=\[3\]: a tensor of shape \(4, 100, 96\) has the dimensions -3 to 2"):
        spec.sharded_across_dims([3], LINE)


WRONG_SPECS = [
    (((), LINE), "a shard must have at least one dimension"),
    (((2, 0, 32), LINE), "a shard must have at least 1x1x1 elements, found 2x0x32"),
    (((2**20, 2**21), LINE), "shards of 1048576x2097152 have more than 2.40 elements"),
    (((32, 32), CoreRangeSet([])), "the NdShardSpec must name at least one core"),
    (((32, 32), [CoreRange((0, 0), (1, 0)), CoreRange((1, 0), (2, 0))]), "not name a core twice, found .1, 0. twice"),
    (((32, 32), cores(((0, 0), (0, 5000)))), "no chip has the cores"),
]


@pytest.mark.parametrize("arguments, message", WRONG_SPECS)
def test_wrong_specs(arguments, message):
    with pytest.raises(ValueError, match=message):
        NdShardSpec(*arguments)


TWO_RANGES = cores(((0, 0), (1, 0)), ((0, 1), (1, 1)))
WRONG_TENSORS = [
    ((2, 64, 64), (2, 40, 64), {}, "2x40x64 elements would cut tiles: the last two extents must be multiples of 32"),
    ((64, 64), (1, 32, 64), {}, r"shards of 1x32x64 have 3 dimensions, but the tensor of shape \(64, 64\) has 2"),
    ((64, 64), (64,), {}, r"divide only tensors of one dimension, found.*write shard_shape=\(32, 64\)"),
    ((64, 64), (32, 32), {"grid": cores(((7, 7), (9, 7)))}, "on core .8, 7., but wormhole_b0 has 8x8 cores"),
    ((64, 64), (32, 32), {"buffer": BufferType.DRAM, "grid": cores(((10, 0), (12, 0)))}, r"DRAM bank \(12, 0\)"),
    ((2, 64, 64), (1, 32, 32), {"strategy": GRID}, r"with GRID_2D: it has 2 shards along dimension 0 of the shards"),
    ((96, 64), (32, 32), {"strategy": GRID}, r"it has 3x2 shards, and the cores .* have room for 2x2"),
    ((64, 64), (32, 32), {"strategy": GRID, "grid": TWO_RANGES}, "its cores are not one rectangle"),
    ((64, 64), (32, 2**34), {}, "has no room for tensor"),
    ((64, 2048, 64), (1, 32, 64), {}, r"no room for tensor of shape \(64, 2048, 64\).* with 2048 pages in each core"),
]


@pytest.mark.parametrize("shape, shard, options, message", WRONG_TENSORS)
def test_wrong_tensors(shape, shard, options, message):
    strategy = options.get("strategy", ROUND_ROBIN)
    spec = NdShardSpec(shard, options.get("grid", SQUARE), shard_distribution_strategy=strategy)
    with pytest.raises(ValueError, match=message):
        placed(np.zeros(shape, np.float32), MemoryConfig(options.get("buffer", BufferType.L1), spec))


def test_wrong_configs():
    spec = NdShardSpec((32, 32), LINE)
    with pytest.raises(TypeError, match="an NdShardSpec needs no memory_layout"):
        MemoryConfig(LAYOUTS.HEIGHT_SHARDED, BufferType.L1, spec)
    with pytest.raises(ValueError, match="an ND_SHARDED memory config must have an nd_shard_spec"):
        MemoryConfig(LAYOUTS.ND_SHARDED, BufferType.L1)
    matrix = MemoryConfig(LAYOUTS.HEIGHT_SHARDED, BufferType.L1, ttnn.ShardSpec(LINE, (32, 64)))
    with pytest.raises(ValueError, match="4 shards of 32x64, but the ShardSpec names 3 cores.*ttnn.NdShardSpec"):
        placed(np.zeros((128, 64), np.float32), matrix)


def test_numbers_of_shards_are_checked():
    x = placed(numbers(3, 64, 64), MemoryConfig(BufferType.L1, NdShardSpec((2, 32, 32), LINE)))

    @ttl.operation(grid=(1, 1))
    def too_large(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 1, 1))
        ttl.copy(x[8], dfb.reserve()).wait()

    @ttl.operation(grid=(1, 1))
    def reaches_beyond(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 1, 1))
        ttl.copy(x[4], dfb.reserve()).wait()

    @ttl.operation(grid=(3, 3))
    def at_run_time(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 1, 1))
        ttl.copy(x[ttl.node(dims=1)], dfb.reserve()).wait()
        dfb.wait().pop()

    @ttl.operation(grid=(1, 1))
    def other_shape(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 2, 1))
        ttl.copy(x[0], dfb.reserve()).wait()

    with pytest.raises(ttl.CompileError, match="shard 8 is out of range: tensor 'x' has 8 shards"):
        too_large(x)
    with pytest.raises(ttl.CompileError, match="shard 4 of tensor 'x' cannot be used because the tensor ends"):
        reaches_beyond(x)
    with pytest.raises(ttl.OutOfBoundsError, match="is out of range .* tensor 'x'"):
        at_run_time(x)
    with pytest.raises(ttl.CompileError, match=r"has shape \(2, 1, 1\), its destination has shape \(1, 2, 1\)"):
        other_shape(x)


def test_backed_buffers_have_the_shards_of_their_core():
    x = placed(numbers(4, 64, 32), MemoryConfig(BufferType.L1, NdShardSpec((1, 32, 32), cores(((0, 0), (2, 0))))))

    def backed(grid, tiles):
        @ttl.operation(grid=grid)
        def op(x):
            dfb = ttl.make_tensor_backed_dfb(x, shape=(1, tiles))
            dfb.publish()
            dfb.wait().pop()

        return op

    with pytest.raises(ttl.CompileError, match="it needs 9 tiles .1 block of 9., but all shards have 8"):
        backed((1, 1), 9)(x)
    with pytest.raises(ttl.ResourceError, match=r"the shard of node \(0, 0\) has no page 3"):
        backed((1, 1), 4)(x)
    with pytest.raises(ttl.ResourceError, match=r"the shard of node \(2, 0\) has no page 2"):
        backed((3, 1), 3)(x)  # 8 shards on 3 cores: the last one has two
    with pytest.raises(ttl.ResourceError, match=r"but no shard of it is on these nodes: \(3,0\)"):
        backed((4, 1), 2)(x)
    backed((3, 1), 2)(x)
