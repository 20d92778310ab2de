"""y = a @ b on 3x2 nodes, where every tile is read from memory once and sent to all that need it.

The nodes of a row need the same tiles of a, those of a column the same tiles of b. The first node
of each row reads tiles of a and sends them along its row by a pipe with several receivers; the
first node of each column does the same with b."""

import numpy as np
import ttl
import ttnn

from check import arguments, launch, report, ulps

COLUMNS, ROWS = 3, 2  # of nodes


@ttl.operation(grid=(COLUMNS, ROWS))
def matmul(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
    m = y.shape[0] // 32 // ROWS
    n = y.shape[1] // 32 // COLUMNS
    k_tiles = a.shape[1] // 32

    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(m, 1))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(1, n))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(m, n), block_count=1)

    # Coordinates are (column, row). A slice of them is a range of receivers.
    along_rows = ttl.PipeNet([ttl.Pipe((0, r), (slice(1, COLUMNS), r)) for r in range(ROWS)])
    along_columns = ttl.PipeNet([ttl.Pipe((c, 0), (c, slice(1, ROWS))) for c in range(COLUMNS)])

    @ttl.datamovement()
    def a_mover():
        row = ttl.node(dims=2)[1] * m
        for k in range(k_tiles):
            with a_dfb.reserve() as a_blk:

                def send(pipe):
                    ttl.copy(a[row : row + m, k], a_blk).wait()
                    ttl.copy(a_blk, pipe).wait()

                along_rows.if_src(send)
                along_rows.if_dst(lambda pipe: ttl.copy(pipe, a_blk).wait())

    @ttl.datamovement()
    def b_mover_and_writer():
        node_x, node_y = ttl.node(dims=2)
        row, column = node_y * m, node_x * n
        for k in range(k_tiles):
            with b_dfb.reserve() as b_blk:

                def send(pipe):
                    ttl.copy(b[k, column : column + n], b_blk).wait()
                    ttl.copy(b_blk, pipe).wait()

                along_columns.if_src(send)
                along_columns.if_dst(lambda pipe: ttl.copy(pipe, b_blk).wait())
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[row : row + m, column : column + n]).wait()

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as y_blk:
            total = ttl.block.fill(0, shape=(m, n))
            for _ in range(k_tiles):
                with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                    total += a_blk @ b_blk
            y_blk.store(total)


def main():
    options = arguments(__doc__).parse_args()
    # Small integers: every product and every sum is exact.
    rng = np.random.default_rng(0)
    a_host = rng.integers(-99, 99, (128, 160)).astype(np.float32)
    b_host = rng.integers(-99, 99, (160, 192)).astype(np.float32)

    device = ttnn.open_device(device_id=0)
    a = ttnn.from_numpy(a_host, device=device)
    b = ttnn.from_numpy(b_host, device=device)
    y = ttnn.empty((128, 192), dtype=ttnn.float32, device=device)
    times = launch(matmul, a, b, y)

    expected = a_host @ b_host
    error = ulps(ttnn.to_numpy(y), expected)
    # On the card a group of 8 products is rounded to the last place of its largest one.
    card = (expected, 2.0**-10 * (np.abs(a_host) @ np.abs(b_host)))
    report("matmul_multicast", y, error, 0, " ulp", times, options.hash, card)
    ttnn.close_device(device)


main()
