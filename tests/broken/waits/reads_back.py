# SPDX-License-Identifier: Apache-2.0
"""A thread reads the tile that its own copy is still writing."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    back = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            copy = ttl.copy(block, y[0, 0])
            with back.reserve() as again:
                ttl.copy(y[0, 0], again).wait()
            copy.wait()
        with back.wait() as again:
            ttl.copy(again, y[0, 1]).wait()


kernel(np.arange(64 * 64, dtype=np.float32).reshape(64, 64), np.zeros((64, 64), np.float32))
