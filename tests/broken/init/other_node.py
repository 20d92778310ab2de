# SPDX-License-Identifier: Apache-2.0
"""Each node adds the tile that the node before it has written. The last node writes none."""

import numpy as np
import ttl
import ttnn

T, NODES = 32, 3


@ttl.operation(grid=(NODES, 1))
def kernel(x, shared, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    written = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            ttl.copy(x[node, 0], block).wait()
            if node < NODES - 1:
                ttl.copy(block, shared[node, 0]).wait()
            written.get_remote(((node + 1) % NODES, 0)).inc(1)
        written.wait_ge(1)
        with x_dfb.reserve() as block:
            ttl.copy(shared[(node + NODES - 1) % NODES, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as own, x_dfb.wait() as other, y_dfb.reserve() as out:
            out.store(own + other)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[node, 0]).wait()


shape = (NODES * T, T)
kernel(np.ones(shape, np.float32), ttnn.empty(shape), np.zeros(shape, np.float32))
