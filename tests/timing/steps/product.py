"""y = a @ b: in step 1 each of 4 x 4 cores reads all it needs, in step 2 a column and a row of cores read and
multicast, step 3 has 8 x 8 cores. docs/timing.md follows the advice from step to step."""
# SPDX-License-Identifier: Apache-2.0

import sys

import ttl
import ttnn

STEP = int(sys.argv[1])
SIDE, TILES, STEPS = (8, 2, 8) if STEP == 3 else (4, 4, 8)  # cores and tiles of y of a core along each axis; tiles of K


@ttl.operation(grid=(SIDE, SIDE))
def product(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(TILES, 1), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, TILES), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(TILES, TILES), block_count=2)
    along_rows = ttl.PipeNet([ttl.Pipe((0, r), (slice(1, SIDE), r)) for r in range(SIDE)])
    along_columns = ttl.PipeNet([ttl.Pipe((c, 0), (c, slice(1, SIDE))) for c in range(SIDE)])

    @ttl.datamovement()
    def a_mover():
        row = ttl.node(dims=2)[1] * TILES
        for k in range(STEPS):
            with a_dfb.reserve() as block:
                if STEP == 1:
                    ttl.copy(a[row : row + TILES, k : k + 1], block).wait()
                else:
                    def send(pipe):
                        ttl.copy(a[row : row + TILES, k : k + 1], block).wait()
                        ttl.copy(block, pipe).wait()

                    along_rows.if_src(send)
                    along_rows.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

    @ttl.datamovement()
    def b_mover():
        x, y_row = ttl.node(dims=2)
        column, row = x * TILES, y_row * TILES
        for k in range(STEPS):
            with b_dfb.reserve() as block:
                if STEP == 1:
                    ttl.copy(b[k : k + 1, column : column + TILES], block).wait()
                else:
                    def send(pipe):
                        ttl.copy(b[k : k + 1, column : column + TILES], block).wait()
                        ttl.copy(block, pipe).wait()

                    along_columns.if_src(send)
                    along_columns.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
        with y_dfb.wait() as block:
            ttl.copy(block, y[row : row + TILES, column : column + TILES]).wait()

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as y_block:
            for _ in range(STEPS):
                with a_dfb.wait() as a_block, b_dfb.wait() as b_block:
                    y_block += a_block @ b_block


extent = 32 * TILES * SIDE
tensors = [ttnn.ones(shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
           for shape in ((extent, 32 * STEPS), (32 * STEPS, extent), (extent, extent))]
product(*tensors)
