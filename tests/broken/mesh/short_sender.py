# SPDX-License-Identifier: Apache-2.0
"""Every device receives twice and sends once."""

import ttl
from meshes import opened, put

ring = ttl.DeviceDomain((3, 1))
net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, wrap=True))


@ttl.operation(grid=(1, 1), device_domain=ring)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def sender():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    @ttl.datamovement()
    def receiver():
        for i in range(2):
            net.if_dst(lambda pipe: ttl.copy(pipe, y[i, 0], shape=(1, 1)).wait())


mesh = opened(3, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
