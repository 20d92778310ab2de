# SPDX-License-Identifier: Apache-2.0
"""Memory configurations. Memory is interleaved over all banks, or divided into shards on cores."""

import enum
import math

from _ttjit import BufferType, ClassSignature, MemoryConfig, TensorMemoryLayout, public_methods

from .cores import CoreCoord, CoreGrid, CoreRange, CoreRangeSet
from .shards import NdShardSpec, ShardDistributionStrategy, ShardOrientation, ShardSpec
from .types import TILE_LAYOUT, TILE_SIZE, Shape, as_dtype, element_bytes, float32

__all__ = ["create_sharded_memory_config", "create_sharded_memory_config_"]

MemoryConfig.__signature__ = ClassSignature(
    lambda self, memory_layout=TensorMemoryLayout.INTERLEAVED, buffer_type=BufferType.DRAM, shard_spec=None,
    nd_shard_spec=None: None
)
DRAM_MEMORY_CONFIG = MemoryConfig()
L1_MEMORY_CONFIG = MemoryConfig(buffer_type=BufferType.L1)
L1_BLOCK_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.BLOCK_SHARDED, BufferType.L1)
L1_HEIGHT_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.HEIGHT_SHARDED, BufferType.L1)
L1_WIDTH_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.WIDTH_SHARDED, BufferType.L1)


class ShardStrategy(enum.Enum):
    """Tells which dimensions of a tensor's matrix are divided. The matrix's height is the product
    of all dimensions but the last."""

    HEIGHT = 0
    WIDTH = 1
    BLOCK = 2


class ShardShapeAlignment(enum.Enum):
    """Tells how TensorSpec.sharded() rounds the extents of shards up. REQUIRED rounds shards of tiles to
    whole tiles. RECOMMENDED does so, too, and rounds rows of row-major shards to 64 bytes."""

    NONE = 0
    REQUIRED = 1
    RECOMMENDED = 2


_ROW_BYTES = 64

_LAYOUTS = {
    ShardStrategy.HEIGHT: TensorMemoryLayout.HEIGHT_SHARDED,
    ShardStrategy.WIDTH: TensorMemoryLayout.WIDTH_SHARDED,
    ShardStrategy.BLOCK: TensorMemoryLayout.BLOCK_SHARDED,
}


def _core_set(core_grid):
    """Returns the set of cores of a CoreGrid, a range or a set."""
    if isinstance(core_grid, CoreGrid):
        if core_grid.num_cores == 0:
            raise ValueError(f"core_grid={core_grid!r} has no cores")
        last = CoreCoord(core_grid.x - 1, core_grid.y - 1)
        return CoreRangeSet([CoreRange(CoreCoord(0, 0), last)])
    try:
        return CoreRangeSet(core_grid)
    except TypeError:
        raise TypeError(f"core_grid={core_grid!r}: expected ttnn.CoreGrid, CoreRange or "
                        "CoreRangeSet") from None


def _parts(cores, strategy, orientation):
    """Returns into how many parts the height and the width are divided."""
    if strategy is ShardStrategy.HEIGHT:
        return cores.num_cores(), 1
    if strategy is ShardStrategy.WIDTH:
        return 1, cores.num_cores()
    size = cores.bounding_box().grid_size()
    if size.x * size.y != cores.num_cores():
        raise ValueError(f"{cores!r}: block sharding needs one rectangle of cores")
    return (size.y, size.x) if orientation == ShardOrientation.ROW_MAJOR else (size.x, size.y)


def _divided(extent, parts, name, shape):
    if extent % parts:
        raise ValueError(f"shape {tuple(shape)}: its {name} {extent} cannot be divided among "
                         f"{parts} cores without remainder")
    return extent // parts


def _strategy(value):
    for strategy, layout in _LAYOUTS.items():
        if value is strategy or value == layout:
            return strategy
    raise TypeError(f"strategy={value!r}: expected ttnn.ShardStrategy.HEIGHT, WIDTH or BLOCK")


def shard_spec_of(shape, core_grid, strategy, orientation, shape_is_shard):
    """Returns the ShardSpec for the result of create_sharded_memory_config."""
    shape = Shape(shape)
    orientation = ShardOrientation.ROW_MAJOR if orientation is None else orientation
    cores = _core_set(core_grid)
    if len(shape) < 2:
        raise ValueError(f"shape {tuple(shape)}: expected at least 2 dimensions")
    if shape_is_shard:
        return ShardSpec(cores, shape[-2:], orientation)
    rows, columns = _parts(cores, strategy, orientation)
    height = _divided(math.prod(shape[:-1]), rows, "height", shape)
    return ShardSpec(cores, (height, _divided(shape[-1], columns, "width", shape)), orientation)


def create_sharded_memory_config(shape, core_grid, strategy, orientation=None,
                                 use_height_and_width_as_shard_shape=False):
    """Returns L1 memory with one shard per core. `shape` is the shape of the tensor; with
    use_height_and_width_as_shard_shape it is that of one shard.

    Shapes count elements. Raises a TypeError for arguments of other kinds, and a ValueError for
    shards that do not divide the tensor.

    Example:

        memory = ttnn.create_sharded_memory_config(
            (64, 32), ttnn.CoreGrid(y=1, x=2), ttnn.ShardStrategy.HEIGHT)
    """
    strategy = _strategy(strategy)
    spec = shard_spec_of(shape, core_grid, strategy, orientation,
                         use_height_and_width_as_shard_shape)
    return MemoryConfig(_LAYOUTS[strategy], BufferType.L1, spec)


