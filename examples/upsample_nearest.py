"""An image of twice the height and width, in which every pixel is there four times.

Tensors in row-major layout are sliced in elements: x[row, column] is one pixel, with all channels
in one row of memory. A GroupTransfer starts several copies out of one block and waits for all of
them at once."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

FACTOR = 2


@ttl.operation(grid=(4, 1))
def upsample(x: ttnn.Tensor, y: ttnn.Tensor) -> None:
    height, width, channels = x.shape
    nodes = ttl.grid_size(dims=1)
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1, channels), block_count=4)

    @ttl.datamovement()
    def reader():
        for row in range(ttl.node(dims=1), height, nodes):
            for column in range(width):
                with dfb.reserve() as pixel:
                    ttl.copy(x[row, column], pixel).wait()

    @ttl.datamovement()
    def writer():
        for row in range(ttl.node(dims=1), height, nodes):
            for column in range(width):
                copies = ttl.GroupTransfer()
                with dfb.wait() as pixel:
                    for i in range(FACTOR):
                        for j in range(FACTOR):
                            copies.add(ttl.copy(pixel, y[FACTOR * row + i, FACTOR * column + j]))
                    copies.wait_all()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    x_host = rng.standard_normal((16, 12, 64), dtype=np.float32)
    y_shape = (16 * FACTOR, 12 * FACTOR, 64)

    device = ttnn.open_device(device_id=0)
    rows = {"layout": ttnn.ROW_MAJOR_LAYOUT, "device": device}
    x = ttnn.from_numpy(x_host, **rows)
    y = ttnn.empty(y_shape, dtype=ttnn.float32, **rows)
    times = launch(upsample, x, y)

    error = ulps(ttnn.to_numpy(y), x_host.repeat(FACTOR, axis=0).repeat(FACTOR, axis=1))
    report("upsample_nearest", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
