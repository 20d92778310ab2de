# SPDX-License-Identifier: Apache-2.0
"""A chain of nodes: each adds to the page that the one before it wrote. The last node waits for no
signal."""

import numpy as np
import ttl

NODES = 3


@ttl.operation(grid=(NODES, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    ready = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            if node == 0:
                ttl.copy(x[0, 0], block).wait()
            else:
                if node < NODES - 1:
                    ready.wait_ge(1)
                ttl.copy(y[0, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(block + block)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()
            if node < NODES - 1:
                ready.get_remote((node + 1, 0)).inc(1)


kernel(np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32))