def create_sharded_memory_config_(shape, core_grid, strategy, orientation=None,
                                  use_height_and_width_as_shard_shape=False, tile_layout=False):
    """Does the same as create_sharded_memory_config. In addition, the strategy may be a
    TensorMemoryLayout, and tile_layout rounds the shard up to whole tiles.

    Shapes count elements. Raises a TypeError for arguments of other kinds, and a ValueError for
    shards that do not divide the tensor.

    Example:

        memory = ttnn.create_sharded_memory_config_(
            (64, 32), ttnn.CoreGrid(y=1, x=2), ttnn.ShardStrategy.HEIGHT)
    """
    strategy = _strategy(strategy)
    spec = shard_spec_of(shape, core_grid, strategy, orientation,
                         use_height_and_width_as_shard_shape)
    if tile_layout:
        extents = [-(-extent // TILE_SIZE) * TILE_SIZE for extent in spec.shape]
        spec = ShardSpec(spec.grid, extents, spec.orientation)
    return MemoryConfig(_LAYOUTS[strategy], BufferType.L1, spec)


@public_methods
class TensorSpec:
    """The shape, type, layout and memory of a tensor. It can be passed to from_torch(spec=) and
    allocate_tensor_on_device."""

    def __init__(self, shape, dtype=None, layout=None, buffer_type=BufferType.DRAM,
                 memory_config=None):
        self.shape = Shape(shape)
        self.dtype = float32 if dtype is None else as_dtype(dtype)
        self.layout = TILE_LAYOUT if layout is None else layout
        given = MemoryConfig(buffer_type=buffer_type) if memory_config is None else memory_config
        self.memory_config = given

    def height_sharded(self, core_ranges):
        return self._matrix_sharded(core_ranges, ShardStrategy.HEIGHT)

    def width_sharded(self, core_ranges):
        return self._matrix_sharded(core_ranges, ShardStrategy.WIDTH)

    def block_sharded(self, core_ranges):
        return self._matrix_sharded(core_ranges, ShardStrategy.BLOCK)

    def _matrix_sharded(self, core_ranges, strategy):
        memory = create_sharded_memory_config(self.shape, core_ranges, strategy)
        return self._in(memory)

    def _in(self, memory):
        return TensorSpec(self.shape, self.dtype, self.layout, memory_config=memory)

    def sharded(self, shard_shape, grid=None, shard_alignment=ShardShapeAlignment.RECOMMENDED,
                orientation=ShardOrientation.ROW_MAJOR,
                shard_distribution_strategy=ShardDistributionStrategy.ROUND_ROBIN_1D):
        """Returns the spec with shards of this shape on the cores of `grid`. `shard_shape` may also
        be an NdShardSpec."""
        given = shard_shape
        if not isinstance(given, NdShardSpec):
            given = NdShardSpec(shard_shape, _core_set(grid), orientation, shard_distribution_strategy)
        elif isinstance(grid, ShardShapeAlignment):
            shard_alignment = grid
        shape = self._aligned(list(given.shard_shape), shard_alignment)
        spec = NdShardSpec(shape, given.grid, given.orientation, given.shard_distribution_strategy)
        return self._in(MemoryConfig(self.memory_config.buffer_type, spec))

    def _aligned(self, shape, alignment):
        """Returns the shape of a shard, rounded up."""
        units = ()
        if self.layout == TILE_LAYOUT and alignment is not ShardShapeAlignment.NONE:
            units = (TILE_SIZE, TILE_SIZE)
        elif alignment is ShardShapeAlignment.RECOMMENDED:
            units = (_ROW_BYTES // element_bytes(self.dtype),)
        for at, unit in zip(range(len(shape) - 1, -1, -1), units):
            shape[at] = -(-shape[at] // unit) * unit
        return shape

    def sharded_across_dims(self, dims, grid, orientation=ShardOrientation.ROW_MAJOR):
        """Returns the spec with shards that are as small as possible along `dims`, and have the
        tensor's extents along the others."""
        dims = self._dims(dims)
        shape = [1 if at in dims else extent for at, extent in enumerate(self.shape)]
        return self.sharded(shape, grid, orientation=orientation)

    def sharded_across_dims_except(self, dims, grid, orientation=ShardOrientation.ROW_MAJOR):
        """Returns the spec with shards that are as small as possible along all dimensions but
        `dims`."""
        kept = self._dims(dims)
        return self.sharded_across_dims(set(range(len(self.shape))) - kept, grid, orientation)

    def _dims(self, dims):
        rank = len(self.shape)
        for dim in dims:
            if not -rank <= dim < rank:
                raise ValueError(f"dims={list(dims)}: a tensor of shape {tuple(self.shape)} has the "
                                 f"dimensions {-rank} to {rank - 1}")
        return {dim % rank for dim in dims}

    def __eq__(self, other):
        return isinstance(other, TensorSpec) and vars(self) == vars(other)

    def __hash__(self):
        return hash((self.shape, self.dtype, self.layout, self.memory_config))

    def __repr__(self):
        return (f"TensorSpec({self.shape}, {self.dtype!r}, {self.layout!r}, "
                f"{self.memory_config!r})")
