# SPDX-License-Identifier: Apache-2.0
"""The data movement thread writes the diagonal of a block and no other element of it."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    mask_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with mask_dfb.reserve() as block:
            for i in range(T):
                ttl.raw_element_write(block, i, i, value=1.0)

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, mask_dfb.wait() as mask, y_dfb.reserve() as out:
            out.store(a * mask)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


kernel(np.ones((T, T), np.float32), np.zeros((T, T), np.float32))
