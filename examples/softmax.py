"""y = softmax of each row of x, in float32, a strip of tile rows per core."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report


@ttl.operation(grid=(4, 1))
def softmax(x: ttnn.Tensor, y: ttnn.Tensor) -> None:
    row_tiles = x.shape[0] // 32
    column_tiles = x.shape[1] // 32
    cores = ttl.grid_size(dims=1)

    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, column_tiles), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, column_tiles), block_count=2)

    @ttl.compute()
    def compute():
        for _ in range(ttl.node(dims=1), row_tiles, cores):
            with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                largest = ttl.math.reduce_max(x_blk, dims=[-1])
                power = ttl.math.exp(x_blk - ttl.math.broadcast(largest, dims=[-1]))
                total = ttl.math.reduce_sum(power, dims=[-1])
                y_blk.store(power * ttl.math.broadcast(ttl.math.recip(total), dims=[-1]))

    @ttl.datamovement()
    def reader():
        for row in range(ttl.node(dims=1), row_tiles, cores):
            with x_dfb.reserve() as x_blk:
                ttl.copy(x[row, :], x_blk).wait()

    @ttl.datamovement()
    def writer():
        for row in range(ttl.node(dims=1), row_tiles, cores):
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[row, :]).wait()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    x_host = 8 * rng.standard_normal((256, 256), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(x_host, device=device)
    y = ttnn.empty(x_host.shape, dtype=ttnn.float32, device=device)
    times = launch(softmax, x, y)

    x64 = x_host.astype(np.float64)
    power = np.exp(x64 - x64.max(axis=1, keepdims=True))
    expected = power / power.sum(axis=1, keepdims=True)
    # x - max is rounded, so that exp(x - max) is off by up to half an ulp of x - max. A sum of 256
    # columns has 5 roundings in a tile and 8 for the sum of tiles. The other operations have one each.
    relative = 2.0**-24 * (np.abs(x64 - x64.max(axis=1, keepdims=True)) + 17)
    # On the card x and the sum go through registers with 10 bits of fraction, the sum after each of 8 tiles;
    # the reciprocal is off by 1.5e-3.
    card = (expected, (2.0**-10 * (np.abs(x64).max() + 8) + 1.5e-3) * expected)
    report("softmax", y, np.abs(ttnn.to_numpy(y) - expected), relative * expected, "", times,
           options.hash, card)
    ttnn.close_device(device)


main()
