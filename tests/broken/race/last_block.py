# SPDX-License-Identifier: Apache-2.0
"""The last node also writes the tile of the node before it."""

import numpy as np
import ttl


@ttl.operation(grid=(3, 1))
def kernel(y):
    dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with dfb.reserve() as filled:
            filled.store(ttl.math.fill(1, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.raw_element_write(block, 0, 0, value=float(node))
            ttl.copy(block, y[0, min(node, 1)]).wait()


kernel(np.zeros((64, 64), np.float32))
