# SPDX-License-Identifier: Apache-2.0
"""Each data movement thread waits for room in a buffer that the other one empties only later."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    there = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    back = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def first():
        for i in range(2):
            with there.reserve() as block:
                ttl.copy(x[0, i], block).wait()
        for i in range(2):
            with there.reserve() as block:
                ttl.copy(x[1, i], block).wait()
            with back.wait() as block:
                ttl.copy(block, y[0, i]).wait()

    @ttl.datamovement()
    def second():
        for i in range(3):
            with back.reserve() as block:
                ttl.copy(x[0, 0], block).wait()
        for i in range(4):
            with there.wait() as block:
                ttl.copy(block, y[1, i % 2]).wait()


kernel(np.ones((64, 64), np.float32), np.zeros((64, 64), np.float32))
