# SPDX-License-Identifier: Apache-2.0
"""The columns of a row-major tensor in DRAM are copied from an address that the NoC cannot use."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1), tiled=False)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(4, 16))

    @ttl.datamovement()
    def reader():
        for i in range(2):
            with dfb.reserve() as block:
                ttl.copy(x[0:4, 3 * i : 3 * i + 16], block).wait()

    @ttl.datamovement()
    def writer():
        for i in range(2):
            with dfb.wait() as block:
                ttl.copy(block, y[4 * i : 4 * i + 4, 0:16]).wait()


kernel(np.ones((4, 64), np.float32), np.zeros((8, 16), np.float32))
