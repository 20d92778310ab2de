# SPDX-License-Identifier: Apache-2.0
"""The exponential of 100 is larger than the largest float32."""

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
            e = ttl.math.exp(a)
            out.store(e + 1.0)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[node, 0]).wait()


x = np.zeros((T, T), np.float32)
x[31, 31] = 100
kernel(x, np.zeros((T, T), np.float32))
