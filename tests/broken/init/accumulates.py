# SPDX-License-Identifier: Apache-2.0
"""The kernel adds to its result, which comes from ttnn.empty."""

import numpy as np
import ttl
import ttnn

T = 32


@ttl.operation(grid=(2, 1))
def kernel(x, total):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    old_dfb = ttl.make_dataflow_buffer_like(total, shape=(1, 1))
    new_dfb = ttl.make_dataflow_buffer_like(total, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            ttl.copy(x[node, 0], block).wait()
        with old_dfb.reserve() as block:
            ttl.copy(total[node, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, old_dfb.wait() as old, new_dfb.reserve() as new:
            new.store(old + a)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with new_dfb.wait() as block:
            ttl.copy(block, total[node, 0]).wait()


x = np.ones((2 * T, T), np.float32)
total = ttnn.empty((2 * T, T))
kernel(x, total)
