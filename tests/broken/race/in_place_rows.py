# SPDX-License-Identifier: Apache-2.0
"""Each node adds the row below to its own row, in place."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 2))
def kernel(x):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=2)[1]
        with dfb.reserve() as block:
            ttl.copy(x[1 - node, 0], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=2)[1]
        with dfb.wait() as block:
            ttl.copy(block, x[node, 0]).wait()


kernel(np.arange(64 * 64, dtype=np.float32).reshape(64, 64))
