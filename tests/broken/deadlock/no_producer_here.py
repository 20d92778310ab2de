# SPDX-License-Identifier: Apache-2.0
"""Node 1 waits for a block that only node 0 pushes."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        if ttl.node(dims=1) == 0:
            with x_dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with x_dfb.wait() as block:
            ttl.copy(block, y[0, ttl.node(dims=1)]).wait()


kernel(np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32))
