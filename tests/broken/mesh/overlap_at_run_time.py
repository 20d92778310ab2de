# SPDX-License-Identifier: Apache-2.0
"""Devices 0 and 1 send to the same slice: both compute its index as their number // 2."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((3, 1))
net = ttl.PipeNet(graph=ttl.TransferGraph.gather(line, (2, 0)))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        if not line.is_current((2, 0)):
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()
            with dfb.wait() as block:
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        def take(pipe):
            ttl.copy(pipe, y[pipe.source_device_index // 2, 0], shape=(1, 1)).wait()

        net.if_dst(take)


mesh = opened(3, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
