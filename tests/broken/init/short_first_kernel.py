# SPDX-License-Identifier: Apache-2.0
"""The first kernel writes 3 of the 4 tiles that the second kernel reads."""

import ttl
import ttnn

T, ROWS = 32, 4


@ttl.operation(grid=(1, 1))
def double(x, y, rows):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range(rows):
            with x_dfb.reserve() as block:
                ttl.copy(x[i, 0], block).wait()

    @ttl.compute()
    def compute():
        for i in range(rows):
            with x_dfb.wait() as a, y_dfb.reserve() as out:
                out.store(a + a)

    @ttl.datamovement()
    def writer():
        for i in range(rows):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i, 0]).wait()


device = ttnn.open_device()
x = ttnn.ones((ROWS * T, T), device=device)
middle = ttnn.empty((ROWS * T, T), device=device)
y = ttnn.zeros((ROWS * T, T), device=device)
double(x, ttl.partial(middle), ROWS - 1)
double(middle, y, ROWS)
