"""Shards in L1 by their number: each node doubles one and writes it to another shard, in DRAM."""
# feature: Shards

import numpy as np
import ttl
import ttnn

SHARDS = 4


@ttl.operation(grid=(SHARDS, 1))
def double(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 1))

    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        with a_dfb.reserve() as a_blk:
            ttl.copy(a[x], a_blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk + a_blk)

    @ttl.datamovement()
    def writer():
        x, _ = ttl.node(dims=2)
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[SHARDS - 1 - x]).wait()


def memory(layout, columns, rows, buffer):
    cores = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(columns - 1, rows - 1))
    return ttnn.MemoryConfig(layout, buffer, ttnn.ShardSpec([cores], (64, 32)))


device = ttnn.open_device(device_id=0)
blocks = memory(ttnn.TensorMemoryLayout.BLOCK_SHARDED, 2, 2, ttnn.BufferType.L1)
banks = memory(ttnn.TensorMemoryLayout.WIDTH_SHARDED, 4, 1, ttnn.BufferType.DRAM)
values = np.random.default_rng(1).standard_normal((2, 64, 64), dtype=np.float32)
a = ttnn.from_numpy(values, device=device, memory_config=blocks)
y = ttnn.zeros((64, 128), device=device, memory_config=banks)
double(a, y)
ttnn.close_device(device)
