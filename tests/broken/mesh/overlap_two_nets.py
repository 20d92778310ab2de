# SPDX-License-Identifier: Apache-2.0
"""The receivers of two nets write to the same slice of y."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((3, 1))
one = ttl.PipeNet(graph=ttl.TransferGraph.edges(line, [((0, 0), (2, 0))]))
two = ttl.PipeNet(graph=ttl.TransferGraph.edges(line, [((1, 0), (2, 0))]))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        if not line.is_current((2, 0)):
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()
            with dfb.wait() as block:
                one.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                two.if_src(lambda pipe: ttl.copy(block, pipe).wait())
        one.if_dst(lambda pipe: ttl.copy(pipe, y[0, 0], shape=(1, 1)).wait())
        two.if_dst(lambda pipe: ttl.copy(pipe, y[0, 0], shape=(1, 1)).wait())


mesh = opened(3, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
