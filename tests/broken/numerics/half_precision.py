# SPDX-License-Identifier: Apache-2.0
"""The square of 300 is larger than the largest float16."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            ttl.copy(x[2 * node : 2 * (node + 1), 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, y_dfb.reserve() as out:
            out.store(a * a)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[2 * node : 2 * (node + 1), 0]).wait()


x = np.full((2 * T, T), 100, np.float16)
x[5, 6] = 300
kernel(x, np.zeros((2 * T, T), np.float16))
