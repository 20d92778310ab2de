# SPDX-License-Identifier: Apache-2.0
"""A loop reads a page of the tensor which the previous round wrote, and the reader is one round ahead."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(y):
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    sum_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range(3):
            with y_dfb.reserve() as block:
                ttl.copy(y[0, i], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(3):
            with y_dfb.wait() as block, sum_dfb.reserve() as out:
                out.store(block + block)

    @ttl.datamovement()
    def writer():
        for i in range(3):
            with sum_dfb.wait() as block:
                ttl.copy(block, y[0, i + 1]).wait()


kernel(np.ones((32, 128), np.float32))
