# SPDX-License-Identifier: Apache-2.0
"""A thread copies out of a block that it has popped."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(1):
            with x_dfb.wait() as a, y_dfb.reserve() as out:
                out.store(a + a)

    @ttl.datamovement()
    def writer():
        for i in range(1):
            block = y_dfb.wait()
            block.pop()
            ttl.copy(block, y[i, 0]).wait()


kernel(np.ones((T, T), np.float32), np.zeros((T, T), np.float32))
