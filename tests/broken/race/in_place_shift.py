# SPDX-License-Identifier: Apache-2.0
"""Each node reads a tile while its neighbour may overwrite it."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            ttl.copy(x[0, 1 - node], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.copy(block, x[0, node]).wait()


kernel(np.arange(64 * 64, dtype=np.float32).reshape(64, 64))
