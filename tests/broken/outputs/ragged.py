# SPDX-License-Identifier: Apache-2.0
"""The number of tiles is rounded down, so that the last rows and columns are left out."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def double(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    rows, columns = x.shape[0] // 32, x.shape[1] // 32

    @ttl.datamovement()
    def reader():
        for row in range(rows):
            for column in range(columns):
                with x_dfb.reserve() as block:
                    ttl.copy(x[row, column], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(rows * columns):
            with x_dfb.wait() as a, y_dfb.reserve() as out:
                out.store(a + a)

    @ttl.datamovement()
    def writer():
        for row in range(rows):
            for column in range(columns):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[row, column]).wait()


double(np.ones((50, 70), np.float32), np.zeros((50, 70), np.float32))
