"""y = a @ b on 10x10 cores, in float32 or bfloat16, with both ways to accumulate."""

import os

# 10x10 cores are more than a Wormhole has. The chip is chosen when ttl is first imported;
# `ttl-jit run --arch ...` and TTL_ARCH in the environment replace this default.
os.environ.setdefault("TTL_ARCH", "blackhole")

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report

SIZE = 640
GRID = (10, 10)
K_BLOCK = 2  # tiles of the inner dimension per block


@ttl.operation(grid=GRID)
def matmul(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor, store_acc: bool) -> None:
    grid_x, grid_y = ttl.grid_size(dims=2)
    rows = a.shape[0] // ttl.TILE_SHAPE[0] // grid_y
    columns = b.shape[1] // ttl.TILE_SHAPE[1] // grid_x
    k_tiles = a.shape[1] // ttl.TILE_SHAPE[1]

    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(rows, K_BLOCK), block_count=2)
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(K_BLOCK, columns), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(rows, columns), block_count=1)

    @ttl.datamovement()
    def reader():
        node_x, node_y = ttl.node(dims=2)
        row = node_y * rows
        column = node_x * columns
        for k in range(0, k_tiles, K_BLOCK):
            with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                a_xf = ttl.copy(a[row : row + rows, k : k + K_BLOCK], a_blk)
                b_xf = ttl.copy(b[k : k + K_BLOCK, column : column + columns], b_blk)
                a_xf.wait()
                b_xf.wait()

    if store_acc:
        # Sums in y's block, rounded to y's type at every store.
        @ttl.compute()
        def compute():
            with y_dfb.reserve() as y_blk:
                for _ in range(0, k_tiles, K_BLOCK):
                    with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                        y_blk.store(a_blk @ b_blk, acc=True)

    else:
        # Sums in float32, rounded once.
        @ttl.compute()
        def compute():
            with y_dfb.reserve() as y_blk:
                total = ttl.block.fill(0, shape=(rows, columns))
                for _ in range(0, k_tiles, K_BLOCK):
                    with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                        total += a_blk @ b_blk
                y_blk.store(total)

    @ttl.datamovement()
    def writer():
        node_x, node_y = ttl.node(dims=2)
        row = node_y * rows
        column = node_x * columns
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[row : row + rows, column : column + columns]).wait()


def exact(a, b, dtype, store_acc):
    """Returns a @ b, |a| @ |b|, and the error that rounding allows: once per product to float32, and
    once per store to y's type."""
    product, sizes = np.zeros((a.shape[0], b.shape[1])), np.abs(a) @ np.abs(b)
    allowed = (a.shape[1] + 8) * 2.0**-24 * sizes
    width = K_BLOCK * ttl.TILE_SHAPE[1] if store_acc else a.shape[1]
    for k in range(0, a.shape[1], width):
        product += a[:, k : k + width] @ b[k : k + width]
        if dtype == ttnn.bfloat16:
            allowed += 2.0**-8 * (np.abs(product) + allowed)
    return product, sizes, allowed


def main():
    parser = arguments(__doc__)
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="bfloat16")
    parser.add_argument(
        "--store-acc", action="store_true", help="accumulate by store(acc=True) instead of +="
    )
    options = parser.parse_args()
    dtype = getattr(ttnn, options.dtype)

    device = ttnn.open_device(device_id=0)
    ttnn.manual_seed(0)
    a = ttnn.rand((SIZE, SIZE), dtype=dtype, device=device, low=-1.0, high=1.0)
    b = ttnn.rand((SIZE, SIZE), dtype=dtype, device=device, low=-1.0, high=1.0)
    y = ttnn.empty((SIZE, SIZE), dtype=dtype, device=device)
    times = launch(matmul, a, b, y, options.store_acc)

    a64, b64 = (ttnn.to_numpy(t).astype(np.float64) for t in (a, b))
    product, sizes, allowed = exact(a64, b64, dtype, options.store_acc)
    error = np.abs(ttnn.to_numpy(y) - product)
    # On the card the factors of a float32 product are cut to 10 bits of fraction (TF32).
    card = (product, allowed + 2.0**-9 * sizes)
    report("matmul_multicore", y, error, allowed, "", times, options.hash, card)
    ttnn.close_device(device)


main()
