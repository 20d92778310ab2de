# SPDX-License-Identifier: Apache-2.0
"""Device 0 sends two blocks into L1 before device 1, which waits for an answer, receives."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((2, 1))
there = ttl.PipeNet(graph=ttl.TransferGraph.edges(line, [((0, 0), (1, 0))]))
back = ttl.PipeNet(graph=ttl.TransferGraph.edges(line, [((1, 0), (0, 0))]))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        def take(pipe):
            with dfb.reserve() as block:
                ttl.copy(pipe, block).wait()
            with dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

        back.if_dst(take)
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with dfb.wait() as block:
            there.if_src(lambda pipe: ttl.copy(block, pipe).wait())
        there.if_dst(take)
        with dfb.reserve() as block:
            ttl.copy(x[0, 1], block).wait()
        with dfb.wait() as block:
            back.if_src(lambda pipe: ttl.copy(block, pipe).wait())


mesh = opened(2, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
