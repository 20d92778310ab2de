# SPDX-License-Identifier: Apache-2.0
"""On node 1 another thread fills the buffer, but it first waits for a block that nobody pushes."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    x_dfb, late_dfb, y_dfb = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(3))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with late_dfb.reserve() as block:
            ttl.copy(x[0, node], block).wait()
        if node == 0:
            with x_dfb.reserve() as block:
                ttl.copy(x[0, node], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as block, y_dfb.reserve() as result:
            result.store(block + 1)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        if node == 1:
            for _ in range(2):  # late_dfb gets one block
                with late_dfb.wait() as block:
                    ttl.copy(block, y[0, node]).wait()
            with x_dfb.reserve() as block:
                ttl.copy(x[0, node], block).wait()
        else:
            with late_dfb.wait() as block:
                ttl.copy(block, y[0, node]).wait()
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, node]).wait()


kernel(np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32))
