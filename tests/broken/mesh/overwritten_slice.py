# SPDX-License-Identifier: Apache-2.0
"""The sender sends a second block to the slice before the receiver has used the first one."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((2, 1))
net = ttl.PipeNet(graph=ttl.TransferGraph.edges(line, [((0, 0), (1, 0))]))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        for turn in range(2):
            if line.is_current((0, 0)):
                with dfb.reserve() as block:
                    ttl.copy(x[turn, 0], block).wait()
                with dfb.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
            net.if_dst(lambda pipe: ttl.copy(pipe, y[turn // 2, 0], shape=(1, 1)).wait())
            if line.is_current((1, 0)):
                with dfb.reserve() as block:
                    ttl.copy(y[0, 0], block).wait()
                with dfb.wait() as block:
                    ttl.copy(block, y[1, turn]).wait()


mesh = opened(2, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
