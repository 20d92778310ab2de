# SPDX-License-Identifier: Apache-2.0
"""rms_norm in two passes over the blocks of a row. The second pass multiplies without a broadcast."""

import numpy as np
import ttl

T, COLUMNS = 32, 3


@ttl.operation(grid=(1, 1))
def rms_norm(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    scale_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for _ in range(2):
            for column in range(COLUMNS):
                with x_dfb.reserve() as block:
                    ttl.copy(x[0, column], block).wait()

    @ttl.compute()
    def compute():
        with scale_dfb.reserve() as out:
            total = ttl.fill(0.0, shape=(1, 1))
            for _ in range(COLUMNS):
                with x_dfb.wait() as a:
                    total += ttl.reduce_sum(a * a, dims=[-1])
            out.store(ttl.rsqrt(total / (COLUMNS * T) + 1e-5))
        with scale_dfb.wait() as scale:
            for _ in range(COLUMNS):
                with x_dfb.wait() as a, y_dfb.reserve() as out:
                    out.store(a * scale)

    @ttl.datamovement()
    def writer():
        for column in range(COLUMNS):
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, column]).wait()


x = np.random.default_rng(1).random((T, COLUMNS * T), dtype=np.float32)
rms_norm(x, np.zeros((T, COLUMNS * T), np.float32))
