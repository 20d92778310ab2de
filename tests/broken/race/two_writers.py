# SPDX-License-Identifier: Apache-2.0
"""Both data movement threads of a node write the same page."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with x_dfb.reserve() as first:
            first.store(ttl.math.fill(1, shape=(1, 1)))
        with y_dfb.reserve() as second:
            second.store(ttl.math.fill(2, shape=(1, 1)))

    @ttl.datamovement()
    def one():
        with x_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

    @ttl.datamovement()
    def other():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


kernel(np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32))
