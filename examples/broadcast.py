"""y = (x + row) * column + scalar: a row, a column and one element, each stretched over x.

A broadcast over dims=[-2] repeats row 0 of a block downwards, over dims=[-1] column 0 to the
right, over both its element (0, 0). The extents of dims must be 1: here the blocks of the row,
the column and the scalar are one tile high, wide, or both."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

BLOCK = (2, 2)  # tiles


@ttl.operation(grid=(2, 2))
def affine(x: ttnn.Tensor, row: ttnn.Tensor, column: ttnn.Tensor, scalar: ttnn.Tensor,
           y: ttnn.Tensor) -> None:
    height, width = BLOCK

    x_dfb = ttl.make_dataflow_buffer_like(x, shape=BLOCK)
    row_dfb = ttl.make_dataflow_buffer_like(row, shape=(1, width))
    column_dfb = ttl.make_dataflow_buffer_like(column, shape=(height, 1))
    scalar_dfb = ttl.make_dataflow_buffer_like(scalar, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=BLOCK)

    def place():
        """The rows and columns of this node's block."""
        node_x, node_y = ttl.node(dims=2)
        row, column = node_y * height, node_x * width
        return slice(row, row + height), slice(column, column + width)

    @ttl.datamovement()
    def reader():
        rows, columns = place()
        with x_dfb.reserve() as x_blk, row_dfb.reserve() as row_blk:
            ttl.copy(x[rows, columns], x_blk).wait()
            ttl.copy(row[0, columns], row_blk).wait()
        with column_dfb.reserve() as column_blk, scalar_dfb.reserve() as scalar_blk:
            ttl.copy(column[rows, 0], column_blk).wait()
            ttl.copy(scalar[0, 0], scalar_blk).wait()

    @ttl.compute()
    def compute():
        with (
            x_dfb.wait() as x_blk,
            row_dfb.wait() as row_blk,
            column_dfb.wait() as column_blk,
            scalar_dfb.wait() as scalar_blk,
            y_dfb.reserve() as y_blk,
        ):
            shifted = x_blk + ttl.math.broadcast(row_blk, dims=[-2])
            scaled = shifted * ttl.math.broadcast(column_blk, dims=[-1])
            y_blk.store(scaled + ttl.math.broadcast(scalar_blk, dims=[-2, -1]))

    @ttl.datamovement()
    def writer():
        rows, columns = place()
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[rows, columns]).wait()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    shapes = [(128, 128), (1, 128), (128, 1), (1, 1)]
    hosts = [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]

    device = ttnn.open_device(device_id=0)
    y = ttnn.empty(shapes[0], dtype=ttnn.float32, device=device)
    times = launch(affine, *(ttnn.from_numpy(host, device=device) for host in hosts), y)

    # numpy broadcasts in the same way, and rounds after each operation, as the kernel does.
    x, row, column, scalar = hosts
    error = ulps(ttnn.to_numpy(y), (x + row) * column + scalar)
    report("broadcast", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
