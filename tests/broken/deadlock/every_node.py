# SPDX-License-Identifier: Apache-2.0
"""On every node the reader pushes three blocks, and compute waits for four: one report tells of all."""

import numpy as np
import ttl


@ttl.operation(grid=(3, 2))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        for i in range(3):
            with x_dfb.reserve() as block:
                ttl.copy(x[i // 2, i % 2], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(4):
            with x_dfb.wait() as block, y_dfb.reserve() as result:
                result.store(block + block)

    @ttl.datamovement()
    def writer():
        for i in range(4):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i // 2, i % 2]).wait()


kernel(np.ones((64, 64), np.float32), np.zeros((64, 64), np.float32))
