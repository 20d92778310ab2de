# SPDX-License-Identifier: Apache-2.0
"""One thread pushes and pops a buffer, and waits for the second block before it pushes it."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def mover():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        for i in range(2):
            with dfb.wait() as block:
                ttl.copy(block, y[0, i]).wait()


kernel(np.ones((64, 64), np.float32), np.zeros((64, 64), np.float32))
