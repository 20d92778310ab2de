# SPDX-License-Identifier: Apache-2.0
"""The sender sends six blocks, and the receiver receives one."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    net = ttl.PipeNet([ttl.Pipe(0, 1)])
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def mover():
        def send(pipe):
            for i in range(6):
                with dfb.reserve() as block:
                    ttl.copy(x[0, i % 2], block).wait()
                    ttl.copy(block, pipe).wait()

        def receive(pipe):
            for _ in range(1):
                with dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

        net.if_src(send)
        net.if_dst(receive)

    @ttl.datamovement()
    def writer():
        for i in range(6 if ttl.node(dims=1) == 0 else 1):
            with dfb.wait() as block:
                ttl.copy(block, y[0, i % 2]).wait()


kernel(np.ones((64, 64), np.float32), np.zeros((64, 64), np.float32))
