# SPDX-License-Identifier: Apache-2.0
"""Node 1 reads the tile that node 0 writes, without waiting for it."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            if ttl.node(dims=1) == 0:
                ttl.copy(x[0, 0], block).wait()
            else:
                ttl.copy(y[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.copy(block, y[0, node]).wait()


kernel(np.ones((64, 64), np.float32), np.zeros((64, 64), np.float32))
