# SPDX-License-Identifier: Apache-2.0
"""One node tells all nodes that it is ready, and only some of them wait for it."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(4, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    ready = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        if node == 0:
            ready.get_remote_multicast().set(1)
        if node == 1:
            ready.wait_eq(1)
        with dfb.reserve() as block:
            ttl.copy(x[node, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[ttl.node(dims=1), 0]).wait()


kernel(np.ones((4 * T, T), np.float32), np.zeros((4 * T, T), np.float32))
