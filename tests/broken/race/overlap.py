# SPDX-License-Identifier: Apache-2.0
"""Each node writes two pages, and one of them is also a page of its neighbour."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 2))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            ttl.copy(x[0:1, node : node + 2], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.copy(block, y[0:1, node : node + 2]).wait()


kernel(np.ones((32, 96), np.float32), np.zeros((32, 96), np.float32))
