# SPDX-License-Identifier: Apache-2.0
"""Only device 1 pushes the block that both devices wait for."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((2, 1))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        if line.is_current((1, 0)):
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


mesh = opened(2, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
