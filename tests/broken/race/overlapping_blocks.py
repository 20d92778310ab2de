# SPDX-License-Identifier: Apache-2.0
"""Two nodes write blocks that share a column of tiles."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(y):
    dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 2))

    @ttl.compute()
    def compute():
        with dfb.reserve() as filled:
            filled.store(ttl.math.fill(1, shape=(1, 2)))

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.raw_element_write(block, 0, 32 * (1 - node), value=float(node))
            ttl.copy(block, y[0, node:node + 2]).wait()


kernel(np.zeros((32, 96), np.float32))
