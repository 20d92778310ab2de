# SPDX-License-Identifier: Apache-2.0
"""Two copies fill a block, and the thread waits for the first."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    other = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        one, two = dfb.reserve(), other.reserve()
        first = ttl.copy(x[0, 0], one)
        second = ttl.copy(x[0, 1], two)
        first.wait()
        one.push()
        two.push()
        second.wait()

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()
        with other.wait() as block:
            ttl.copy(block, y[0, 1]).wait()


kernel(np.arange(64 * 64, dtype=np.float32).reshape(64, 64), np.zeros((64, 64), np.float32))
