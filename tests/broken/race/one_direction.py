# SPDX-License-Identifier: Apache-2.0
"""Two rounds of a producer and a consumer on two nodes. The consumer waits for the producer, but the
producer does not wait until the consumer has read before it writes the next page over the first."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def kernel(x, y, z):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    ready = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        for i in range(2):
            with x_dfb.reserve() as block:
                if node == 0:
                    ttl.copy(x[0, i], block).wait()
                else:
                    ready.wait_ge(i + 1)
                    ttl.copy(y[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        node = ttl.node(dims=1)
        for i in range(2):
            with x_dfb.wait() as block:
                if node == 0:
                    ttl.copy(block, y[0, 0]).wait()
                    ready.get_remote((1, 0)).inc(1)
                else:
                    ttl.copy(block, z[0, i]).wait()


kernel(np.ones((32, 64), np.float32), np.zeros((32, 32), np.float32), np.zeros((32, 64), np.float32))
