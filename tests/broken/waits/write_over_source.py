# SPDX-License-Identifier: Apache-2.0
"""A tile is overwritten while the copy that reads it is in flight."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    other = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with other.reserve() as block, dfb.wait() as held:
            copy = ttl.copy(x[0, 1], block)
            ttl.copy(held, x[0, 1]).wait()
            copy.wait()

    @ttl.datamovement()
    def writer():
        with other.wait() as block:
            ttl.copy(block, x[1, 1]).wait()


kernel(np.arange(64 * 64, dtype=np.float32).reshape(64, 64))
