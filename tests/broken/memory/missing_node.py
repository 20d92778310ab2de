# SPDX-License-Identifier: Apache-2.0
"""The last node signals to a node beyond the end of the grid."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(3, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    ready = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        if node > 0:
            ready.wait_ge(1)
        with x_dfb.reserve() as block:
            ttl.copy(x[node, 0], block).wait()
        ready.get_remote((node + 1, 0)).inc(1)

    @ttl.compute()
    def compute():
        for _ in range(1):
            with x_dfb.wait() as a, y_dfb.reserve() as out:
                out.store(a + a)

    @ttl.datamovement()
    def writer():
        for i in range(1):
            with y_dfb.wait() as block:
                ttl.copy(block, y[ttl.node(dims=1), 0]).wait()


kernel(np.ones((3 * T, T), np.float32), np.zeros((3 * T, T), np.float32))
