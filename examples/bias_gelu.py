"""y = gelu(x + bias): an activation fused into the addition before it.

Both functions are one pass over memory: the sum is only ever in registers."""

import math

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report


@ttl.operation(grid=(2, 2))
def bias_gelu(x: ttnn.Tensor, bias: ttnn.Tensor, y: ttnn.Tensor) -> None:
    grid_x, grid_y = ttl.grid_size(dims=2)
    rows, columns = x.shape[0] // 32, x.shape[1] // 32

    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    bias_dfb = ttl.make_dataflow_buffer_like(bias, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    # Column by column: a tile of the bias is read once for all rows below it.

    @ttl.datamovement()
    def reader():
        node_x, node_y = ttl.node(dims=2)
        for column in range(node_x, columns, grid_x):
            with bias_dfb.reserve() as bias_blk:
                ttl.copy(bias[0, column], bias_blk).wait()
            for row in range(node_y, rows, grid_y):
                with x_dfb.reserve() as x_blk:
                    ttl.copy(x[row, column], x_blk).wait()

    @ttl.compute()
    def compute():
        node_x, node_y = ttl.node(dims=2)
        for _ in range(node_x, columns, grid_x):
            with bias_dfb.wait() as bias_blk:
                for _ in range(node_y, rows, grid_y):
                    with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                        y_blk.store(ttl.math.gelu(x_blk + ttl.math.broadcast(bias_blk, dims=[-2])))

    @ttl.datamovement()
    def writer():
        node_x, node_y = ttl.node(dims=2)
        for column in range(node_x, columns, grid_x):
            for row in range(node_y, rows, grid_y):
                with y_dfb.wait() as y_blk:
                    ttl.copy(y_blk, y[row, column]).wait()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    x_host = rng.standard_normal((192, 192), dtype=np.float32)
    bias_host = rng.standard_normal((1, 192), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(x_host, device=device)
    bias = ttnn.from_numpy(bias_host, device=device)
    y = ttnn.empty(x_host.shape, dtype=ttnn.float32, device=device)
    times = launch(bias_gelu, x, bias, y)

    # The sum is rounded once, as in numpy; gelu is within 0.51 ulp of the exact value.
    total = (x_host + bias_host).astype(np.float64)
    expected = total / 2 * np.vectorize(math.erfc)(-total / math.sqrt(2))
    error = np.abs(ttnn.to_numpy(y) - expected) / np.spacing(np.abs(expected).astype(np.float32))
    # The card's gelu is a table of six segments.
    report("bias_gelu", y, error, 0.51, " ulp", times, options.hash, card=(expected, 0.025))
    ttnn.close_device(device)


main()
