# SPDX-License-Identifier: Apache-2.0
"""The second node reads what the first one has written, after it has copied some tiles of its own.
It does not wait for the first node, which in most orders of execution has finished by then."""

import sys

import numpy as np
import ttl

T, OWN = 32, 6


@ttl.operation(grid=(2, 1))
def kernel(x, middle, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        if node == 0:
            with x_dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()
        else:
            for i in range(OWN):
                with x_dfb.reserve() as block:
                    ttl.copy(x[i, 0], block).wait()
            with x_dfb.reserve() as block:
                ttl.copy(middle[0, 0], block).wait()

    @ttl.compute()
    def compute():
        node = ttl.node(dims=1)
        for _ in range(1 if node == 0 else OWN + 1):
            with x_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(block + block)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        if node == 0:
            with y_dfb.wait() as block:
                ttl.copy(block, middle[0, 0]).wait()
        else:
            for i in range(OWN + 1):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[i, 0]).wait()


x = np.ones((OWN * T, T), np.float32)
middle, y = np.zeros((T, T), np.float32), np.zeros(((OWN + 1) * T, T), np.float32)
kernel(x, middle, y)
print("the last tile is", y[-1, 0])
sys.exit(0 if y[-1, 0] == 4 else 1)
