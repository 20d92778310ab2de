# SPDX-License-Identifier: Apache-2.0
"""Adds the exponentials of the maxima of all rows. A tile has them in column 0, and 1 elsewhere."""

import numpy as np
import ttl

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    e_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, e_dfb.reserve() as out:
            out.store(ttl.exp(ttl.reduce_max(a, dims=[-1])))
        with e_dfb.wait() as e, y_dfb.reserve() as out:
            out.store(ttl.reduce_sum(e, dims=[-2, -1]))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


kernel(np.ones((T, T), np.float32), np.zeros((T, T), np.float32))
