# SPDX-License-Identifier: Apache-2.0
"""Patterns of communication over pipes. test_every_schedule.py repeats these tests under every schedule
on both engines: no pattern may deadlock, and all runs must give the same bits."""

import numpy as np
import pytest
import ttl

pytestmark = pytest.mark.filterwarnings("ignore")
TILE = np.ones((32, 32), np.float32)
BLOCKS = pytest.mark.parametrize("blocks", (1, 2, 3))


def tiles(values):
    """Returns a tensor with one tile per number; all elements of a tile are that number."""
    return np.kron(np.atleast_2d(np.asarray(values, np.float32)), TILE)


def numbers(tensor):
    """Returns the number of each tile, and checks that all elements of a tile are equal."""
    first = tensor[::32, ::32]
    assert np.array_equal(tensor, np.kron(first, TILE))
    return first


def buffers(like, *counts):
    return [ttl.make_dataflow_buffer_like(like, shape=(1, 1), block_count=n) for n in counts]


# ===--------------------------------------------------------------------------=== #
# Rings
# ===--------------------------------------------------------------------------=== #


@BLOCKS
@pytest.mark.parametrize("grid", ((2,), (5,), (2, 4)), ids=str)
def test_a_ring_in_which_all_nodes_first_send(grid, blocks):
    nodes = int(np.prod(grid))
    net = ttl.PipeNet([ttl.Pipe(node, (node + 1) % nodes) for node in range(nodes)])

    @ttl.operation(grid=grid)
    def op(a, y):
        out_dfb, in_dfb = buffers(a, blocks, blocks)

        @ttl.datamovement()
        def sender():
            for turn in range(3):
                with out_dfb.reserve() as block:
                    ttl.copy(a[turn, ttl.node(dims=1)], block).wait()
                with out_dfb.wait() as block, in_dfb.reserve() as received:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    net.if_dst(lambda pipe: ttl.copy(pipe, received).wait())

        @ttl.datamovement()
        def writer():
            for turn in range(3):
                with in_dfb.wait() as block:
                    ttl.copy(block, y[turn, ttl.node(dims=1)]).wait()

    values = np.arange(3 * nodes).reshape(3, nodes) + 1
    a, y = tiles(values), tiles(np.zeros((3, nodes)))
    op(a, y)
    assert np.array_equal(numbers(y), np.roll(values, 1, axis=1))


@BLOCKS
def test_two_rings_in_opposite_directions_in_one_thread(blocks):
    nodes = 4
    right = ttl.PipeNet([ttl.Pipe(node, (node + 1) % nodes) for node in range(nodes)])
    left = ttl.PipeNet([ttl.Pipe(node, (node - 1) % nodes) for node in range(nodes)])

    @ttl.operation(grid=(nodes,))
    def op(a, y):
        own_dfb, right_dfb, left_dfb = buffers(a, 1, blocks, blocks)

        @ttl.datamovement()
        def exchanger():
            for turn in range(2):
                with own_dfb.reserve() as block:
                    ttl.copy(a[turn, ttl.node(dims=1)], block).wait()
                with own_dfb.wait() as own:
                    right.if_src(lambda pipe: ttl.copy(own, pipe).wait())
                    left.if_src(lambda pipe: ttl.copy(own, pipe).wait())
                with left_dfb.reserve() as from_left, right_dfb.reserve() as from_right:
                    right.if_dst(lambda pipe: ttl.copy(pipe, from_left).wait())
                    left.if_dst(lambda pipe: ttl.copy(pipe, from_right).wait())

        @ttl.datamovement()
        def writer():
            for turn in range(2):
                with left_dfb.wait() as one, right_dfb.wait() as other:
                    ttl.copy(one, y[2 * turn, ttl.node(dims=1)]).wait()
                    ttl.copy(other, y[2 * turn + 1, ttl.node(dims=1)]).wait()

    values = np.arange(2 * nodes).reshape(2, nodes)
    a, y = tiles(values), tiles(np.zeros((4, nodes)))
    op(a, y)
    rolled = [np.roll(row, step) for row in values for step in (1, -1)]
    assert np.array_equal(numbers(y), rolled)


# ===--------------------------------------------------------------------------=== #
# Gather, reduce and scatter: one node and all others
# ===--------------------------------------------------------------------------=== #


