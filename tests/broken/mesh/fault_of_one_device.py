# SPDX-License-Identifier: Apache-2.0
"""Device 1 reads a row that the tensor does not have."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((2, 1))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        with dfb.reserve() as block:
            ttl.copy(x[line.current_index() * 2, 0], block).wait()
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


mesh = opened(2, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
