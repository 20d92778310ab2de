# SPDX-License-Identifier: Apache-2.0
"""The wait for the copy comes after the signal that announces it."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    ready = ttl.Semaphore(initial=0)

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            if node == 1:
                ready.wait_ge(1)
                ttl.copy(y[0, 0], block).wait()
            else:
                ttl.copy(x[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            if node == 0:
                copy = ttl.copy(block, y[0, 0])
                ready.get_remote((1,)).inc(1)
                copy.wait()
            else:
                ttl.copy(block, y[0, 1]).wait()


kernel(np.arange(64 * 64, dtype=np.float32).reshape(64, 64), np.zeros((64, 64), np.float32))
