# SPDX-License-Identifier: Apache-2.0
"""A second thread of the node reads from the tensor what the first writes to it."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        for _ in range(2):
            with x_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(block + block)

    @ttl.datamovement()
    def reader():
        for i in range(2):
            source = x[0, 0] if i == 0 else y[0, 0]
            with x_dfb.reserve() as block:
                ttl.copy(source, block).wait()

    @ttl.datamovement()
    def writer():
        for i in range(2):
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, i]).wait()


kernel(np.ones((32, 32), np.float32), np.zeros((32, 64), np.float32))
