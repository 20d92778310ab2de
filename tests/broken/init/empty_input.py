# SPDX-License-Identifier: Apache-2.0
"""The kernel adds a tensor from ttnn.empty that no kernel has written."""

import ttl
import ttnn

T = 32


@ttl.operation(grid=(1, 1))
def kernel(x, bias, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    bias_dfb = ttl.make_dataflow_buffer_like(bias, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range(2):
            with x_dfb.reserve() as block:
                ttl.copy(x[i, 0], block).wait()
            with bias_dfb.reserve() as block:
                ttl.copy(bias[i, 0], block).wait()

    @ttl.compute()
    def compute():
        for i in range(2):
            with x_dfb.wait() as a, bias_dfb.wait() as b, y_dfb.reserve() as out:
                out.store(a + b)

    @ttl.datamovement()
    def writer():
        for i in range(2):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i, 0]).wait()


device = ttnn.open_device()
x = ttnn.ones((2 * T, T), device=device)
bias = ttnn.empty((2 * T, T), device=device)
y = ttnn.zeros((2 * T, T), device=device)
kernel(x, bias, y)
