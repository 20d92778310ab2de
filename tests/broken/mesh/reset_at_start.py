# SPDX-License-Identifier: Apache-2.0
"""Device 0 clears its semaphore at the start, when the increment may have arrived already."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((2, 1))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    arrived = ttl.Semaphore()

    @ttl.datamovement()
    def mover():
        if line.is_current((0, 0)):
            arrived.set(0)
            arrived.wait_ge(1)
        else:
            arrived.get_remote(line[0, 0].at_node(0, 0)).inc(1)


mesh = opened(2, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
