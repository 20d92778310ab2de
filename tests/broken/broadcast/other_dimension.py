# SPDX-License-Identifier: Apache-2.0
"""Sums of rows are broadcast over the other dimension, which repeats element (0, 0)."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def shares(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(x[0:2, 0:1], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, y_dfb.reserve() as out:
            total = ttl.reduce_sum(ttl.reduce_sum(a, dims=[-1]), dims=[0])
            out.store(a * ttl.broadcast(ttl.recip(total), dims=[0], shape=(2, 1)))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0:2, 0:1]).wait()


x = np.random.default_rng(1).random((2 * T, T), dtype=np.float32)
shares(x, np.zeros((2 * T, T), np.float32))
