# SPDX-License-Identifier: Apache-2.0
"""A thread tests an element of a tensor that no kernel has written."""

import numpy as np
import ttl
import ttnn

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, flags, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    flag_dfb = ttl.make_dataflow_buffer_like(flags, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with flag_dfb.reserve() as flag:
            ttl.copy(flags[0, 0], flag).wait()
            first = 0
            if ttl.raw_element_read(flag, 0, 0) > 0.0:
                first = 1
        with x_dfb.reserve() as block:
            ttl.copy(x[first, 0], block).wait()

    @ttl.compute()
    def compute():
        with flag_dfb.wait() as flag, x_dfb.wait() as a, y_dfb.reserve() as out:
            out.store(a + a)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


x = np.concatenate([np.ones((T, T), np.float32), np.full((T, T), 2, np.float32)])
kernel(x, ttnn.empty((T, T)), np.zeros((T, T), np.float32))
