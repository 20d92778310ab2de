# SPDX-License-Identifier: Apache-2.0
"""The reader fills two buffers, and the compute thread uses the second only in the last round."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, scale, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    scale_dfb = ttl.make_dataflow_buffer_like(scale, shape=(1, 1), block_count=3)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range(3):
            with x_dfb.reserve() as block:
                ttl.copy(x[0, i], block).wait()
            with scale_dfb.reserve() as block:
                ttl.copy(scale[0, 0], block).wait()

    @ttl.compute()
    def compute():
        with scale_dfb.wait() as factor:
            for _ in range(3):
                with x_dfb.wait() as block, y_dfb.reserve() as out:
                    out.store(block * factor)

    @ttl.datamovement()
    def writer():
        for i in range(3):
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, i]).wait()


kernel(np.ones((32, 96), np.float32), np.ones((32, 32), np.float32), np.zeros((32, 96), np.float32))
