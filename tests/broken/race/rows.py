# SPDX-License-Identifier: Apache-2.0
"""Nodes write rows of a row-major tensor; each writes one row too many."""

import numpy as np
import ttl
import ttnn


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(3, 32))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with dfb.reserve() as block:
            ttl.copy(x[2 * node : 2 * node + 3, 0:32], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        with dfb.wait() as block:
            ttl.copy(block, y[2 * node : 2 * node + 3, 0:32]).wait()


device = ttnn.open_device(device_id=0)
x, y = (ttnn.from_numpy(np.ones((8, 32), np.float32), layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
        for _ in range(2))
kernel(x, y)
