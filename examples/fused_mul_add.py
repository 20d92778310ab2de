"""y = a * b + c in bfloat16 on 8x8 cores: one pass over memory instead of two."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

BLOCK = 4  # tiles per block, in both directions


@ttl.operation(grid=(8, 8))
def fused_mul_add(a: ttnn.Tensor, b: ttnn.Tensor, c: ttnn.Tensor, y: ttnn.Tensor) -> None:
    grid_x, grid_y = ttl.grid_size(dims=2)
    rows_per_node = a.shape[0] // ttl.TILE_SHAPE[0] // BLOCK // grid_y
    columns_per_node = a.shape[1] // ttl.TILE_SHAPE[1] // BLOCK // grid_x

    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(BLOCK, BLOCK), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(BLOCK, BLOCK), block_count=2)
    c_dfb = ttl.make_dataflow_buffer_like(c, shape=(BLOCK, BLOCK), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(BLOCK, BLOCK), block_count=2)

    @ttl.datamovement()
    def reader():
        node_x, node_y = ttl.node(dims=2)
        for i in range(rows_per_node):
            row = (node_y * rows_per_node + i) * BLOCK
            for j in range(columns_per_node):
                column = (node_x * columns_per_node + j) * BLOCK
                with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk, c_dfb.reserve() as c_blk:
                    a_xf = ttl.copy(a[row : row + BLOCK, column : column + BLOCK], a_blk)
                    b_xf = ttl.copy(b[row : row + BLOCK, column : column + BLOCK], b_blk)
                    c_xf = ttl.copy(c[row : row + BLOCK, column : column + BLOCK], c_blk)
                    a_xf.wait()
                    b_xf.wait()
                    c_xf.wait()

    @ttl.compute()
    def compute():
        for _ in range(rows_per_node * columns_per_node):
            with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, c_dfb.wait() as c_blk:
                with y_dfb.reserve() as y_blk:
                    y_blk.store(a_blk * b_blk + c_blk)

    @ttl.datamovement()
    def writer():
        node_x, node_y = ttl.node(dims=2)
        for i in range(rows_per_node):
            row = (node_y * rows_per_node + i) * BLOCK
            for j in range(columns_per_node):
                column = (node_x * columns_per_node + j) * BLOCK
                with y_dfb.wait() as y_blk:
                    y_xf = ttl.copy(y_blk, y[row : row + BLOCK, column : column + BLOCK])
                    y_xf.wait()


def main():
    options = arguments(__doc__).parse_args()
    shape = (2048, 2048)

    device = ttnn.open_device(device_id=0)
    ttnn.manual_seed(0)
    a = ttnn.rand(shape, dtype=ttnn.bfloat16, device=device, low=-1.0, high=1.0)
    b = ttnn.rand(shape, dtype=ttnn.bfloat16, device=device, low=-1.0, high=1.0)
    c = ttnn.rand(shape, dtype=ttnn.bfloat16, device=device, low=-1.0, high=1.0)
    y = ttnn.empty(shape, dtype=ttnn.bfloat16, device=device)
    times = launch(fused_mul_add, a, b, c, y)

    # The kernel computes in float32 and rounds once, when it stores.
    product = ttnn.to_numpy(a) * ttnn.to_numpy(b)
    exact = product + ttnn.to_numpy(c)
    expected = ttnn.to_numpy(ttnn.from_numpy(exact, dtype=ttnn.bfloat16))
    error = ulps(ttnn.to_numpy(y), expected, ulp_bits=16)
    # On the card the product is rounded to bfloat16, and the sum is cut to it.
    card = (exact, 2.0**-8 * np.abs(product) + 2.0**-7 * np.abs(exact))
    report("fused_mul_add", y, error, 0, " ulp", times, options.hash, card)
    ttnn.close_device(device)


main()
