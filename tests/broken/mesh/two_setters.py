# SPDX-License-Identifier: Apache-2.0
"""Two devices set one semaphore to different values."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((3, 1))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    turn = ttl.Semaphore()

    @ttl.datamovement()
    def mover():
        if line.is_current((0, 0)):
            turn.wait_ge(1)
        if line.is_current((1, 0)):
            turn.get_remote(line[0, 0].at_node(0, 0)).set(1)
        if line.is_current((2, 0)):
            turn.get_remote(line[0, 0].at_node(0, 0)).set(2)


mesh = opened(3, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
