# SPDX-License-Identifier: Apache-2.0
"""The kernel runs on a mesh that was closed."""

import ttl
import ttnn
from meshes import opened, put

line = ttl.DeviceDomain((2, 1))


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
x, y = put(mesh, 1, 1), put(mesh, 1, 1)
ttnn.close_mesh_device(mesh)
kernel(x, y)
