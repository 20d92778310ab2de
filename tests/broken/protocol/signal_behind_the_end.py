# SPDX-License-Identifier: Apache-2.0
"""Every node signals to the next one of the ring, but the first node does not wait."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(3, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    ready = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        if node > 0:
            ready.wait_ge(1)
        with dfb.reserve() as block:
            ttl.copy(x[node, 0], block).wait()
        ready.get_remote(((node + 1) % 3, 0)).inc(1)

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[ttl.node(dims=1), 0]).wait()


kernel(np.ones((3 * T, T), np.float32), np.zeros((3 * T, T), np.float32))
