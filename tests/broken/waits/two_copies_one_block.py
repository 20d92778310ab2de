# SPDX-License-Identifier: Apache-2.0
"""Two copies into the same block are in flight at the same time."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            first = ttl.copy(x[0, 0], block)
            second = ttl.copy(x[0, 1], block)
            first.wait()
            second.wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


kernel(np.arange(64 * 64, dtype=np.float32).reshape(64, 64), np.zeros((64, 64), np.float32))
