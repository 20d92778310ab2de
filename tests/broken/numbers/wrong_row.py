# SPDX-License-Identifier: Apache-2.0
"""y = 2 x, but the second block of each node gets the tile of another row."""

import numpy as np
import ttl

T, PER_NODE, NODES = 32, 2, 2


@ttl.operation(grid=(1, NODES))
def double(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        for i in range(PER_NODE):
            row = node + i * PER_NODE
            with x_dfb.reserve() as x_blk:
                ttl.copy(x[row, 0], x_blk).wait()

    @ttl.compute()
    def compute():
        for _ in range(PER_NODE):
            with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                y_blk.store(x_blk + x_blk)

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        for i in range(PER_NODE):
            row = node * PER_NODE + i
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[row, 0]).wait()


x = np.repeat(np.arange(4, dtype=np.float32), T)[:, None] * np.ones(T, np.float32)
y = np.zeros_like(x)
double(x, y)
wrong = sorted({int(row) // T for row in np.argwhere(y != 2 * x)[:, 0]})
print("wrong rows of tiles:", wrong)
