"""y = a + b for tensors in L1, cut into one shard per node.

A sharded tensor is cut into rectangles, and each of them is in the L1 of one core. a[i] with one
number is shard i. Each node adds the shards that it holds itself, so no data move between nodes."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

NODES = 4
SHARD = (64, 96)  # elements


@ttl.operation(grid=(NODES, 1))
def add(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
    tiles = (SHARD[0] // 32, SHARD[1] // 32)
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=tiles, block_count=1)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=tiles, block_count=1)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=tiles, block_count=1)

    @ttl.datamovement()
    def reader():
        shard = ttl.node(dims=1)
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
            ttl.copy(a[shard], a_blk).wait()
            ttl.copy(b[shard], b_blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + b_blk)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[ttl.node(dims=1)]).wait()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    shape = (NODES * SHARD[0], SHARD[1])
    a_host = rng.standard_normal(shape, dtype=np.float32)
    b_host = rng.standard_normal(shape, dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    cores = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(NODES - 1, 0))
    shards = ttnn.ShardSpec(ttnn.CoreRangeSet([cores]), SHARD, ttnn.ShardOrientation.ROW_MAJOR)
    memory = ttnn.MemoryConfig(
        ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, shards
    )
    a = ttnn.from_numpy(a_host, device=device, memory_config=memory)
    b = ttnn.from_numpy(b_host, device=device, memory_config=memory)
    y = ttnn.zeros(shape, device=device, memory_config=memory)
    times = launch(add, a, b, y)

    error = ulps(ttnn.to_numpy(y), a_host + b_host)
    report("sharded_add", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
