# SPDX-License-Identifier: Apache-2.0
"""The domain has its devices along one axis, and the mesh has them along the other one."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((1, 2))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


mesh = opened(2, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
