# SPDX-License-Identifier: Apache-2.0
"""A node writes its result over a page that its neighbour still reads."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 1 - node], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(block + block)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, x[0, node]).wait()


kernel(np.ones((32, 64), np.float32))
