# SPDX-License-Identifier: Apache-2.0
"""No thread writes the results to the tensor, which stays zero."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(block + block)


kernel(np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32))
