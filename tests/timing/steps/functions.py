"""y = exp(x): step 1 on one core, step 2 on 4 x 4 cores, step 3 on 8 x 8 cores.
docs/timing.md follows the advice from step to step."""
# SPDX-License-Identifier: Apache-2.0

import sys

import ttl
import ttnn

STEP = int(sys.argv[1])
SIDE = {1: 1, 2: 4, 3: 8}[STEP]
BLOCK = 2  # tiles


@ttl.operation(grid=(SIDE, SIDE))
def exponential(x: ttnn.Tensor, y: ttnn.Tensor) -> None:
    rows, blocks = x.shape[0] // 32 // SIDE, x.shape[1] // 32 // BLOCK // SIDE
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, BLOCK), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, BLOCK), block_count=2)

    @ttl.datamovement()
    def reader():
        node_x, node_y = ttl.node(dims=2)
        for i in range(rows):
            for j in range(blocks):
                row, column = node_y * rows + i, (node_x * blocks + j) * BLOCK
                with x_dfb.reserve() as block:
                    ttl.copy(x[row : row + 1, column : column + BLOCK], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(rows * blocks):
            with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                y_block.store(ttl.exp(x_block))

    @ttl.datamovement()
    def writer():
        node_x, node_y = ttl.node(dims=2)
        for i in range(rows):
            for j in range(blocks):
                row, column = node_y * rows + i, (node_x * blocks + j) * BLOCK
                with y_dfb.wait() as block:
                    ttl.copy(block, y[row : row + 1, column : column + BLOCK]).wait()


x, y = [ttnn.ones((256, 512), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT) for _ in "xy"]
exponential(x, y)
