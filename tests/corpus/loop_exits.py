"""Loops that break and return, accumulators that begin as numbers and blocks, blocks and
transfers that loops carry."""
# feature: Blocks in with; for; while

import numpy as np
import ttl
import ttnn

STEPS = 6


def first_large(value, limit):
    """1 + the number of doublings after which `value` is above the limit."""
    for i in range(8):
        if value > limit:
            return i + 1
        if value == limit:
            continue
        value = value * 2
    return 0


@ttl.operation(grid=(2, 1))
def exits(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=3)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        column, _ = ttl.node(dims=2)
        block = a_dfb.reserve()
        transfer = ttl.copy(a[0, column], block)
        for i in range(1, STEPS):
            ahead = a_dfb.reserve()
            ahead_transfer = ttl.copy(a[i, column], ahead)
            transfer.wait()
            block.push()
            block = ahead
            transfer = ahead_transfer
        transfer.wait()
        block.push()

    @ttl.compute()
    def compute():
        column, _ = ttl.node(dims=2)
        total = 0
        steps = 0
        while True:
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                if steps == column:
                    value = a_blk
                elif steps == 3:
                    value = 1.5
                else:
                    value = a_blk * 2
                total += value
                y_blk.store(total)
            steps += 1
            if steps == STEPS:
                break

    @ttl.datamovement()
    def writer():
        column, _ = ttl.node(dims=2)
        for row in range(100):
            if row == STEPS:
                break
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[(row + first_large(1 + column, 9)) % STEPS, column]).wait()


device = ttnn.open_device(device_id=0)
rng = np.random.default_rng(5)
shape = (STEPS * 32, 64)
a = ttnn.from_numpy(rng.standard_normal(shape, dtype=np.float32), device=device)
y = ttnn.empty(shape, dtype=ttnn.float32, device=device)
exits(a, y)
ttnn.close_device(device)
