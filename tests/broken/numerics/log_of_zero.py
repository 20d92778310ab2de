# SPDX-License-Identifier: Apache-2.0
"""The logarithm of an element that is 0 is infinite."""

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
            out.store(ttl.math.log(a) * 0.5)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[node, 0]).wait()


x = np.ones((T, T), np.float32)
x[3, 17] = 0
kernel(x, np.zeros((T, T), np.float32))
