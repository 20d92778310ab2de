# SPDX-License-Identifier: Apache-2.0
"""The number of rows of tiles is odd, so that the last node reads a row beyond the tensor."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        per_node = (x.shape[0] // T + 1) // 2
        for i in range(per_node):
            with x_dfb.reserve() as block:
                ttl.copy(x[ttl.node(dims=1) * per_node + i, 0], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(2):
            with x_dfb.wait() as a, y_dfb.reserve() as out:
                out.store(a + a)

    @ttl.datamovement()
    def writer():
        for i in range(2):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i, 0]).wait()


kernel(np.ones((3 * T, T), np.float32), np.zeros((2 * T, T), np.float32))
