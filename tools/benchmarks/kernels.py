# SPDX-License-Identifier: Apache-2.0
"""The kernels of tools/bench: functions that return a ttl operation, and functions of blocks, such as
softmax(), that these kernels call."""

import ttl


def _ranges(tensor, block, grid):
    """Returns how many blocks of tiles one node of the grid works on: (rows, columns)."""
    return (tensor.shape[0] // 32 // block // grid[1], tensor.shape[1] // 32 // block // grid[0])


def _write_blocks(y, y_dfb, rows, columns, block):
    """Runs in the thread that writes: stores the node's blocks of the result, row by row."""
    node_x, node_y = ttl.node(dims=2)
    for i in range(rows):
        row = (node_y * rows + i) * block
        for j in range(columns):
            column = (node_x * columns + j) * block
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[row : row + block, column : column + block]).wait()


def of_one(function, grid, block):
    """Returns an operation that computes y = function(x) in blocks of block x block tiles."""

    @ttl.operation(grid=grid)
    def operation(x, y):
        rows, columns = _ranges(x, block, grid)
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(block, block))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(block, block))

        @ttl.datamovement()
        def reader():
            node_x, node_y = ttl.node(dims=2)
            for i in range(rows):
                row = (node_y * rows + i) * block
                for j in range(columns):
                    column = (node_x * columns + j) * block
                    with x_dfb.reserve() as x_blk:
                        ttl.copy(x[row : row + block, column : column + block], x_blk).wait()

        @ttl.compute()
        def compute():
            for _ in range(rows * columns):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(function(x_blk))

        @ttl.datamovement()
        def writer():
            _write_blocks(y, y_dfb, rows, columns, block)

    return operation


def of_three(function, grid, block):
    """Returns an operation that computes y = function(a, b, c) in blocks of block x block tiles."""

    @ttl.operation(grid=grid)
    def operation(a, b, c, y):
        rows, columns = _ranges(a, block, grid)
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(block, block))
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(block, block))
        c_dfb = ttl.make_dataflow_buffer_like(c, shape=(block, block))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(block, block))

        @ttl.datamovement()
        def reader():
            node_x, node_y = ttl.node(dims=2)
            for i in range(rows):
                row = (node_y * rows + i) * block
                for j in range(columns):
                    column = (node_x * columns + j) * block
                    with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk, c_dfb.reserve() as c_blk:
                        a_xf = ttl.copy(a[row : row + block, column : column + block], a_blk)
                        b_xf = ttl.copy(b[row : row + block, column : column + block], b_blk)
                        c_xf = ttl.copy(c[row : row + block, column : column + block], c_blk)
                        a_xf.wait()
                        b_xf.wait()
                        c_xf.wait()

        @ttl.compute()
        def compute():
            for _ in range(rows * columns):
                with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk, c_dfb.wait() as c_blk:
                    with y_dfb.reserve() as y_blk:
                        y_blk.store(function(a_blk, b_blk, c_blk))

        @ttl.datamovement()
        def writer():
            _write_blocks(y, y_dfb, rows, columns, block)

    return operation


def multiply_add(a, b, c):
    return a * b + c


def chain(a, b, c):
    """Computes twelve operations per element, the same as `chain` in NativeLoops.cpp."""
    t = ttl.math.abs(a * b + c)
    t = ttl.math.relu(t * a - b) + c
    t = ttl.math.neg(t) * b - a
    return ttl.math.abs(t) + c


def exponentials(x):
    return ttl.math.exp(ttl.math.neg(ttl.math.exp(x)))


def gelus(x):
    return ttl.math.gelu(ttl.math.gelu(x))


def of_rows(function, nodes):
    """Returns an operation that computes y = function(x) for each row of tiles."""

    @ttl.operation(grid=(nodes, 1))
    def operation(x, y):
        rows, columns = x.shape[0] // 32, x.shape[1] // 32
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, columns))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, columns))

        @ttl.datamovement()
        def reader():
            for row in range(ttl.node(dims=1), rows, nodes):
                with x_dfb.reserve() as x_blk:
                    ttl.copy(x[row, :], x_blk).wait()

        @ttl.compute()
        def compute():
            for _ in range(ttl.node(dims=1), rows, nodes):
                with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(function(x_blk))

        @ttl.datamovement()
        def writer():
            for row in range(ttl.node(dims=1), rows, nodes):
                with y_dfb.wait() as y_blk:
                    ttl.copy(y_blk, y[row, :]).wait()

    return operation


def softmax(x):
    largest = ttl.math.reduce_max(x, dims=[-1])
    power = ttl.math.exp(x - ttl.math.broadcast(largest, dims=[-1]))
    total = ttl.math.reduce_sum(power, dims=[-1])
    return power * ttl.math.broadcast(ttl.math.recip(total), dims=[-1])


def layer_norm(x):
    centred = x - ttl.math.broadcast(ttl.math.reduce_mean(x, dims=[-1]), dims=[-1])
    variance = ttl.math.reduce_mean(centred * centred, dims=[-1])
    return centred * ttl.math.broadcast(ttl.math.rsqrt(variance + 1e-5), dims=[-1])


