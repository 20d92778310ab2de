"""y = x / sqrt(mean(x * x) + epsilon) * weight for each row of x.

The row's mean comes from a reduction, and goes back to all columns by a broadcast. The weights,
one per column, are read once per node and stay in their buffer for all rows."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report

EPSILON = 1e-5


@ttl.operation(grid=(4, 1))
def rms_norm(x: ttnn.Tensor, weight: ttnn.Tensor, y: ttnn.Tensor) -> None:
    nodes = ttl.grid_size(dims=1)
    rows, columns = x.shape[0] // 32, x.shape[1] // 32

    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, columns))
    weight_dfb = ttl.make_dataflow_buffer_like(weight, shape=(1, columns), block_count=1)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, columns))

    @ttl.datamovement()
    def reader():
        with weight_dfb.reserve() as weight_blk:
            ttl.copy(weight[0, :], weight_blk).wait()
        for row in range(ttl.node(dims=1), rows, nodes):
            with x_dfb.reserve() as x_blk:
                ttl.copy(x[row, :], x_blk).wait()

    @ttl.compute()
    def compute():
        with weight_dfb.wait() as weight_blk:
            for _ in range(ttl.node(dims=1), rows, nodes):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    mean = ttl.math.reduce_mean(x_blk * x_blk, dims=[-1])
                    factor = ttl.math.rsqrt(mean + EPSILON)
                    scaled = x_blk * ttl.math.broadcast(factor, dims=[-1])
                    y_blk.store(scaled * ttl.math.broadcast(weight_blk, dims=[-2]))

    @ttl.datamovement()
    def writer():
        for row in range(ttl.node(dims=1), rows, nodes):
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[row, :]).wait()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    x_host = rng.standard_normal((256, 256), dtype=np.float32)
    weight_host = rng.standard_normal((1, 256), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(x_host, device=device)
    weight = ttnn.from_numpy(weight_host, device=device)
    y = ttnn.empty(x_host.shape, dtype=ttnn.float32, device=device)
    times = launch(rms_norm, x, weight, y)

    x64 = x_host.astype(np.float64)
    mean = np.mean(x64 * x64, axis=1, keepdims=True)
    expected = x64 / np.sqrt(mean + EPSILON) * weight_host
    # Roundings: the squares, 5 + 8 levels of the sum, the mean, epsilon twice. The root halves
    # their sum. Then the root itself and two products are rounded.
    roundings = (1 + 13 + 1 + 2) / 2 + 3
    allowed = roundings * 2.0**-24 * np.abs(expected)
    # On the card the sum is cut to 10 bits of fraction after each of 8 tiles, because it passes a
    # register of this width. The root halves relative errors.
    card = (expected, 8 / 2 * 2.0**-10 * np.abs(expected))
    report("rms_norm", y, np.abs(ttnn.to_numpy(y) - expected), allowed, "", times, options.hash, card)
    ttnn.close_device(device)


main()
