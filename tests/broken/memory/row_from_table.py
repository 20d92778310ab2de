# SPDX-License-Identifier: Apache-2.0
"""A row index that is read from a table is beyond the end of the tensor."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, table, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(table[0, 0], block).wait()
            row = ttl.read_index(block, 0, 1)
            ttl.copy(x[row, 0], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(1):
            with x_dfb.wait() as a, y_dfb.reserve() as out:
                out.store(a + a)

    @ttl.datamovement()
    def writer():
        for i in range(1):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i, 0]).wait()


table = np.zeros((T, T), np.float32)
table[0, 1] = 4
kernel(np.ones((4 * T, T), np.float32), table, np.zeros((T, T), np.float32))
