# SPDX-License-Identifier: Apache-2.0
"""Both data movement threads of a node write the same tile."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x):
    first = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    second = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.compute()
    def compute():
        with first.reserve() as filled:
            filled.store(ttl.math.fill(1, shape=(1, 1)))
        with second.reserve() as filled:
            filled.store(ttl.math.fill(2, shape=(1, 1)))

    @ttl.datamovement()
    def one():
        with first.wait() as block:
            ttl.copy(block, x[0, 0]).wait()

    @ttl.datamovement()
    def other():
        with second.wait() as block:
            ttl.copy(block, x[0, 0]).wait()


kernel(np.zeros((64, 64), np.float32))
