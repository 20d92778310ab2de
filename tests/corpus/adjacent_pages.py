"""Copies of adjacent pages of L1 and of shards, which are one transfer: in nested loops, branches,
while loops, helper functions and a unified body; next to copies whose pages may not be adjacent."""
# feature: Shards

import numpy as np
import ttl
import ttnn

NODES = 4
SHARD = (2, 3)  # tiles


@ttl.operation(grid=(NODES, 1))
def shards(a: ttnn.Tensor, y: ttnn.Tensor, z: ttnn.Tensor, by_number: bool) -> None:
    dfb = ttl.make_dataflow_buffer_like(a, shape=SHARD, block_count=2)
    row_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, SHARD[1]), block_count=2)

    def fetch(row, column, block):
        ttl.copy(a[row : row + SHARD[0], column : column + SHARD[1]], block).wait()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        for i in range(0, 2 * SHARD[0], SHARD[0]):
            for j in range(2):
                with dfb.reserve() as block:
                    if i == 0:
                        fetch(i, SHARD[1] * j, block)
                    else:
                        ttl.copy(a[SHARD[0] + i : 2 * SHARD[0] + i, SHARD[1] * j : SHARD[1] * (j + 1)], block).wait()
        with dfb.reserve() as block:
            last = NODES - 1 - node
            if by_number:
                ttl.copy(a[last], block).wait()
            else:
                fetch(SHARD[0] * (last // 2), SHARD[1] * (last % 2), block)
        row = 0
        while row < 3:  # rows of shards, and then one that ends in the next shard
            with row_dfb.reserve() as block:
                if row < 2:
                    ttl.copy(a[row + node, 0 : SHARD[1]], block).wait()
                else:
                    ttl.copy(a[node, node % 2 : node % 2 + SHARD[1]], block).wait()
            row += 1

    @ttl.compute()
    def compute():
        pass

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        for part in range(5):
            with dfb.wait() as block:
                ttl.copy(block, y[5 * node + part]).wait()
        for row in range(3):
            with row_dfb.wait() as block:
                ttl.copy(block, z[3 * node + row, 0 : SHARD[1]]).wait()


@ttl.operation(grid=(2, 1))
def banks(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    node = ttl.node(dims=1)
    dfb = ttl.make_dataflow_buffer_like(a, shape=(3, 1), block_count=2)
    for column in range(node, 64, 32):
        with dfb.reserve() as block:
            ttl.copy(a[0:3, column], block).wait()
        with dfb.wait() as block:
            ttl.copy(block, y[0:3, 63 - column]).wait()


@ttl.operation(grid=(2, 1))
def lines(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    node = ttl.node(dims=1)
    dfb = ttl.make_dataflow_buffer_like(a, shape=(4, 64), block_count=2)
    for part in range(2):
        first = 4 * (2 * part + node)
        with dfb.reserve() as block:
            ttl.copy(a[first : first + 4, :], block).wait()
        with dfb.wait() as block:
            ttl.copy(block, y[first : first + 4, :]).wait()


def sharded(layout, columns, rows, shape, buffer=ttnn.BufferType.L1):
    cores = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(columns - 1, rows - 1))
    return ttnn.MemoryConfig(layout, buffer, ttnn.ShardSpec([cores], shape))


LAYOUTS = ttnn.TensorMemoryLayout
elements = (32 * SHARD[0], 32 * SHARD[1])
device = ttnn.open_device(device_id=0)
values = np.arange(192 * 192, dtype=np.float32).reshape(192, 192)
for memory in (sharded(LAYOUTS.BLOCK_SHARDED, 2, 3, elements),
               sharded(LAYOUTS.HEIGHT_SHARDED, 6, 1, (64, 192), ttnn.BufferType.DRAM)):
    a = ttnn.from_numpy(values, device=device, memory_config=memory)
    y = ttnn.zeros((20 * elements[0], elements[1]), device=device,
                   memory_config=sharded(LAYOUTS.HEIGHT_SHARDED, 4, 5, elements))
    z = ttnn.zeros((12 * 32, elements[1]), device=device,
                   memory_config=sharded(LAYOUTS.HEIGHT_SHARDED, 6, 1, elements, ttnn.BufferType.DRAM))
    shards(a, y, z, memory.memory_layout == LAYOUTS.BLOCK_SHARDED)
    for node in range(NODES):
        found = ttnn.to_numpy(y)[5 * node * 64 : 5 * (node + 1) * 64].reshape(5, 64, 96)
        last = NODES - 1 - node
        for part, (i, j) in enumerate([(0, 0), (0, 1), (2, 0), (2, 1), (last // 2, last % 2)]):
            assert np.array_equal(found[part], values[64 * i : 64 * (i + 1), 96 * j : 96 * (j + 1)])
        found = ttnn.to_numpy(z)[3 * node * 32 : 3 * (node + 1) * 32].reshape(3, 32, 96)
        for part, (i, j) in enumerate([(node, 0), (node + 1, 0), (node, node % 2)]):
            assert np.array_equal(found[part], values[32 * i : 32 * (i + 1), 32 * j : 32 * j + 96])

wide = np.arange(96 * 2048, dtype=np.float32).reshape(96, 2048)
a = ttnn.from_numpy(wide, device=device, memory_config=ttnn.L1_MEMORY_CONFIG)
y = ttnn.zeros((96, 2048), device=device, memory_config=ttnn.L1_MEMORY_CONFIG)
banks(a, y)
found = ttnn.to_numpy(y).reshape(96, 64, 32)
for column in (0, 1, 32, 33):
    assert np.array_equal(found[:, 63 - column], wide.reshape(96, 64, 32)[:, column])

plain = np.arange(16 * 64, dtype=np.float32).reshape(16, 64)
memory = sharded(LAYOUTS.HEIGHT_SHARDED, 4, 1, (4, 64))
a = ttnn.from_numpy(plain, device=device, layout=ttnn.ROW_MAJOR_LAYOUT, memory_config=memory)
y = ttnn.zeros((16, 64), device=device, layout=ttnn.ROW_MAJOR_LAYOUT, memory_config=memory)
lines(a, y)
assert np.array_equal(ttnn.to_numpy(y), plain)
ttnn.close_device(device)
