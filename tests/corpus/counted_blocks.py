"""Threads that count at run time how many blocks they hold: the number depends on the node."""
# feature: Releases in other loops and branches

import numpy as np
import ttl
import ttnn

STEPS = 7


@ttl.operation(grid=(2, 1))
def counted(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 2), block_count=3)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 2), block_count=3)

    @ttl.datamovement()
    def reader():
        column, _ = ttl.node(dims=2)
        done = 0
        while done < STEPS:
            size = min(2 + column, STEPS - done)
            for i in range(size):
                ttl.copy(a[done + i, 2 * column : 2 * column + 2], a_dfb.reserve()).wait()
            for _ in range(size):
                a_dfb.push()
            done += size

    @ttl.compute()
    def compute():
        column, _ = ttl.node(dims=2)
        left = a_dfb.wait()
        for i in range(STEPS + 0 * column):
            value = left + i
            if i < STEPS - 1 - column * 0 and column == 0:
                right = a_dfb.wait()
                value = value - right
            left.pop()
            if column == 0:
                left = right
            elif i < STEPS - 1:
                left = a_dfb.wait()
            y_dfb.reserve().store(value)
            if i % 2 == 1 or i == STEPS - 1:
                for _ in range(1 + i % 2):
                    y_dfb.push()

    @ttl.datamovement()
    def writer():
        column, _ = ttl.node(dims=2)
        i = 0
        while True:
            block = y_dfb.wait()
            ttl.copy(block, y[i, 2 * column : 2 * column + 2]).wait()
            i += 1
            if i == STEPS:
                break
            block.pop()
        block.pop()


a = np.random.default_rng(5).standard_normal((32 * STEPS, 128), dtype=np.float32)
y = np.zeros_like(a)
counted(a, y)
steps = np.arange(STEPS, dtype=np.float32).repeat(32)[:, None]
expected = a + steps
expected[: 32 * (STEPS - 1), :64] -= a[32:, :64]
assert np.array_equal(y, expected)
