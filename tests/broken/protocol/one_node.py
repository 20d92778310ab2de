# SPDX-License-Identifier: Apache-2.0
"""The first node pushes a block more than the others, and all pop equally many."""

import numpy as np
import ttl


@ttl.operation(grid=(3, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            ttl.copy(x[0, node], block).wait()
        if node == 0:
            with dfb.reserve() as block:
                ttl.copy(x[0, 2], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.copy(block, y[0, node]).wait()


kernel(np.ones((32, 96), np.float32), np.zeros((32, 96), np.float32))
