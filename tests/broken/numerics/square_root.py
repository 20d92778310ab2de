# SPDX-License-Identifier: Apache-2.0
"""A variance of rounded numbers is a little below 0."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            ttl.copy(x[node, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, y_dfb.reserve() as out:
            out.store(ttl.math.sqrt(a * a - 1.0))

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[node, 0]).wait()


x = np.full((T, T), 1.0000001, np.float32)
x[16, 2] = 0.9999999
kernel(x, np.zeros((T, T), np.float32))
