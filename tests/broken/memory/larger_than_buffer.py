# SPDX-License-Identifier: Apache-2.0
"""A loop reserves blocks until more are reserved than the buffer has."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range(3):
            ttl.copy(x[i, 0], x_dfb.reserve()).wait()
        for i in range(3):
            x_dfb.push()

    @ttl.compute()
    def compute():
        for _ in range(3):
            with x_dfb.wait() as a, y_dfb.reserve() as out:
                out.store(a + a)

    @ttl.datamovement()
    def writer():
        for i in range(3):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i, 0]).wait()


kernel(np.ones((3 * T, T), np.float32), np.zeros((3 * T, T), np.float32))
