"""Sums of rows and largest elements of columns: reductions over either dimension.

A reduction over dims=[-1] leaves one column: the result is in column 0 of its tiles. Over
dims=[-2] it leaves one row, in row 0 of its tiles. The rest of those tiles is zero. Tensors of
shape (rows, 1) and (1, columns) take just the results."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps


@ttl.operation(grid=(1, 1))
def reductions(x: ttnn.Tensor, sums: ttnn.Tensor, largest: ttnn.Tensor) -> None:
    rows, columns = x.shape[0] // 32, x.shape[1] // 32

    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(rows, columns), block_count=1)
    sums_dfb = ttl.make_dataflow_buffer_like(sums, shape=(rows, 1), block_count=1)
    largest_dfb = ttl.make_dataflow_buffer_like(largest, shape=(1, columns), block_count=1)

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as x_blk:
            ttl.copy(x[:, :], x_blk).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as x_blk:
            with sums_dfb.reserve() as sums_blk:
                sums_blk.store(ttl.math.reduce_sum(x_blk, dims=[-1]))
            with largest_dfb.reserve() as largest_blk:
                largest_blk.store(ttl.math.reduce_max(x_blk, dims=[-2]))

    @ttl.datamovement()
    def writer():
        with sums_dfb.wait() as sums_blk:
            ttl.copy(sums_blk, sums[:, 0]).wait()
        with largest_dfb.wait() as largest_blk:
            ttl.copy(largest_blk, largest[0, :]).wait()


def main():
    options = arguments(__doc__).parse_args()
    # Integers: their sums are exact, in any order.
    x_host = np.random.default_rng(0).integers(-999, 999, (96, 160)).astype(np.float32)

    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(x_host, device=device)
    sums = ttnn.empty((96, 1), dtype=ttnn.float32, device=device)
    largest = ttnn.empty((1, 160), dtype=ttnn.float32, device=device)
    times = launch(reductions, x, sums, largest)

    expected = x_host.sum(axis=1, keepdims=True)
    error = ulps(ttnn.to_numpy(sums), expected)
    # On the card the sums go through a register with 10 bits of fraction, after each of 5 tiles.
    card = (expected, 5 * 2.0**-10 * np.abs(np.cumsum(x_host, axis=1)).max(axis=1, keepdims=True))
    report("reductions, rows", sums, error, 0, " ulp", times, options.hash, card)
    error = ulps(ttnn.to_numpy(largest), x_host.max(axis=0, keepdims=True))
    report("reductions, columns", largest, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
