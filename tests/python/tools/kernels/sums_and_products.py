"""A kernel of sums, differences and products of two buffers. The argument is the
element type. Prints a hash of each result."""

import sys

import numpy as np
import ttl
import ttnn

SHAPE = (64, 96)
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 1e-38, 3.4e38,
                    -3.4e38, 1e20, 3.0, 1 / 3], np.float32)


@ttl.operation(grid=(1, 1))
def combine(a, b, total, difference, product, mixed):
    tensors = (a, b, total, difference, product, mixed)
    a_dfb, b_dfb, total_dfb, difference_dfb, product_dfb, mixed_dfb = [
        ttl.make_dataflow_buffer_like(t, shape=(2, 3), block_count=1) for t in tensors
    ]

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
            a_xf = ttl.copy(a[0:2, 0:3], a_blk)
            b_xf = ttl.copy(b[0:2, 0:3], b_blk)
            a_xf.wait()
            b_xf.wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
            with total_dfb.reserve() as blk:
                blk.store(a_blk + b_blk)
            with difference_dfb.reserve() as blk:
                blk.store(a_blk - b_blk)
            with product_dfb.reserve() as blk:
                blk.store(a_blk * b_blk)
            with mixed_dfb.reserve() as blk:
                blk.store((a_blk * b_blk + a_blk) * (a_blk - b_blk) - b_blk * b_blk)

    @ttl.datamovement()
    def writer():
        with total_dfb.wait() as blk:
            ttl.copy(blk, total[0:2, 0:3]).wait()
        with difference_dfb.wait() as blk:
            ttl.copy(blk, difference[0:2, 0:3]).wait()
        with product_dfb.wait() as blk:
            ttl.copy(blk, product[0:2, 0:3]).wait()
        with mixed_dfb.wait() as blk:
            ttl.copy(blk, mixed[0:2, 0:3]).wait()


def main():
    dtype = getattr(ttnn, sys.argv[1])
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(4)
    # Every pair of special values first, then normal values of many magnitudes.
    values = rng.standard_normal((2, *SHAPE)) * 10.0 ** rng.integers(-30, 18, (2, *SHAPE))
    a, b = values.astype(np.float32)
    pairs = np.array([(x, y) for x in SPECIAL for y in SPECIAL], np.float32)
    a.flat[: len(pairs)] = pairs[:, 0]
    b.flat[: len(pairs)] = pairs[:, 1]
    inputs = [ttnn.from_numpy(x, dtype=dtype, device=device) for x in (a, b)]
    results = [ttnn.empty(SHAPE, dtype=dtype, device=device) for _ in range(4)]
    combine(*inputs, *results)
    for result in results:
        print(f"hash {result.fingerprint():016x}")
    ttnn.close_device(device)


main()
