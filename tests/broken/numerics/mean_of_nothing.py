# SPDX-License-Identifier: Apache-2.0
"""One node has a row of zeros and divides by its sum."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    sum_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            ttl.copy(x[node, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, sum_dfb.reserve() as total:
            total.store(ttl.math.reduce_sum(a, dims=[1]))
        with sum_dfb.wait() as total, y_dfb.reserve() as out:
            out.store(ttl.math.recip(total))

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[node, 0]).wait()


x = np.ones((2 * T, T), np.float32)
x[T:, 0] = np.arange(T)
x[T] = 0
kernel(x, np.zeros((2 * T, T), np.float32))
