# SPDX-License-Identifier: Apache-2.0
"""Makes operations that add a tensor to itself; callers choose the keywords of the decorator."""

import numpy as np
import ttl


def adder(**keywords):
    @ttl.operation(grid=(1, 1), **keywords)
    def add(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                y_blk.store(a_blk + a_blk)

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as a_blk:
                ttl.copy(a[0, 0], a_blk).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[0, 0]).wait()

    return add


def run(operation, **keywords):
    a, y = np.ones((32, 32), dtype=np.float32), np.zeros((32, 32), dtype=np.float32)
    operation(a, y, **keywords)
    assert (y == 2).all()