@BLOCKS
@pytest.mark.finds("outputs")
def test_gather(blocks):
    nodes = 6
    net = ttl.PipeNet([ttl.Pipe(node, 0) for node in (3, 1, 5, 2, 4)])

    @ttl.operation(grid=(nodes,))
    def op(a, y):
        out_dfb, in_dfb = buffers(a, 1, blocks)

        @ttl.datamovement()
        def mover():
            for turn in range(2):

                def send(pipe):
                    with out_dfb.reserve() as block:
                        ttl.copy(a[turn, pipe.src], block).wait()
                        ttl.copy(block, pipe).wait()

                def receive(pipe):
                    with in_dfb.reserve() as block:
                        ttl.copy(pipe, block).wait()

                net.if_src(send)
                net.if_dst(receive)

        @ttl.datamovement()
        def writer():
            for turn in range(2):

                def drain(pipe):
                    with out_dfb.wait():
                        pass

                def write(pipe):
                    with in_dfb.wait() as block:
                        ttl.copy(block, y[turn, pipe.src]).wait()

                net.if_src(drain)
                net.if_dst(write)

    values = np.arange(2 * nodes).reshape(2, nodes) + 1
    a, y = tiles(values), tiles(np.zeros((2, nodes)))
    op(a, y)
    values[:, 0] = 0
    assert np.array_equal(numbers(y), values)


def test_a_gather_into_one_block_is_in_the_order_of_the_list():
    net = ttl.PipeNet([ttl.Pipe(node, 0) for node in (2, 1, 3)])

    @ttl.operation(grid=(4,))
    def op(a, y):
        out_dfb, in_dfb = buffers(a, 1, 1)

        @ttl.datamovement()
        def mover():
            with out_dfb.reserve() as block:
                ttl.copy(a[0, ttl.node(dims=1)], block).wait()
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
            if net.is_dst():
                with in_dfb.reserve() as received:
                    net.if_dst(lambda pipe: ttl.copy(pipe, received).wait())

        @ttl.datamovement()
        def writer():
            with out_dfb.wait():
                pass
            if net.is_dst():
                with in_dfb.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

    y = tiles([0])
    op(tiles([5, 6, 7, 8]), y)
    assert numbers(y) == 8  # 8 is the number of node 3, whose pipe is the last in the list


@BLOCKS
def test_scatter(blocks):
    nodes = 5
    net = ttl.PipeNet([ttl.Pipe(2, node) for node in range(nodes)])  # node 2 sends to itself, too

    @ttl.operation(grid=(nodes,))
    def op(a, y):
        out_dfb, in_dfb = buffers(a, blocks, blocks)

        @ttl.datamovement()
        def mover():
            def send(pipe):
                with out_dfb.reserve() as block:
                    ttl.copy(a[0, pipe.dst], block).wait()
                with out_dfb.wait() as block:
                    ttl.copy(block, pipe).wait()

            net.if_src(send)

            def receive(pipe):
                with in_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

            net.if_dst(receive)

        @ttl.datamovement()
        def writer():
            with in_dfb.wait() as block:
                ttl.copy(block, y[0, ttl.node(dims=1)]).wait()

    values = np.arange(nodes) + 3
    a, y = tiles(values), tiles(np.zeros(nodes))
    op(a, y)
    assert np.array_equal(numbers(y), [values])


# ===--------------------------------------------------------------------------=== #
# Exchanges of all nodes with each other
# ===--------------------------------------------------------------------------=== #


@BLOCKS
@pytest.mark.parametrize("by", ("pipes", "multicasts"))
def test_all_to_all_with_loopback_in_one_thread(by, blocks):
    nodes = 4
    if by == "pipes":
        pipes = [ttl.Pipe(one, other) for one in range(nodes) for other in range(nodes)]
    else:
        pipes = [ttl.Pipe(one, slice(0, nodes)) for one in range(nodes)]
    net = ttl.PipeNet(pipes)

    @ttl.operation(grid=(2, 2))
    def op(a, y):
        out_dfb, in_dfb = buffers(a, 1, blocks)

        @ttl.datamovement()
        def exchanger():
            with out_dfb.reserve() as block:
                ttl.copy(a[0, ttl.node(dims=1)], block).wait()
            with out_dfb.wait() as block:
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

            def receive(pipe):
                with in_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

            net.if_dst(receive)

        @ttl.datamovement()
        def writer():
            def write(pipe):
                with in_dfb.wait() as block:
                    ttl.copy(block, y[ttl.node(dims=1), pipe.src]).wait()

            net.if_dst(write)

    values = np.arange(nodes) + 1
    a, y = tiles(values), tiles(np.zeros((nodes, nodes)))
    op(a, y)
    assert np.array_equal(numbers(y), np.tile(values, (nodes, 1)))


