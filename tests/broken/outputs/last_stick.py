# SPDX-License-Identifier: Apache-2.0
"""A loop over the rows of a row-major tensor ends one row too early."""

import numpy as np
import ttl
import ttnn


@ttl.operation(grid=(1, 1))
def copy(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 64))

    @ttl.datamovement()
    def reader():
        for row in range(7):
            with dfb.reserve() as block:
                ttl.copy(x[row, 0:64], block).wait()

    @ttl.datamovement()
    def writer():
        for row in range(7):
            with dfb.wait() as block:
                ttl.copy(block, y[row, 0:64]).wait()


def tensor(array):
    return ttnn.from_numpy(array, layout=ttnn.ROW_MAJOR_LAYOUT)


copy(tensor(np.ones((8, 64), np.float32)), tensor(np.zeros((8, 64), np.float32)))
