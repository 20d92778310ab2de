# SPDX-License-Identifier: Apache-2.0
"""Two signals come for each block, and the receiver counts one."""

import numpy as np
import ttl

T = 32


ROUNDS = 2


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    done = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        for i in range(ROUNDS):
            with dfb.reserve() as block:
                ttl.copy(x[2 * node + i, 0], block).wait()
            if node == 1:
                done.wait_ge(i + 1)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        for i in range(ROUNDS):
            with dfb.wait() as block:
                ttl.copy(block, y[2 * node + i, 0]).wait()
            if node == 0:
                done.get_remote((1, 0)).inc(2)


kernel(np.ones((4 * T, T), np.float32), np.zeros((4 * T, T), np.float32))