@pytest.mark.parametrize("levels", (1, 3))
def test_a_tree_adds_and_distributes(levels):
    """Nodes send sums up a binary tree, with one net per level. The root sends the total down again."""
    nodes = 2**levels
    pairs = [[(node + 2**level, node) for node in range(0, nodes, 2 ** (level + 1))]
             for level in range(levels)]
    up = [ttl.PipeNet([ttl.Pipe(high, low) for high, low in level]) for level in pairs]
    down = [ttl.PipeNet([ttl.Pipe(low, high) for high, low in level]) for level in pairs]

    @ttl.operation(grid=(nodes,))
    def op(a, y):
        own_dfb, sum_dfb, in_dfb, total_dfb = buffers(a, 2, 2, 2, 2)

        @ttl.datamovement()
        def mover():
            node = ttl.node(dims=1)
            with own_dfb.reserve() as block:
                ttl.copy(a[0, node], block).wait()
            for level in range(levels):
                if up[level].is_dst():
                    with in_dfb.reserve() as received:
                        up[level].if_dst(lambda pipe: ttl.copy(pipe, received).wait())
                if up[level].is_src():
                    with sum_dfb.wait() as block:
                        up[level].if_src(lambda pipe: ttl.copy(block, pipe).wait())
            with total_dfb.reserve() as total:
                if node == 0:
                    with sum_dfb.wait() as block:
                        ttl.copy(block, y[0, 0]).wait()
                    ttl.copy(y[0, 0], total).wait()
                for level in reversed(range(levels)):
                    down[level].if_dst(lambda pipe: ttl.copy(pipe, total).wait())
                    down[level].if_src(lambda pipe: ttl.copy(total, pipe).wait())

        @ttl.compute()
        def adder():
            with sum_dfb.reserve() as out, own_dfb.wait() as own:
                total = ttl.math.fill(0, shape=(1, 1)) + own
                for level in range(levels):
                    if up[level].is_dst():
                        with in_dfb.wait() as block:
                            total += block
                out.store(total)

        @ttl.datamovement()
        def writer():
            with total_dfb.wait() as block:
                ttl.copy(block, y[0, ttl.node(dims=1)]).wait()

    values = np.arange(nodes) + 1
    a, y = tiles(values), tiles(np.zeros(nodes))
    op(a, y)
    assert np.array_equal(numbers(y), [[values.sum()] * nodes])


@BLOCKS
@pytest.mark.parametrize("rows, columns, inner", ((2, 2, 3), (1, 3, 2), (3, 2, 1)))
def test_a_matmul_with_multicasts(rows, columns, inner, blocks):
    """Node (x, y) computes tile (x, y): the nodes of column 0 send tiles of a along their row,
    those of row 0 send tiles of b down their column. One thread sends and receives for both."""
    along = ttl.PipeNet([ttl.Pipe((x, 0), (x, slice(0, columns))) for x in range(rows)])
    down = ttl.PipeNet([ttl.Pipe((0, y), (slice(0, rows), y)) for y in range(columns)])

    @ttl.operation(grid=(rows, columns))
    def op(a, b, y):
        a_dfb, b_dfb, y_dfb, a_own, b_own = buffers(a, blocks, blocks, 1, 1, 1)

        @ttl.datamovement()
        def reader():
            row, column = ttl.node()
            for k in range(inner):

                def send(pipe, own, source):
                    with own.reserve() as block:
                        ttl.copy(source, block).wait()
                    with own.wait() as block:
                        ttl.copy(block, pipe).wait()

                along.if_src(lambda pipe: send(pipe, a_own, a[row, k]))
                down.if_src(lambda pipe: send(pipe, b_own, b[k, column]))
                with a_dfb.reserve() as a_block, b_dfb.reserve() as b_block:
                    along.if_dst(lambda pipe: ttl.copy(pipe, a_block).wait())
                    down.if_dst(lambda pipe: ttl.copy(pipe, b_block).wait())

        @ttl.compute()
        def multiplier():
            with y_dfb.reserve() as out:
                total = ttl.math.fill(0, shape=(1, 1))
                for _ in range(inner):
                    with a_dfb.wait() as a_block, b_dfb.wait() as b_block:
                        total += a_block @ b_block
                out.store(total)

        @ttl.datamovement()
        def writer():
            row, column = ttl.node()
            with y_dfb.wait() as block:
                ttl.copy(block, y[row, column]).wait()

    chance = np.random.default_rng(3)
    a = chance.integers(-8, 8, (32 * rows, 32 * inner)).astype(np.float32)
    b = chance.integers(-8, 8, (32 * inner, 32 * columns)).astype(np.float32)
    y = np.zeros((32 * rows, 32 * columns), np.float32)
    op(a, b, y)
    assert np.array_equal(y, a @ b)


# ===--------------------------------------------------------------------------=== #
# Callbacks
# ===--------------------------------------------------------------------------=== #


def receive_into(dfb):
    """Returns a callback for if_dst(): a closure over `dfb`, made in a function outside the operation."""

    def receive(pipe):
        with dfb.reserve() as block:
            ttl.copy(pipe, block).wait()

    return receive


