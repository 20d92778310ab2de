"""y = x^T: a block's tiles change places, and so do the elements in each tile.

ttl.math.transpose transposes a whole block, so that a block of (2, 3) tiles becomes one of (3, 2).
The writer exchanges row and column to find the block's place in y."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

HEIGHT, WIDTH = 2, 3  # tiles of a block


@ttl.operation(grid=(2, 2))
def transpose(x: ttnn.Tensor, y: ttnn.Tensor) -> None:
    grid_x, grid_y = ttl.grid_size(dims=2)
    rows, columns = x.shape[0] // 32, x.shape[1] // 32
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(HEIGHT, WIDTH))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(WIDTH, HEIGHT))

    @ttl.datamovement()
    def reader():
        node_x, node_y = ttl.node(dims=2)
        for row in range(node_y * HEIGHT, rows, grid_y * HEIGHT):
            for column in range(node_x * WIDTH, columns, grid_x * WIDTH):
                with x_dfb.reserve() as x_blk:
                    ttl.copy(x[row : row + HEIGHT, column : column + WIDTH], x_blk).wait()

    @ttl.compute()
    def compute():
        node_x, node_y = ttl.node(dims=2)
        for _ in range(node_y * HEIGHT, rows, grid_y * HEIGHT):
            for _ in range(node_x * WIDTH, columns, grid_x * WIDTH):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(ttl.math.transpose(x_blk))

    @ttl.datamovement()
    def writer():
        node_x, node_y = ttl.node(dims=2)
        for row in range(node_y * HEIGHT, rows, grid_y * HEIGHT):
            for column in range(node_x * WIDTH, columns, grid_x * WIDTH):
                with y_dfb.wait() as y_blk:
                    ttl.copy(y_blk, y[column : column + WIDTH, row : row + HEIGHT]).wait()


def main():
    options = arguments(__doc__).parse_args()
    x_host = np.random.default_rng(0).standard_normal((256, 384), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(x_host, device=device)
    y = ttnn.empty((384, 256), dtype=ttnn.float32, device=device)
    times = launch(transpose, x, y)

    error = ulps(ttnn.to_numpy(y), x_host.T)
    report("transpose", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
