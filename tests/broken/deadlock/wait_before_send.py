# SPDX-License-Identifier: Apache-2.0
"""A thread waits for a block over a pipe before it sends that block itself."""

import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    sent_dfb, received_dfb = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2))
    net = ttl.PipeNet([ttl.Pipe((0, 0), (0, 0))])

    @ttl.datamovement()
    def mover():
        with sent_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        with sent_dfb.wait() as block, received_dfb.reserve() as place:
            net.if_dst(lambda pipe: ttl.copy(pipe, place).wait())
            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    @ttl.datamovement()
    def writer():
        with received_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


kernel(np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32))
