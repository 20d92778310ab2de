# SPDX-License-Identifier: Apache-2.0
"""Both terms of a difference are infinite for a large number."""

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
            out.store((a * a) / (a * a + 1.0))

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[node, 0]).wait()


x = np.ones((T, T), np.float32)
x[0, 0] = 1e20
kernel(x, np.zeros((T, T), np.float32))
