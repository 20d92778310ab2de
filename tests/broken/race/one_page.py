# SPDX-License-Identifier: Apache-2.0
"""Every node writes its result to the first page of the tensor."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            ttl.copy(x[0, node], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(block + block)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


kernel(np.ones((32, 64), np.float32), np.zeros((32, 64), np.float32))