def matmul(grid, block, **compute):
    """Returns an operation that computes y = a @ b in blocks of block x block tiles."""

    @ttl.operation(grid=grid, **compute)
    def operation(a, b, y):
        rows, columns = _ranges(y, block, grid)
        inner = a.shape[1] // 32 // block
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(block, block))
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(block, block))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(block, block))

        @ttl.datamovement()
        def reader():
            node_x, node_y = ttl.node(dims=2)
            for i in range(rows):
                row = (node_y * rows + i) * block
                for j in range(columns):
                    column = (node_x * columns + j) * block
                    for k in range(inner):
                        at = k * block
                        with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                            a_xf = ttl.copy(a[row : row + block, at : at + block], a_blk)
                            b_xf = ttl.copy(b[at : at + block, column : column + block], b_blk)
                            a_xf.wait()
                            b_xf.wait()

        @ttl.compute()
        def compute():
            for _ in range(rows * columns):
                with y_dfb.reserve() as y_blk:
                    total = ttl.block.fill(0, shape=(block, block))
                    for _ in range(inner):
                        with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                            total += a_blk @ b_blk
                    y_blk.store(total)

        @ttl.datamovement()
        def writer():
            _write_blocks(y, y_dfb, rows, columns, block)

    return operation


def multicast_matmul(columns, rows, depth=1):
    """Returns an operation that computes y = a @ b. The first node of each row of nodes sends tiles of a along
    its row, and the first node of each column sends tiles of b along its column: `depth` tiles of the inner
    dimension at a time."""

    @ttl.operation(grid=(columns, rows))
    def operation(a, b, y):
        m, n, inner = y.shape[0] // 32 // rows, y.shape[1] // 32 // columns, a.shape[1] // 32
        inner = inner // depth
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(m, depth))
        b_dfb = ttl.make_dataflow_buffer_like(b, shape=(depth, n))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(m, n), block_count=1)
        along_rows = ttl.PipeNet([ttl.Pipe((0, r), (slice(1, columns), r)) for r in range(rows)])
        along_columns = ttl.PipeNet([ttl.Pipe((c, 0), (c, slice(1, rows))) for c in range(columns)])

        @ttl.datamovement()
        def a_mover():
            row = ttl.node(dims=2)[1] * m
            for k in range(inner):
                with a_dfb.reserve() as a_blk:

                    def send(pipe):
                        ttl.copy(a[row : row + m, k * depth : (k + 1) * depth], a_blk).wait()
                        ttl.copy(a_blk, pipe).wait()

                    along_rows.if_src(send)
                    along_rows.if_dst(lambda pipe: ttl.copy(pipe, a_blk).wait())

        @ttl.datamovement()
        def b_mover_and_writer():
            node_x, node_y = ttl.node(dims=2)
            row, column = node_y * m, node_x * n
            for k in range(inner):
                with b_dfb.reserve() as b_blk:

                    def send(pipe):
                        ttl.copy(b[k * depth : (k + 1) * depth, column : column + n], b_blk).wait()
                        ttl.copy(b_blk, pipe).wait()

                    along_columns.if_src(send)
                    along_columns.if_dst(lambda pipe: ttl.copy(pipe, b_blk).wait())
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[row : row + m, column : column + n]).wait()

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as y_blk:
                total = ttl.block.fill(0, shape=(m, n))
                for _ in range(inner):
                    with a_dfb.wait() as a_blk, b_dfb.wait() as b_blk:
                        total += a_blk @ b_blk
                y_blk.store(total)

    return operation


def ring(nodes, turns):
    """Returns an operation whose nodes send each tile on, `turns` times around a ring of pipes."""

    @ttl.operation(grid=(nodes,))
    def operation(x, y):
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        pipes = ttl.PipeNet([ttl.Pipe(node, (node + 1) % nodes) for node in range(nodes)])

        @ttl.datamovement()
        def mover():
            with x_dfb.reserve() as own:
                ttl.copy(x[0, ttl.node(dims=1)], own).wait()
                pipes.if_src(lambda pipe: ttl.copy(own, pipe).wait())
            for turn in range(nodes * turns):
                with x_dfb.reserve() as block:
                    pipes.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
                    if turn < nodes * turns - 1:
                        pipes.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as y_blk:
                for _ in range(nodes * turns + 1):
                    with x_dfb.wait() as block:
                        y_blk.store(block)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[0, ttl.node(dims=1)]).wait()

    return operation


@ttl.operation(grid=(1, 1))
def one_tile(x, y):
    """Computes y = -x for one tile. A launch that repeats an earlier one does not run this Python code again."""
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as x_blk:
            ttl.copy(x[0, 0], x_blk).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as x_blk, y_dfb.reserve() as y_blk:
            y_blk.store(ttl.math.neg(x_blk))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as y_blk:
            ttl.copy(y_blk, y[0, 0]).wait()


def ping_pong(rounds):
    """Returns an operation whose two data movement threads pass blocks of one tile to each other through two
    buffers. It has no compute thread."""

    @ttl.operation(grid=(1, 1))
    def operation(x, y):
        there_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        back_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def sender():
            with there_dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()
            for _ in range(rounds):
                with back_dfb.wait() as block, there_dfb.reserve() as other:
                    ttl.copy(x[0, 0], other).wait()

        @ttl.datamovement()
        def answerer():
            for _ in range(rounds):
                with there_dfb.wait() as block, back_dfb.reserve() as other:
                    ttl.copy(x[0, 0], other).wait()
            with there_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    return operation
