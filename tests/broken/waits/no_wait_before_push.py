# SPDX-License-Identifier: Apache-2.0
"""The block is pushed while its copy is in flight."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        block = dfb.reserve()
        copy = ttl.copy(x[0, node], block)
        block.push()
        copy.wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


kernel(np.arange(64 * 64, dtype=np.float32).reshape(64, 64), np.zeros((64, 64), np.float32))
