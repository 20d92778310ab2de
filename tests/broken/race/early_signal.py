# SPDX-License-Identifier: Apache-2.0
"""Node 0 sets the semaphore before it writes the tile that node 1 reads."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    ready = ttl.Semaphore(initial=0)

    @ttl.datamovement()
    def mover():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            if node == 0:
                ttl.copy(x[0, 0], block).wait()
            else:
                ready.wait_ge(1)
                ttl.copy(y[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            if node == 0:
                ready.get_remote((1,)).inc(1)
            ttl.copy(block, y[0, node]).wait()


kernel(np.ones((64, 64), np.float32), np.zeros((64, 64), np.float32))
