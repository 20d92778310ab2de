"""y = a / 2 in bfloat16: one pass over memory, as fast as its transfers.

With --schedule-file=examples/stream_scale.schedule.mlir reads run ahead: see the
line on transfers in flight that --stats prints."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps


@ttl.operation(grid=(2, 2))
def halve(a: ttnn.Tensor, y: ttnn.Tensor) -> None:
    grid_x, grid_y = ttl.grid_size(dims=2)
    rows = a.shape[0] // ttl.TILE_SHAPE[0]
    columns = a.shape[1] // ttl.TILE_SHAPE[1]

    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    # One tile at a time: the simplest way to write it, with one read in flight.

    @ttl.datamovement()
    def reader():
        node_x, node_y = ttl.node(dims=2)
        for row in range(node_y, rows, grid_y):
            for column in range(node_x, columns, grid_x):
                with a_dfb.reserve() as a_blk:
                    ttl.copy(a[row, column], a_blk).wait()

    @ttl.compute()
    def compute():
        node_x, node_y = ttl.node(dims=2)
        for _ in range(node_y, rows, grid_y):
            for _ in range(node_x, columns, grid_x):
                with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(a_blk * 0.5)

    @ttl.datamovement()
    def writer():
        node_x, node_y = ttl.node(dims=2)
        for row in range(node_y, rows, grid_y):
            for column in range(node_x, columns, grid_x):
                with y_dfb.wait() as y_blk:
                    ttl.copy(y_blk, y[row, column]).wait()


def main():
    parser = arguments(__doc__)
    parser.add_argument("--size", type=int, default=640, help="rows and columns, a multiple of 32")
    options = parser.parse_args()
    if options.size < 32 or options.size % 32:
        parser.error(f"--size {options.size}: expected a positive multiple of 32")

    a_host = np.random.default_rng(0).standard_normal((options.size, options.size), dtype=np.float32)
    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, dtype=ttnn.bfloat16, device=device)
    y = ttnn.empty(a_host.shape, dtype=ttnn.bfloat16, device=device)
    times = launch(halve, a, y)

    expected = np.asarray(ttnn.to_numpy(a), np.float32) / 2
    error = ulps(np.asarray(ttnn.to_numpy(y), np.float32), expected, ulp_bits=16)
    report("stream_scale", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