def forward(pipe, block, *, times=1):
    for _ in range(times):
        ttl.copy(block, pipe).wait()


@pytest.mark.parametrize("callback", ("lambda", "closure", "default", "nested", "alias"))
def test_callbacks(callback):
    net = ttl.PipeNet([ttl.Pipe(0, 1), ttl.Pipe(1, 0)])

    @ttl.operation(grid=(2,))
    def op(a, y):
        out_dfb, in_dfb = buffers(a, 1, 2)
        receive = receive_into(in_dfb)

        @ttl.datamovement()
        def exchanger():
            with out_dfb.reserve() as block:
                ttl.copy(a[0, ttl.node(dims=1)], block).wait()
            with out_dfb.wait() as block:
                if callback == "lambda":
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                elif callback == "closure":
                    net.if_src(lambda pipe: forward(pipe, block))
                elif callback == "default":

                    def send(pipe, what=block):
                        ttl.copy(what, pipe).wait()

                    net.if_src(send)
                elif callback == "nested":

                    def outer(pipe):
                        def inner():
                            forward(pipe, block, times=1)

                        inner()

                    net.if_src(outer)
                else:
                    if_src, copy = net.if_src, ttl.copy
                    if_src(lambda pipe: copy(block, pipe).wait())
            net.if_dst(receive)

        @ttl.datamovement()
        def writer():
            with in_dfb.wait() as block:
                ttl.copy(block, y[0, ttl.node(dims=1)]).wait()

    a, y = tiles([4, 9]), tiles([0, 0])
    op(a, y)
    assert np.array_equal(numbers(y), [[9, 4]])


# ===--------------------------------------------------------------------------=== #
# Coordinates of pipes on grids of several ranks
# ===--------------------------------------------------------------------------=== #


def send_own(net, grid, a, y, row_of, blocks=1):
    """Node i sends tile i of a; receiver j writes it to y[row_of(i), j]. Nodes are numbered row by row."""

    @ttl.operation(grid=grid)
    def op(a, y):
        out_dfb, in_dfb = buffers(a, 1, blocks)

        @ttl.datamovement()
        def exchanger():
            with out_dfb.reserve() as block:
                ttl.copy(a[0, ttl.node(dims=1)], block).wait()
            with out_dfb.wait() as block:
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

            def receive(pipe):
                with in_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

            net.if_dst(receive)

        @ttl.datamovement()
        def writer():
            def write(pipe):
                with in_dfb.wait() as block:
                    ttl.copy(block, y[row_of(pipe.src), ttl.node(dims=1)]).wait()

            net.if_dst(write)

    op(a, y)


@BLOCKS
@pytest.mark.finds("outputs")
def test_coordinates_of_rank_1_on_a_grid_of_rank_2(blocks):
    net = ttl.PipeNet([ttl.Pipe(1, slice(2, 6)), ttl.Pipe(4, slice(0, 1)), ttl.Pipe(5, slice(0, 3))])
    a, y = tiles(np.arange(6) + 1), tiles(np.zeros((6, 6)))
    send_own(net, (2, 3), a, y, lambda source: source, blocks)
    expected = np.zeros((6, 6))
    expected[1, 2:6], expected[4, 0], expected[5, 0:3] = 2, 5, 6
    assert np.array_equal(numbers(y), expected)


@BLOCKS
@pytest.mark.finds("outputs")
def test_pipes_on_a_grid_of_rank_3(blocks):
    grid = (2, 3, 2)
    ends = {(0, 0, 0): (slice(0, 2), slice(0, 3), slice(0, 2)), (1, 2, 1): (1, slice(0, 2), 0),
            (0, 1, 1): (1, slice(1, 2), 0)}
    net = ttl.PipeNet([ttl.Pipe(source, end) for source, end in ends.items()])
    a, y = tiles(np.arange(12) + 1), tiles(np.zeros((12, 12)))
    send_own(net, grid, a, y, lambda source: source[0] * 6 + source[1] * 2 + source[2], blocks)
    order = np.arange(12).reshape(grid)
    expected = np.zeros((12, 12))
    for source, end in ends.items():
        expected[order[source], np.ravel(order[end])] = order[source] + 1
    assert np.array_equal(numbers(y), expected)


def test_a_ring_through_a_grid_of_rank_3():
    grid = (2, 2, 2)
    nodes = [(x, y, z) for x in range(2) for y in range(2) for z in range(2)]
    net = ttl.PipeNet([ttl.Pipe(one, other) for one, other in zip(nodes, nodes[1:] + nodes[:1])])
    a, y = tiles(np.arange(8)), tiles(np.zeros(8))
    send_own(net, grid, a, y, lambda source: 0)
    assert np.array_equal(numbers(y), [np.roll(np.arange(8), 1)])
