"""y = 2 x on one core: step 1 hands over tiles one by one, step 2 has two blocks per buffer, step 3 moves rows of
eight tiles. docs/timing.md follows the advice from step to step."""
# SPDX-License-Identifier: Apache-2.0

import sys

import numpy as np
import ttl

STEP = int(sys.argv[1])
WIDTH, BLOCKS = {1: (1, 1), 2: (1, 2), 3: (8, 2)}[STEP]


@ttl.operation(grid=(1, 1))
def twice(x, y):
    rows, columns = x.shape[0] // 32, x.shape[1] // 32 // WIDTH
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, WIDTH), block_count=BLOCKS)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, WIDTH), block_count=BLOCKS)

    @ttl.datamovement()
    def reader():
        for row in range(rows):
            for column in range(columns):
                with x_dfb.reserve() as block:
                    first = column * WIDTH
                    ttl.copy(x[row : row + 1, first : first + WIDTH], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(rows * columns):
            with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                y_block.store(x_block + x_block)

    @ttl.datamovement()
    def writer():
        for row in range(rows):
            for column in range(columns):
                with y_dfb.wait() as block:
                    first = column * WIDTH
                    ttl.copy(block, y[row : row + 1, first : first + WIDTH]).wait()


x, y = np.ones((256, 256), np.float32), np.zeros((256, 256), np.float32)
twice(x, y)
