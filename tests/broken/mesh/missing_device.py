# SPDX-License-Identifier: Apache-2.0
"""The barrier waits for four devices, and the mesh has three."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((3, 1))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    arrived = ttl.Semaphore()

    @ttl.datamovement()
    def mover():
        arrived.get_remote(line[0, 0].at_node(0, 0)).inc(1)
        if line.is_current((0, 0)):
            arrived.wait_ge(4)


mesh = opened(3, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
