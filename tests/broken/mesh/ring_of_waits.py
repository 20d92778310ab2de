# SPDX-License-Identifier: Apache-2.0
"""Every device waits for a block of the device before it, and only then sends its own."""

import ttl
from meshes import opened, put

ring = ttl.DeviceDomain((3, 1))
net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, wrap=True))


@ttl.operation(grid=(1, 1), device_domain=ring)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        net.if_dst(lambda pipe: ttl.copy(pipe, y[0, 0], shape=(1, 1)).wait())
        with dfb.reserve() as block:
            ttl.copy(y[0, 0], block).wait()
        with dfb.wait() as block:
            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())


mesh = opened(3, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
