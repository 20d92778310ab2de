# SPDX-License-Identifier: Apache-2.0
"""Sends to a device in another row and column; FABRIC_1D has only routes along one axis."""

import ttl
import ttnn
from meshes import opened, put

square = ttl.DeviceDomain((2, 2))
net = ttl.PipeNet(graph=ttl.TransferGraph.edges(square, [((0, 0), (1, 1))]))


@ttl.operation(grid=(1, 1), device_domain=square)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with dfb.wait() as block:
            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
        net.if_dst(lambda pipe: ttl.copy(pipe, y[0, 0], shape=(1, 1)).wait())


mesh = opened(2, 2, fabric=ttnn.FabricConfig.FABRIC_1D)
kernel(put(mesh, 1, 1), put(mesh, 1, 1))
