# SPDX-License-Identifier: Apache-2.0
"""Makes sharded tensors, and an operation on buffers whose blocks are parts of the shards."""

import numpy as np
import ttl
import ttnn

DEVICE = ttnn.open_device()
F32 = 32 * 32 * 4  # bytes of a float32 tile


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


def sharded_memory(layout, columns, rows, shard, orientation="ROW_MAJOR", first=(0, 0)):
    last = (first[0] + columns - 1, first[1] + rows - 1)
    cores = ttnn.CoreRange(ttnn.CoreCoord(*first), ttnn.CoreCoord(*last))
    spec = ttnn.ShardSpec(
        ttnn.CoreRangeSet([cores]), shard, getattr(ttnn.ShardOrientation, orientation)
    )
    return ttnn.MemoryConfig(
        getattr(ttnn.TensorMemoryLayout, layout), ttnn.BufferType.L1, spec
    )


def placed(array, config, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT):
    return ttnn.from_numpy(array, dtype=dtype, layout=layout, device=DEVICE, memory_config=config)


def add_one(grid, shape, block_count=1, **backing):
    """Returns an operation that computes y = x + 1 on each node's shard, in blocks of `shape`."""

    @ttl.operation(grid=grid)
    def op(x, y):
        x_dfb = ttl.make_tensor_backed_dfb(x, shape, block_count, **backing)
        y_dfb = ttl.make_tensor_backed_dfb(y, shape, block_count, **backing)

        @ttl.datamovement()
        def publisher():
            x_dfb.publish()

        @ttl.compute()
        def compute():
            for _ in range(block_count):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(x_blk + 1)

    return op
