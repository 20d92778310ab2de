# SPDX-License-Identifier: Apache-2.0
"""The writer returns after two blocks, and the compute thread pushes four."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range(4):
            with x_dfb.reserve() as block:
                ttl.copy(x[0, i], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(4):
            with x_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(block + block)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        for i in range(4):
            if i + node == 2:
                return
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, i]).wait()


kernel(np.ones((32, 128), np.float32), np.zeros((32, 128), np.float32))
