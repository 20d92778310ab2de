# SPDX-License-Identifier: Apache-2.0
"""Each node fills one row of tiles of a device tensor. There are more rows than nodes."""

import ttl
import ttnn


@ttl.operation(grid=(3,))
def fill(y):
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 2))

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(ttl.fill(2.0, shape=(1, 2)))

    @ttl.datamovement()
    def writer():
        row = ttl.node(dims=1)
        with y_dfb.wait() as block:
            ttl.copy(block, y[row : row + 1, 0:2]).wait()


device = ttnn.open_device(device_id=0)
y = ttnn.empty((2, 64, 64), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
fill(ttnn.reshape(y, (128, 64)))
