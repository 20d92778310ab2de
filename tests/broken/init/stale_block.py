# SPDX-License-Identifier: Apache-2.0
"""The scaler has its column only in the first block of the buffer. The third block has the same page, and
nobody writes it again."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    row_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range(3):
            with x_dfb.reserve() as block:
                ttl.copy(x[i, 0], block).wait()
            with row_dfb.reserve() as row:
                ttl.raw_element_write(row, 0, 0, value=1.0)
                if i == 0:
                    for j in range(1, T):
                        ttl.raw_element_write(row, 0, j, value=1.0)
                if i == 1:
                    for j in range(1, T):
                        ttl.raw_element_write(row, 0, j, value=2.0)

    @ttl.compute()
    def compute():
        for i in range(3):
            with x_dfb.wait() as a, row_dfb.wait() as row, y_dfb.reserve() as out:
                out.store(a * ttl.broadcast(row, dims=[0]))

    @ttl.datamovement()
    def writer():
        for i in range(3):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i, 0]).wait()


kernel(np.ones((3 * T, T), np.float32), np.zeros((3 * T, T), np.float32))
