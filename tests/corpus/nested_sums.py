"""Values that nested loops carry: through two and three loops, one loop after another, with a
product, with several values at once, and with more of them than there are registers."""
# feature: Sums over a loop

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def two_loops(a: np.ndarray, y: np.ndarray, z: np.ndarray) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk:
            ttl.copy(a[0, 0], a_blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk:
            # Both loops carry the sum.
            total = ttl.zeros(shape=(1, 1))
            for _ in range(2):
                for _ in range(3):
                    total += a_blk
            with y_dfb.reserve() as y_blk:
                y_blk.store(total)
            # Only the inner loop carries the sum.
            for _ in range(2):
                part = a_blk * 0.5
                for _ in range(3):
                    part += a_blk
                with z_dfb.reserve() as z_blk:
                    z_blk.store(part)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, 0]).wait()
        for turn in range(2):
            with z_dfb.wait() as z_blk:
                ttl.copy(z_blk, z[turn, 0]).wait()


@ttl.operation(grid=(1, 1))
def convolution(a: np.ndarray, b: np.ndarray, y: np.ndarray, z: np.ndarray) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        for row in range(2):
            for k in range(2):
                for _ in range(2):
                    with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                        ttl.copy(a[row, k], a_blk).wait()
                        ttl.copy(b[k, 0], b_blk).wait()

    @ttl.compute()
    def compute():
        total = ttl.zeros(shape=(1, 1))
        largest = ttl.zeros(shape=(1, 1))
        for row in range(2):
            for _ in range(2):
                for _ in range(2):
                    with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                        total += a_blk @ b_blk
                        if row % 2 == 1:
                            largest = ttl.math.max(largest, a_blk)
        with y_dfb.reserve() as y_blk, z_dfb.reserve() as z_blk:
            y_blk.store(total)
            z_blk.store(largest)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk, z_dfb.wait() as z_blk:
            ttl.copy(y_blk, y[0, 0]).wait()
            ttl.copy(z_blk, z[0, 0]).wait()


@ttl.operation(grid=(1, 1))
def several(a: np.ndarray, y: np.ndarray) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 2), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 2), block_count=2)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk:
            ttl.copy(a[0, 0:2], a_blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk:
            # One loop after another, and two values that change places.
            first = ttl.block.fill(1.0, shape=(1, 2))
            second = a_blk * 2.0
            for _ in range(2):
                first += a_blk
            for _ in range(3):
                first, second = second, first
                for _ in range(2):
                    second += first
            with y_dfb.reserve() as y_blk:
                y_blk.store(first - second)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, 0:2]).wait()


numbers = np.random.default_rng(7)
a = numbers.uniform(-1, 1, (64, 64)).astype(np.float32)
b = numbers.uniform(-1, 1, (64, 32)).astype(np.float32)
y = np.zeros((32, 32), np.float32)
z = np.zeros((64, 32), np.float32)
two_loops(a, y, z)
total = np.zeros((32, 32), np.float32)
for _ in range(6):
    total = total + a[:32, :32]
assert np.array_equal(y, total)
convolution(a, b, y, z)
assert np.array_equal(z[:32], np.maximum(0, np.maximum(a[32:, :32], a[32:, 32:])))
assert np.allclose(y, 2 * (a[:32] @ b + a[32:] @ b), atol=1e-4)
wide = np.zeros((32, 64), np.float32)
several(a, wide)
first, second = 1 + a[:32] + a[:32], a[:32] * np.float32(2)
for _ in range(3):
    first, second = second, first
    second = second + first + first
assert np.array_equal(wide, first - second)
