# SPDX-License-Identifier: Apache-2.0
"""Each node subtracts the means of its columns without a broadcast; a pipe sends the means."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(2, 1))
def centre(x, y):
    net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    mean_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    there_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()
        if node == 0:
            with mean_dfb.wait() as means:
                net.if_src(lambda pipe: ttl.copy(means, pipe).wait())
        else:
            with there_dfb.reserve() as block:
                net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a:
            if ttl.node(dims=1) == 0:
                with mean_dfb.reserve() as out:
                    out.store(ttl.reduce_mean(a, dims=[0]))
            else:
                with there_dfb.wait() as means, y_dfb.reserve() as out:
                    out.store(a - means)

    @ttl.datamovement()
    def writer():
        if ttl.node(dims=1) == 1:
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()


x = np.random.default_rng(1).random((T, T), dtype=np.float32)
centre(x, np.zeros((T, T), np.float32))
