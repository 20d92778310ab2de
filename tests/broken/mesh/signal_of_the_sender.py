# SPDX-License-Identifier: Apache-2.0
"""The sender's signal reaches the reader by way of device 2, perhaps before the block arrives."""

import ttl
from meshes import opened, put

line = ttl.DeviceDomain((3, 1))
net = ttl.PipeNet(graph=ttl.TransferGraph.edges(line, [((0, 0), (1, 0))]))


@ttl.operation(grid=(1, 1), device_domain=line)
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    sent, passed = ttl.Semaphore(), ttl.Semaphore()

    @ttl.datamovement()
    def mover():
        if line.is_current((0, 0)):
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()
            with dfb.wait() as block:
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
            sent.get_remote(line[2, 0].at_node(0, 0)).inc(1)
        net.if_dst(lambda pipe: ttl.copy(pipe, y[0, 0], shape=(1, 1)).wait())

    @ttl.datamovement()
    def user():
        if line.is_current((2, 0)):
            sent.wait_ge(1)
            passed.get_remote(line[1, 0].at_node(0, 0)).inc(1)
        if line.is_current((1, 0)):
            passed.wait_ge(1)
            with dfb.reserve() as block:
                ttl.copy(y[0, 0], block).wait()
            with dfb.wait() as block:
                ttl.copy(block, y[1, 1]).wait()


mesh = opened(3, 1)
kernel(put(mesh, 2, 2), put(mesh, 2, 2))
