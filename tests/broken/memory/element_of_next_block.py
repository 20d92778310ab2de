# SPDX-License-Identifier: Apache-2.0
"""A loop reads one element beyond the end of the block."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
            for i in range(T):
                if ttl.raw_element_read(block, 0, i + 1) > 2.0:
                    ttl.raw_element_write(block, 0, i, value=2.0)

    @ttl.compute()
    def compute():
        for _ in range(1):
            with x_dfb.wait() as a, y_dfb.reserve() as out:
                out.store(a + a)

    @ttl.datamovement()
    def writer():
        for i in range(1):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i, 0]).wait()


kernel(np.ones((T, T), np.float32), np.zeros((T, T), np.float32))
