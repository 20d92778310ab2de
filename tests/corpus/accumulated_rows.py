"""Blocks of several rows that stores add to: in nested loops, in branches, in while loops, next to
stores that do not add, and in a unified body."""
# feature: Products of matrices; Sums over a loop

import numpy as np
import ttl
import ttnn

STEPS = 3
ROWS = 4


@ttl.operation(grid=(2, 1))
def products(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor, z: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(ROWS, 1), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, ROWS), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(ROWS, ROWS), block_count=1)
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(ROWS, 1), block_count=2)

    def add(block, value):
        block.store(value, acc=True)

    @ttl.datamovement()
    def reader():
        for _ in range(2):
            for k in range(STEPS):
                with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                    ttl.copy(a[0:ROWS, k], a_blk).wait()
                    ttl.copy(b[k, 0:ROWS], b_blk).wait()

    @ttl.compute()
    def compute():
        node = ttl.node(dims=1)
        for turn in range(2):
            with y_dfb.reserve() as y_blk:
                k = 0
                while k < STEPS:
                    with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                        add(y_blk, a_blk @ b_blk)
                        with z_dfb.reserve() as z_blk:
                            z_blk.store(a_blk)
                            if k != node:
                                z_blk.store(a_blk * 0.5, acc=True)
                            elif turn == 1:
                                add(z_blk, ttl.math.abs(a_blk))
                            z_blk.store(a_blk, acc=True)
                    k += 1

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        for turn in range(2):
            for k in range(STEPS):
                with z_dfb.wait() as z_blk:
                    ttl.copy(z_blk, z[(2 * node + turn) * ROWS : (2 * node + turn + 1) * ROWS, k]).wait()
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[ROWS * turn : ROWS * (turn + 1), node * ROWS : (node + 1) * ROWS]).wait()


@ttl.operation(grid=(1, 1))
def unified(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(ROWS, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(ROWS, 1), block_count=2)
    for column in range(2):
        with y_dfb.reserve() as y_blk:
            y_blk.store(ttl.block.fill(1.0, shape=(ROWS, 1)))
            for k in range(STEPS):
                with a_dfb.reserve() as a_blk:
                    ttl.copy(a[0:ROWS, k], a_blk).wait()
                with a_dfb.wait() as a_blk:
                    y_blk += a_blk
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0:ROWS, column]).wait()


device = ttnn.open_device(device_id=0)
ttnn.manual_seed(4)


def tensor(rows, columns):
    return ttnn.rand((32 * rows, 32 * columns), dtype=ttnn.bfloat16, device=device, low=-1.0, high=1.0)


a, b, y, z = tensor(ROWS, STEPS), tensor(STEPS, ROWS), tensor(2 * ROWS, 2 * ROWS), tensor(4 * ROWS, STEPS)
products(a, b, y, z)
left, right = ttnn.to_numpy(a), ttnn.to_numpy(b)
assert np.allclose(ttnn.to_numpy(y), np.tile(left @ right, (2, 2)), atol=0.2)
for node in range(2):
    for turn in range(2):
        part = ttnn.to_numpy(z)[(2 * node + turn) * 32 * ROWS :][: 32 * ROWS]
        for k in range(STEPS):
            values = left[:, 32 * k : 32 * (k + 1)]
            more = values * 0.5 if k != node else np.abs(values) if turn else 0
            assert np.allclose(part[:, 32 * k : 32 * (k + 1)], 2 * values + more, atol=0.05)
sums = tensor(ROWS, 2)
unified(a, sums)
expected = 1 + sum(left[:, 32 * k : 32 * (k + 1)] for k in range(STEPS))
assert np.allclose(ttnn.to_numpy(sums), np.tile(expected, (1, 2)), atol=0.05)
ttnn.close_device(device)
