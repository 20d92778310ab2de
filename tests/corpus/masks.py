"""Masks of blocks of two tiles, among sums, a product and functions that compute in place, of values
that are used again and of values that are not. A product is needed after all of them."""
# feature: Operators; List of the functions

import numpy as np
import ttl
import ttnn

SHAPE = (1, 2)


@ttl.operation(grid=(1, 1))
def masks(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor, z: ttnn.Tensor) -> None:
    a_dfb, b_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=SHAPE) for t in (a, b, y))
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for tensor, dfb in ((a, a_dfb), (b, b_dfb)):
            with dfb.reserve() as blk:
                ttl.copy(tensor[0:1, 0:2], blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, y_dfb.reserve() as y_blk:
            kept = a_blk + b_blk
            unneeded = ttl.math.exp(a_blk - b_blk)
            first = ttl.mask(kept, ttl.math.lt(unneeded, b_blk))
            product = a_blk * first
            second = ttl.mask(ttl.math.abs(first), ttl.math.lt(b_blk, a_blk))
            third = ttl.math.abs(ttl.math.neg(second)) * kept
            y_blk.store(ttl.mask(third - first, ttl.math.lt(kept, second)) + first)
            with z_dfb.reserve() as z_blk:
                z_blk.store(ttl.math.reduce_sum(product, dims=[0, 1]))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as blk:
            ttl.copy(blk, y[0:1, 0:2]).wait()
        with z_dfb.wait() as blk:
            ttl.copy(blk, z[0, 0]).wait()


device = ttnn.open_device(device_id=0)
rng = np.random.default_rng(5)
a, b = rng.standard_normal((2, 32, 64), dtype=np.float32)
y = ttnn.empty((32, 64), dtype=ttnn.float32, device=device)
z = ttnn.empty((32, 32), dtype=ttnn.float32, device=device)
masks(*(ttnn.from_numpy(each, device=device) for each in (a, b)), y, z)

kept = a + b
first = np.where(np.exp(a - b) < b, 0, kept)
second = np.where(b < a, 0, np.abs(first))
expected = np.where(kept < second, 0, np.abs(second) * kept - first) + first
assert np.allclose(ttnn.to_numpy(y), expected, rtol=1e-5, atol=1e-5)
assert np.isclose(ttnn.to_numpy(z)[0, 0], np.sum(a * first), rtol=1e-4)
