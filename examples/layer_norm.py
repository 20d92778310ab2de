"""y = (x - mean) / sqrt(variance + epsilon) * weight + bias for each row of x.

Like rms_norm.py, with two reductions of which the second one needs the result of the first: the
values between them never leave the compute thread."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report

EPSILON = 1e-5


@ttl.operation(grid=(4, 1))
def layer_norm(x: ttnn.Tensor, weight: ttnn.Tensor, bias: ttnn.Tensor, y: ttnn.Tensor) -> None:
    nodes = ttl.grid_size(dims=1)
    rows, columns = x.shape[0] // 32, x.shape[1] // 32

    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, columns))
    weight_dfb = ttl.make_dataflow_buffer_like(weight, shape=(1, columns), block_count=1)
    bias_dfb = ttl.make_dataflow_buffer_like(bias, shape=(1, columns), block_count=1)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, columns))

    @ttl.datamovement()
    def reader():
        with weight_dfb.reserve() as weight_blk, bias_dfb.reserve() as bias_blk:
            ttl.copy(weight[0, :], weight_blk).wait()
            ttl.copy(bias[0, :], bias_blk).wait()
        for row in range(ttl.node(dims=1), rows, nodes):
            with x_dfb.reserve() as x_blk:
                ttl.copy(x[row, :], x_blk).wait()

    @ttl.compute()
    def compute():
        with weight_dfb.wait() as weight_blk, bias_dfb.wait() as bias_blk:
            for _ in range(ttl.node(dims=1), rows, nodes):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    mean = ttl.math.reduce_mean(x_blk, dims=[-1])
                    centred = x_blk - ttl.math.broadcast(mean, dims=[-1])
                    variance = ttl.math.reduce_mean(centred * centred, dims=[-1])
                    factor = ttl.math.rsqrt(variance + EPSILON)
                    normal = centred * ttl.math.broadcast(factor, dims=[-1])
                    scaled = normal * ttl.math.broadcast(weight_blk, dims=[-2])
                    y_blk.store(scaled + ttl.math.broadcast(bias_blk, dims=[-2]))

    @ttl.datamovement()
    def writer():
        for row in range(ttl.node(dims=1), rows, nodes):
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[row, :]).wait()


def row_mean(x):
    return np.mean(x, axis=1, keepdims=True)


def expected_and_allowed(x, weight, bias):
    """Returns the exact result, the largest error that the kernel's roundings can cause, and that error on
    the card, where the sum of a row is cut to 10 bits of fraction after each of its 8 tiles."""
    ulp = 2.0**-24
    centred = x - row_mean(x)
    factor = 1 / np.sqrt(row_mean(centred**2) + EPSILON)
    product = centred * factor * weight

    # A mean of 256 columns has 5 roundings in a tile, 8 for the sum of tiles, and one for the division.
    centred_error = 14 * ulp * row_mean(np.abs(x)) + ulp * np.abs(centred)
    variance_error = 2 * row_mean(np.abs(centred) * centred_error) + 15 * ulp * row_mean(centred**2)
    # The root halves relative errors. Adding epsilon has two roundings, the root has one.
    factor_error = variance_error * factor**2 / 2 + 2 * ulp
    relative = centred_error * factor * np.abs(weight) + np.abs(product) * (factor_error + 2 * ulp)
    on_card = 8 * 2.0**-10 * (row_mean(np.abs(x)) * factor * np.abs(weight) + np.abs(product))
    return product + bias, relative + ulp * np.abs(product + bias), on_card


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    x_host = 1 + rng.standard_normal((256, 256), dtype=np.float32)
    weight_host = rng.standard_normal((1, 256), dtype=np.float32)
    bias_host = rng.standard_normal((1, 256), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    x, weight, bias = (
        ttnn.from_numpy(host, device=device) for host in (x_host, weight_host, bias_host)
    )
    y = ttnn.empty(x_host.shape, dtype=ttnn.float32, device=device)
    times = launch(layer_norm, x, weight, bias, y)

    hosts64 = (host.astype(np.float64) for host in (x_host, weight_host, bias_host))
    expected, allowed, allowed_on_card = expected_and_allowed(*hosts64)
    error = np.abs(ttnn.to_numpy(y) - expected)
    report("layer_norm", y, error, allowed, "", times, options.hash, card=(expected, allowed_on_card))
    ttnn.close_device(device)


main()
