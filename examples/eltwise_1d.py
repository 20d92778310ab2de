"""y = 2 * x + 1 for vectors: tensors and buffers of rank 1.

A vector in tile layout is one row of tiles, of which row 0 holds the values. A buffer of rank 1
counts tiles along that row, and so do indices and slices of the vector."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

BLOCK = 4  # tiles


@ttl.operation(grid=(2,))
def scale_and_shift(x: ttnn.Tensor, y: ttnn.Tensor) -> None:
    nodes = ttl.grid_size(dims=1)
    tiles = x.shape[0] // ttl.TILE_SHAPE[1]
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(BLOCK,))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(BLOCK,))

    @ttl.datamovement()
    def reader():
        for tile in range(ttl.node(dims=1) * BLOCK, tiles, nodes * BLOCK):
            with x_dfb.reserve() as x_blk:
                ttl.copy(x[tile : tile + BLOCK], x_blk).wait()

    @ttl.compute()
    def compute():
        for _ in range(ttl.node(dims=1) * BLOCK, tiles, nodes * BLOCK):
            with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                y_blk.store(2 * x_blk + 1)

    @ttl.datamovement()
    def writer():
        for tile in range(ttl.node(dims=1) * BLOCK, tiles, nodes * BLOCK):
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[tile : tile + BLOCK]).wait()


def main():
    options = arguments(__doc__).parse_args()
    x_host = np.random.default_rng(0).standard_normal(2048, dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(x_host, device=device)
    y = ttnn.empty(x_host.shape, dtype=ttnn.float32, device=device)
    times = launch(scale_and_shift, x, y)

    error = ulps(ttnn.to_numpy(y), 2 * x_host + 1)
    report("eltwise_1d", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
