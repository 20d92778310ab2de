# SPDX-License-Identifier: Apache-2.0
"""The signal goes to a node that does not need it; another node reads the page without a signal."""

import numpy as np
import ttl


@ttl.operation(grid=(3, 1))
def kernel(x, y, z):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    ready = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            if node == 0:
                ttl.copy(x[0, 0], block).wait()
            else:
                if node == 1:
                    ready.wait_ge(1)
                ttl.copy(y[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with x_dfb.wait() as block:
            if node == 0:
                ttl.copy(block, y[0, 0]).wait()
                ready.get_remote((1, 0)).inc(1)
            else:
                ttl.copy(block, z[0, node - 1]).wait()


kernel(np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32), np.zeros((32, 64), np.float32))
