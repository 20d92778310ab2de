# SPDX-License-Identifier: Apache-2.0
"""Sections of several tiles with several operations each, and stores that share operations."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def chains(x, y, z, a, b, c):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 5))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 5))
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(1, 5))
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 5))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, 5))
    c_dfb = ttl.make_dataflow_buffer_like(c, shape=(1, 5))

    @ttl.datamovement()
    def reader():
        for tensor, dfb in ((x, x_dfb), (y, y_dfb), (z, z_dfb)):
            with dfb.reserve() as block:
                ttl.copy(tensor[0:1, 0:5], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as p, y_dfb.wait() as q, z_dfb.wait() as r:
            with a_dfb.reserve() as block:
                block.store(ttl.math.relu(ttl.math.exp(ttl.math.abs(p))))
            with b_dfb.reserve() as first, c_dfb.reserve() as second:
                e = ttl.math.exp((p + q) * r)
                first.store(e)
                second.store(e * p - ttl.math.abs(q))

    @ttl.datamovement()
    def writer():
        for tensor, dfb in ((a, a_dfb), (b, b_dfb), (c, c_dfb)):
            with dfb.wait() as block:
                ttl.copy(block, tensor[0:1, 0:5]).wait()


random = np.random.default_rng(7)
x, y, z = (random.standard_normal((32, 160)).astype(np.float32) for _ in range(3))
a, b, c = (np.zeros((32, 160), np.float32) for _ in range(3))
chains(x, y, z, a, b, c)
assert np.allclose(a, np.exp(np.abs(x)), rtol=1e-5)
assert np.allclose(b, np.exp((x + y) * z), rtol=1e-5)
assert np.allclose(c, b * x - np.abs(y), rtol=1e-4, atol=1e-5)
