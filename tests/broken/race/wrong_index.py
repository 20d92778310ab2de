# SPDX-License-Identifier: Apache-2.0
"""All nodes of a column write the same tile, because its index is their column only."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 2))
def kernel(y):
    dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with dfb.reserve() as filled:
            filled.store(ttl.math.fill(1, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        column, row = ttl.node(dims=2)
        with dfb.wait() as block:
            ttl.raw_element_write(block, 0, 0, value=float(row))
            ttl.copy(block, y[0, column]).wait()


kernel(np.zeros((64, 64), np.float32))
