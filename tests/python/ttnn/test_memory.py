# SPDX-License-Identifier: Apache-2.0
"""Memory configurations and shards."""

import pytest
import ttnn
from ttnn import CoreCoord, CoreGrid, CoreRange, CoreRangeSet, ShardOrientation, ShardStrategy
from ttnn.memory import shard_spec_of

GRID = CoreGrid(y=2, x=4)
ROWS, COLUMNS = ShardOrientation.ROW_MAJOR, ShardOrientation.COL_MAJOR


def or_refusal(make):
    """Returns the result of make(), or None if the C++ code does not support such a memory."""
    try:
        return make()
    except ValueError as error:
        assert "not supported" in str(error)
        return None


@pytest.mark.parametrize(
    "strategy, orientation, shape",
    [
        (ShardStrategy.HEIGHT, ROWS, (64, 256)),
        (ShardStrategy.WIDTH, None, (512, 32)),
        (ShardStrategy.BLOCK, ROWS, (256, 64)),
        (ShardStrategy.BLOCK, COLUMNS, (128, 128)),
    ],
)
def test_shards_of_a_tensor(strategy, orientation, shape):
    spec = shard_spec_of((2, 4, 64, 256), GRID, strategy, orientation, False)
    assert tuple(spec.shape) == shape and spec.num_cores() == 8
    assert spec.orientation == (orientation or ROWS)
    assert CoreRangeSet(spec.grid) == CoreRangeSet([CoreRange((0, 0), (3, 1))])


def test_shape_of_the_shard_itself():
    spec = shard_spec_of((1, 32, 96), GRID, ShardStrategy.HEIGHT, None, True)
    assert tuple(spec.shape) == (32, 96)


def test_configs():
    height = ttnn.create_sharded_memory_config
    for make in (height, ttnn.create_sharded_memory_config_):
        config = or_refusal(lambda: make((256, 64), core_grid=GRID, strategy=ShardStrategy.HEIGHT))
        if config is not None:
            assert config.memory_layout == ttnn.TensorMemoryLayout.HEIGHT_SHARDED
            assert config.buffer_type == ttnn.BufferType.L1 and config.is_sharded()
            assert tuple(config.shard_spec.shape) == (32, 64)
    rounded = or_refusal(
        lambda: ttnn.create_sharded_memory_config_(
            (40, 30), CoreRangeSet([CoreRange((0, 0), (1, 0))]), ShardStrategy.WIDTH,
            tile_layout=True,
        )
    )
    assert rounded is None or tuple(rounded.shard_spec.shape) == (64, 32)


def test_shard_spec():
    cores = CoreRangeSet([CoreRange(CoreCoord(0, 0), CoreCoord(3, 1))])
    spec = ttnn.ShardSpec(cores, [32, 64], ROWS)
    assert tuple(spec.shape) == (32, 64) and spec.num_cores() == 8
    assert spec == ttnn.ShardSpec(grid=cores, shard_shape=(32, 64), shard_orientation=ROWS)
    assert spec != ttnn.ShardSpec(cores, [32, 64], COLUMNS)
    with pytest.raises((TypeError, ValueError)):
        ttnn.ShardSpec(cores, 32)
    with pytest.raises((TypeError, ValueError)):
        ttnn.ShardSpec(cores, (0, 32))


def test_named_configs():
    assert ttnn.DRAM_MEMORY_CONFIG == ttnn.MemoryConfig()
    assert ttnn.L1_MEMORY_CONFIG.buffer_type == ttnn.BufferType.L1
    assert not ttnn.L1_MEMORY_CONFIG.is_sharded()
    assert ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG.is_sharded()


def test_questions_about_a_tensor():
    tensor = ttnn.ones((32, 32))
    assert ttnn.get_memory_config(tensor) == ttnn.DRAM_MEMORY_CONFIG
    assert ttnn.is_sharded(tensor) is tensor.is_sharded() is False
    assert ttnn.core.is_sharded(tensor) is False


def test_tensor_spec():
    spec = ttnn.TensorSpec((64, 32), ttnn.bfloat16, ttnn.ROW_MAJOR_LAYOUT)
    tensor = ttnn.allocate_tensor_on_device(spec, ttnn.open_device())
    assert tensor.shape == (64, 32) and tensor.dtype is ttnn.bfloat16
    assert tensor.layout is ttnn.ROW_MAJOR_LAYOUT and tensor.spec == spec
    sharded = or_refusal(lambda: ttnn.TensorSpec((64, 32)).height_sharded(CoreGrid(y=1, x=2)))
    assert sharded is None or tuple(sharded.memory_config.shard_spec.shape) == (32, 32)


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (((100, 64), CoreGrid(1, 8), ShardStrategy.HEIGHT), ValueError, "height 100 cannot be div"),
        (((64, 100), CoreGrid(1, 8), ShardStrategy.WIDTH), ValueError, "width 100 cannot be div"),
        (((64, 64), "8x8", ShardStrategy.WIDTH), TypeError, "core_grid='8x8'"),
        (((64, 64), CoreGrid(1, 8), "height"), TypeError, "strategy='height'"),
        (((64,), CoreGrid(1, 8), ShardStrategy.WIDTH), ValueError, "at least 2 dimensions"),
        (((64, 64), CoreGrid(0, 8), ShardStrategy.WIDTH), ValueError, "has no cores"),
    ],
)
def test_refusals(arguments, error, message):
    with pytest.raises(error, match=message):
        ttnn.create_sharded_memory_config(*arguments)


def test_block_sharding_needs_a_rectangle():
    corner = CoreRangeSet([CoreRange((0, 0), (1, 0)), CoreRange((0, 1), (0, 1))])
    with pytest.raises(ValueError, match="needs one rectangle of cores"):
        ttnn.create_sharded_memory_config((64, 64), corner, ShardStrategy.BLOCK)


def test_sharded_tensors():
    config = or_refusal(
        lambda: ttnn.create_sharded_memory_config((64, 64), CoreGrid(1, 2), ShardStrategy.HEIGHT)
    )
    if config is None:
        pytest.skip("sharded memory is not supported")
    device = ttnn.open_device()
    tensor = ttnn.ones((64, 64), device=device, memory_config=config)
    assert tensor.is_sharded() and (tensor + tensor).memory_config() == config
    for result in (ttnn.sum(tensor, 0), tensor[0], tensor.reshape(32, 128)):
        assert not result.is_sharded() and result.device() is device
    assert not ttnn.sharded_to_interleaved(tensor).is_sharded() and tensor.cpu().is_sharded()
    assert ttnn.to_memory_config(ttnn.ones((64, 64)), config).is_sharded()
    cores = tensor.memory_config().shard_spec.grid
    assert cores.bounding_box() == CoreRange((0, 0), (1, 0))
    buffer = ttnn.cb_descriptor_from_sharded_tensor(3, tensor)
    assert buffer.total_size == 32 * 64 * 4 and buffer.core_ranges == cores
    spec = ttnn.TensorSpec((64, 64)).block_sharded(CoreGrid(2, 2))
    assert tuple(spec.memory_config.shard_spec.shape) == (32, 32)
    assert ttnn.allocate_tensor_on_device(spec, device).spec == spec
