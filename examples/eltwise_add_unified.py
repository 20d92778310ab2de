"""y = a + b in float32: eltwise_add.py as one body, which the compiler splits into threads."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

GRANULARITY = 2  # tiles per block, one above the other


@ttl.operation(grid="auto")
def add(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
    grid_x, grid_y = ttl.grid_size(dims=2)
    node_x, node_y = ttl.node(dims=2)
    row_blocks = a.shape[0] // ttl.TILE_SHAPE[0] // GRANULARITY
    columns = a.shape[1] // ttl.TILE_SHAPE[1]

    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(GRANULARITY, 1), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(GRANULARITY, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(GRANULARITY, 1), block_count=2)

    # Node (x, y) takes every grid_y-th row of blocks and every grid_x-th column.
    for row_block in range(node_y, row_blocks, grid_y):
        row = row_block * GRANULARITY
        for column in range(node_x, columns, grid_x):
            # Copies into blocks: the first data movement thread.
            a_xf = ttl.copy(a[row : row + GRANULARITY, column], a_dfb.reserve())
            b_xf = ttl.copy(b[row : row + GRANULARITY, column], b_dfb.reserve())
            a_xf.wait()
            b_xf.wait()
            # Block arithmetic: the compute thread.
            y_dfb.reserve().store(a_dfb.wait() + b_dfb.wait())
            # Copies out of blocks: the second data movement thread.
            ttl.copy(y_dfb.wait(), y[row : row + GRANULARITY, column]).wait()


def main():
    parser = arguments(__doc__)
    parser.add_argument("--size", type=int, default=256, help="rows and columns, a multiple of 64")
    options = parser.parse_args()
    if options.size < 64 or options.size % 64:
        parser.error(f"--size {options.size}: expected a positive multiple of 64")

    rng = np.random.default_rng(0)
    shape = (options.size, options.size)
    a_host = rng.standard_normal(shape, dtype=np.float32)
    b_host = rng.standard_normal(shape, dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, device=device)
    b = ttnn.from_numpy(b_host, device=device)
    y = ttnn.empty(shape, dtype=ttnn.float32, device=device)
    times = launch(add, a, b, y)

    error = ulps(ttnn.to_numpy(y), a_host + b_host)
    report("eltwise_add_unified", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
