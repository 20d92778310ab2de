"""The matmul of tests/timing/data/s1.csv: every tile is read once and multicast along rows and columns."""
# SPDX-License-Identifier: Apache-2.0

import ttl
import ttnn


def operation(plan):
    """Returns an operation that computes y = a @ b by a plan of s1.csv: blocks of bm x bn x bk tiles on Np x Mp
    nodes. Each node computes M_BPN x N_BPN blocks of y, each in K_BPN steps."""
    height, width, depth, columns, lines, steps, down, across = (
        plan[name] for name in ("bm", "bn", "bk", "Np", "Mp", "K_BPN", "M_BPN", "N_BPN"))

    @ttl.operation(grid=(columns, lines), fp32_dest_acc_en=True)
    def matmul(a: ttnn.Tensor, b: ttnn.Tensor, y: ttnn.Tensor) -> None:
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(height, depth), block_count=2)
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(depth, width), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(height, width), block_count=2)
        along_rows = ttl.PipeNet([ttl.Pipe((0, r), (slice(1, columns), r)) for r in range(lines)])
        along_columns = ttl.PipeNet([ttl.Pipe((c, 0), (c, slice(1, lines))) for c in range(columns)])

        @ttl.datamovement()
        def a_mover():
            line = ttl.node(dims=2)[1]
            for i in range(down):
                row = (line * down + i) * height
                for _ in range(across):
                    for k in range(steps):
                        with a_dfb.reserve() as a_blk:

                            def send(pipe):
                                ttl.copy(a[row : row + height, k * depth : k * depth + depth], a_blk).wait()
                                ttl.copy(a_blk, pipe).wait()

                            along_rows.if_src(send)
                            along_rows.if_dst(lambda pipe: ttl.copy(pipe, a_blk).wait())

        @ttl.datamovement()
        def b_mover_and_writer():
            node_x, line = ttl.node(dims=2)
            for i in range(down):
                row = (line * down + i) * height
                for j in range(across):
                    column = (node_x * across + j) * width
                    for k in range(steps):
                        with b_dfb.reserve() as b_blk:

                            def send(pipe):
                                ttl.copy(b[k * depth : k * depth + depth, column : column + width], b_blk).wait()
                                ttl.copy(b_blk, pipe).wait()

                            along_columns.if_src(send)
                            along_columns.if_dst(lambda pipe: ttl.copy(pipe, b_blk).wait())
                    with y_dfb.wait() as y_blk:
                        ttl.copy(y_blk, y[row : row + height, column : column + width]).wait()

        @ttl.compute()
        def compute():
            for _ in range(down * across):
                with y_dfb.reserve() as y_blk:
                    for _ in range(steps):
                        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                            y_blk += a_blk @ b_blk

    return matmul
