# SPDX-License-Identifier: Apache-2.0
"""Every device sends into L1 before it receives, in one thread."""

import ttl
from meshes import opened, put

ring = ttl.DeviceDomain((3, 1))
net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, wrap=True))


@ttl.operation(grid=(1, 1), device_domain=ring)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with dfb.wait() as block:
            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        def take(pipe):
            with dfb.reserve() as block:
                ttl.copy(pipe, block).wait()
            with dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

        net.if_dst(take)


mesh = opened(3, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
