"""y = a * b for stacks of matrices on a grid of 2x2x3 nodes: rank 3 everywhere.

In tile layout the two innermost dimensions count tiles, and the others elements: a[i, j, k] is tile
(j, k) of matrix i. A block may span matrices too. The matrices need not be full tiles: 48 columns are
two tiles, and the padding beyond column 47 is no part of the result."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

BLOCK = (2, 1, 1)  # matrices, tiles, tiles


@ttl.operation(grid=(2, 2, 3))
def multiply(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=BLOCK)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=BLOCK)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=BLOCK)

    # Each node has one block. Its three coordinates choose the column, the row and the pair of matrices.

    @ttl.datamovement()
    def reader():
        column, row, pair = ttl.node(dims=3)
        matrices = slice(2 * pair, 2 * pair + 2)
        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
            ttl.copy(a[matrices, row, column], a_blk).wait()
            ttl.copy(b[matrices, row, column], b_blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, y_dfb.reserve() as y_blk:
            y_blk.store(a_blk * b_blk)

    @ttl.datamovement()
    def writer():
        column, row, pair = ttl.node(dims=3)
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[2 * pair : 2 * pair + 2, row, column]).wait()


def main():
    options = arguments(__doc__).parse_args()
    rng = np.random.default_rng(0)
    a_host = rng.standard_normal((6, 64, 48), dtype=np.float32)
    b_host = rng.standard_normal((6, 64, 48), dtype=np.float32)

    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, device=device)
    b = ttnn.from_numpy(b_host, device=device)
    y = ttnn.empty(a_host.shape, dtype=ttnn.float32, device=device)
    times = launch(multiply, a, b, y)

    error = ulps(ttnn.to_numpy(y), a_host * b_host)
    report("eltwise_3d", y, error, 0, " ulp", times, options.hash)
    ttnn.close_device(device)


main()
