# SPDX-License-Identifier: Apache-2.0
"""The first node tells the second that the page is ready before it writes the page."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    ready = ttl.Semaphore()

    @ttl.datamovement()
    def first():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            if node == 0:
                ttl.copy(x[0, 0], block).wait()
            else:
                ready.wait_ge(1)
                ttl.copy(y[0, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(block + block)

    @ttl.datamovement()
    def second():
        node = ttl.node(dims=1)
        with y_dfb.wait() as block:
            if node == 0:
                ready.get_remote((1, 0)).inc(1)
            ttl.copy(block, y[0, node]).wait()


kernel(np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32))
