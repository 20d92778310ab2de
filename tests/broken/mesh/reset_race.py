# SPDX-License-Identifier: Apache-2.0
"""Device 0 resets the semaphore while device 1 may increment it for the next turn."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((2, 1))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    arrived = ttl.Semaphore()

    @ttl.datamovement()
    def mover():
        for turn in range(2):
            if line.is_current((1, 0)):
                arrived.get_remote(line[0, 0].at_node(0, 0)).inc(1)
            else:
                arrived.wait_ge(1)
                arrived.set(0)


mesh = opened(2, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
