# SPDX-License-Identifier: Apache-2.0
"""Device (1, 1) sends in three directions: kernels on a 1-D fabric have two connections."""

import ttl
import ttnn
from meshes import opened, put

square = ttl.DeviceDomain((3, 3))
net = ttl.PipeNet(graph=ttl.TransferGraph.stencil(square, offsets=[(1, 0), (-1, 0), (0, 1)]))


@ttl.operation(grid=(1, 1), device_domain=square)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with dfb.wait() as block:
            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        def take(pipe):
            ttl.copy(pipe, y[pipe.source_device_index, 0], shape=(1, 1)).wait()

        net.if_dst(take)


mesh = opened(3, 3, fabric=ttnn.FabricConfig.FABRIC_1D)
kernel(put(mesh, 1, 1), put(mesh, 9, 1))
