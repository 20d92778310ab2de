# SPDX-License-Identifier: Apache-2.0
"""Copies over pipes outside of callbacks: conditions on the node choose the sender and the receivers."""
# feature: Pipes under conditions

import numpy as np
import pytest
import ttl

ENGINES = ["jit", "interp", "emitted"]
ROUNDS = 3
pytestmark = pytest.mark.filterwarnings("ignore")


def tiles(columns, rows=1):
    numbers = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    return np.kron(numbers, np.ones((32, 32), np.float32))


def numbers(tensor):
    return tensor[::32, ::32]


def moving(grid, net, move, rounds=1, block_count=2):
    """Returns an operation whose first data movement thread calls move(a, s_dfb, r_dfb), which sends
    blocks of `s_dfb` and receives into `r_dfb`. Its second thread pops the blocks of sources, and
    writes those of receivers to their column of y."""

    @ttl.operation(grid=grid)
    def op(a, y):
        s_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=block_count)
        r_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=block_count)
        _net = net

        @ttl.datamovement()
        def mover():
            move(a, s_dfb, r_dfb)

        @ttl.datamovement()
        def writer():
            for k in range(rounds):
                if net.is_src():
                    s_dfb.wait().pop()
                if net.is_dst():
                    with r_dfb.wait() as block:
                        ttl.copy(block, y[k, ttl.node(dims=1)]).wait()

    return op


def fill(a, dfb, k=0):
    block = dfb.reserve()
    ttl.copy(a[k, ttl.node(dims=1)], block).wait()
    return block


def unicast():
    pipe = ttl.Pipe(src=(1, 0), dst=(0, 0))
    return pipe, ttl.PipeNet([pipe])


def once(pipe):
    def move(a, s_dfb, r_dfb):
        if ttl.node(dims=2)[0] == 1:
            block = fill(a, s_dfb)
            ttl.copy(block, pipe).wait()
            block.push()
        if ttl.node(dims=2)[0] == 0:
            with r_dfb.reserve() as block:
                ttl.copy(pipe, block).wait()

    return move


def in_loops(pipe):
    def move(a, s_dfb, r_dfb):
        if ttl.node(dims=2)[0] == 1:
            for k in range(ROUNDS):
                block = fill(a, s_dfb, k)
                ttl.copy(block, pipe).wait()
                block.push()
        elif ttl.node(dims=2)[0] == 0:
            for _ in range(ROUNDS):
                with r_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

    return move


def guards_in_a_loop(pipe):
    def move(a, s_dfb, r_dfb):
        for k in range(ROUNDS):
            if ttl.node(dims=2)[0] == 1:
                block = fill(a, s_dfb, k)
                ttl.copy(block, pipe).wait()
                block.push()
            if ttl.node(dims=2)[0] == 0:
                with r_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

    return move


def in_while(pipe):
    def move(a, s_dfb, r_dfb):
        k = 0
        while k < ROUNDS:
            if ttl.node(dims=1) == 1:
                block = fill(a, s_dfb, k)
                ttl.copy(block, pipe).wait()
                block.push()
            if ttl.node(dims=1) == 0:
                with r_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()
            k += 1

    return move


def in_helpers(pipe):
    def send(a, s_dfb, k):
        block = fill(a, s_dfb, k)
        ttl.copy(block, pipe).wait()
        block.push()

    def receive(r_dfb):
        with r_dfb.reserve() as block:
            ttl.copy(pipe, block).wait()

    def move(a, s_dfb, r_dfb):
        for i in range(1):
            for k in range(ROUNDS):
                if ttl.node(dims=1) == 1:
                    send(a, s_dfb, k)
                else:
                    if ttl.node(dims=1) == 0:
                        receive(r_dfb)

    return move


def with_early_return(pipe):
    def move(a, s_dfb, r_dfb):
        if ttl.node(dims=1) > 1:
            return
        for k in range(ROUNDS):
            if ttl.node(dims=1) == 1:
                block = fill(a, s_dfb, k)
                ttl.copy(block, pipe).wait()
                block.push()
            else:
                with r_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

    return move


def by_the_net(pipe):
    net = ttl.PipeNet([ttl.Pipe(pipe.src, pipe.dst)])

    def move(a, s_dfb, r_dfb):
        for k in range(ROUNDS):
            if net.is_src():
                block = fill(a, s_dfb, k)
                ttl.copy(block, pipe).wait()
                block.push()
            if net.is_dst():
                with r_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

    return move


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("move", [once, in_loops, guards_in_a_loop, in_while, in_helpers,
                                  with_early_return, by_the_net])
def test_a_pipe_to_one_node(engine, move):
    pipe, net = unicast()
    rounds = 1 if move is once else ROUNDS
    a, y = tiles(3, ROUNDS), np.full((32 * ROUNDS, 96), -1, np.float32)
    with ttl.options(engine=engine):
        moving((3, 1), net, move(pipe), rounds)(a, y)
    expected = np.full((ROUNDS, 3), -1)
    expected[:rounds, 0] = numbers(a)[:rounds, 1]
    assert np.array_equal(numbers(y), expected)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_range_of_receivers(engine):
    pipe = ttl.Pipe(src=(2, 0), dst_range=(slice(0, 2), slice(0, 1)))
    net = ttl.PipeNet([pipe])

    def move(a, s_dfb, r_dfb):
        for k in range(ROUNDS):
            if ttl.node(dims=1) == 2:
                block = fill(a, s_dfb, k)
                ttl.copy(block, pipe).wait()
                block.push()
            if ttl.node(dims=1) < 2:
                with r_dfb.reserve() as block:
                    ttl.copy(pipe, block).wait()

    a, y = tiles(3, ROUNDS), np.full((32 * ROUNDS, 96), -1, np.float32)
    with ttl.options(engine=engine):
        moving((3, 1), net, move, ROUNDS)(a, y)
    expected = np.full((ROUNDS, 3), -1)
    expected[:, 0] = expected[:, 1] = numbers(a)[:, 2]
    assert np.array_equal(numbers(y), expected)


@pytest.mark.parametrize("engine", ENGINES)
def test_several_pipes_of_a_net(engine):
    """In a ring, each node starts its receive, then sends, then waits for the receive."""
    pipes = [ttl.Pipe(node, (node + 1) % 3) for node in range(3)]
    net = ttl.PipeNet(pipes)

    def move(a, s_dfb, r_dfb):
        for k in range(ROUNDS):
            for node in range(3):
                if ttl.node(dims=1) == node:
                    into = r_dfb.reserve()
                    posted = ttl.copy(pipes[node - 1], into)
                    block = fill(a, s_dfb, k)
                    ttl.copy(block, pipes[node]).wait()
                    block.push()
                    posted.wait()
                    into.push()

    a, y = tiles(3, ROUNDS), np.full((32 * ROUNDS, 96), -1, np.float32)
    with ttl.options(engine=engine):
        moving((3, 1), net, move, ROUNDS)(a, y)
    assert np.array_equal(numbers(y), np.roll(numbers(a), 1, axis=1))


@pytest.mark.parametrize("engine", ENGINES)
def test_both_ends_in_different_threads(engine):
    pipe = ttl.Pipe((0, 0), (1, 0))

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        s_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        r_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        net = ttl.PipeNet([pipe])

        @ttl.datamovement()
        def first():
            if net.is_src():
                ttl.copy(a[0, 0], s_dfb.reserve()).wait()
                s_dfb.push()
            if net.is_dst():
                ttl.copy(pipe, r_dfb.reserve()).wait()
                r_dfb.push()

        @ttl.datamovement()
        def second():
            if net.is_src():
                ttl.copy(s_dfb.wait(), pipe).wait()
                s_dfb.pop()
            if net.is_dst():
                ttl.copy(r_dfb.wait(), y[0, 0]).wait()
                r_dfb.pop()

    y = np.zeros((32, 32), np.float32)
    with ttl.options(engine=engine):
        op(tiles(1) + 5, y)
        op(tiles(1) + 5, y)
    assert np.all(y == 5)


@pytest.mark.parametrize("engine", ENGINES)
def test_in_a_unified_body(engine):
    @ttl.operation(grid=(2, 1))
    def op(a, y):
        s_dfb, r_dfb = ttl.make_dfb("fp32", (1, 1)), ttl.make_dfb("fp32", (1, 1))
        o_dfb = ttl.make_dfb("fp32", (1, 1))
        pipe = ttl.Pipe((0, 0), (1, 0))
        net = ttl.PipeNet([pipe])
        if net.is_src():
            block = s_dfb.reserve()
            ttl.copy(a[0, 0], block).wait()
            ttl.copy(block, pipe).wait()
            s_dfb.wait()
        if net.is_dst():
            ttl.copy(pipe, r_dfb.reserve()).wait()
            o_dfb.reserve().store(r_dfb.wait() * 2)
            ttl.copy(o_dfb.wait(), y[0, 0]).wait()

    y = np.zeros((32, 32), np.float32)
    with ttl.options(engine=engine):
        op(tiles(1) + 5, y)
    assert np.all(y == 10)


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
@pytest.mark.parametrize("wrong, what", [
    ("send", r"this node runs a copy that sends over a pipe of '.*', which begins at node \(1, 0\)"),
    ("receive", r"this node runs a copy that receives from a pipe of '.*', which ends at node \(0, 0\)"),
])
def test_a_node_that_is_no_such_end(engine, wrong, what):
    pipe, net = unicast()

    def move(a, s_dfb, r_dfb):
        node = ttl.node(dims=1)
        if node == (2 if wrong == "send" else 1):
            block = fill(a, s_dfb)
            ttl.copy(block, pipe).wait()
            block.push()
        if node == (2 if wrong == "receive" else 0):
            with r_dfb.reserve() as block:
                ttl.copy(pipe, block).wait()

    with ttl.options(engine=engine), pytest.raises(ttl.ProtocolError, match=what) as caught:
        moving((3, 1), net, move)(tiles(3), np.zeros((32, 96), np.float32))
    assert caught.value.node == (2, 0)
    assert caught.value.file == __file__


def refused(body, message, grid=(2, 1)):
    @ttl.operation(grid=grid)
    def op(a):
        body(ttl.make_dataflow_buffer_like(a, shape=(1, 1)), a)

    with pytest.raises(ttl.CompileError, match=message) as caught:
        op(tiles(2))
    return caught.value


def test_all_nodes_send():
    pipe, net = unicast()

    def body(dfb, a):
        @ttl.datamovement()
        def mover():
            for _ in range(2):
                with dfb.wait() as block:
                    ttl.copy(block, pipe).wait()

        @ttl.datamovement()
        def filler():
            if ttl.node(dims=1) == 0:
                ttl.copy(pipe, dfb.reserve()).wait()

    assert net is not None
    refused(body, r"all 2 nodes run a copy that sends over a pipe of '.*', which begins at node")


def test_a_pipe_of_no_net():
    pipe = ttl.Pipe((0, 0), (1, 0))

    def body(dfb, a):
        @ttl.datamovement()
        def mover():
            if ttl.node(dims=1) == 0:
                ttl.copy(dfb.wait(), pipe).wait()

    refused(body, r"belongs to no net: make one in the body of the operation: net = ttl.PipeNet")


def test_a_pipe_of_two_nets():
    pipe = ttl.Pipe((0, 0), (1, 0))
    nets = [ttl.PipeNet([pipe]), ttl.PipeNet([pipe])]

    def body(dfb, a):
        @ttl.datamovement()
        def mover():
            if ttl.node(dims=1) == 0:
                ttl.copy(dfb.wait(), pipe).wait()

    refused(body, "belongs to 2 nets")
    assert len(nets) == 2


def test_no_receiver():
    pipe, net = unicast()

    def body(dfb, a):
        @ttl.datamovement()
        def mover():
            if ttl.node(dims=1) == 1:
                with dfb.reserve() as block:
                    ttl.copy(a[0, 0], block).wait()
                    ttl.copy(block, pipe).wait()

    assert net is not None
    refused(body, "but no thread receives from it")


def test_one_end_in_two_threads():
    pipe, net = unicast()

    def body(dfb, a):
        other = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def first():
            if ttl.node(dims=1) == 1:
                ttl.copy(other.wait(), pipe).wait()
            if ttl.node(dims=1) == 0:
                ttl.copy(pipe, dfb.reserve()).wait()

        @ttl.datamovement()
        def second():
            if ttl.node(dims=1) == 1:
                ttl.copy(dfb.wait(), pipe).wait()

    assert net is not None
    refused(body, "a second thread sends over")


def test_a_net_between_pipes():
    pipe, net = unicast()

    def body(dfb, a):
        @ttl.datamovement()
        def mover():
            ttl.copy(net, pipe)

    refused(body, "can only copy a block into a ttl.Pipe")


# ===--------------------------------------------------------------------------=== #
# net.destination_count()


@pytest.mark.parametrize("engine", ENGINES)
def test_destination_count(engine):
    pipes = [ttl.Pipe(0, 2), ttl.Pipe(1, 2), ttl.Pipe(1, 0), ttl.Pipe(0, 2)]

    @ttl.operation(grid=(3, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        net = ttl.PipeNet(pipes)

        @ttl.compute()
        def compute():
            for _ in range(net.destination_count()):
                dfb.reserve().store(ttl.block.fill(3, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            count = net.destination_count()
            for k in range(count):
                with dfb.wait() as block:
                    ttl.copy(block, y[k, ttl.node(dims=1)]).wait()
            assert count == 0 or net.is_dst()

    y = np.zeros((96, 96), np.float32)
    with ttl.options(engine=engine):
        op(tiles(3), y)
    assert np.array_equal(numbers(y), [[3, 0, 3], [0, 0, 3], [0, 0, 3]])


def test_destination_count_takes_nothing():
    net = ttl.PipeNet([ttl.Pipe(0, 1)])

    def body(dfb, a):
        @ttl.datamovement()
        def mover():
            net.destination_count(1)

    refused(body, "too many arguments")


# ===--------------------------------------------------------------------------=== #
# Errors at the construction of pipes and nets


@pytest.mark.parametrize("make, message", [
    (lambda: ttl.PipeNet([]), "must have at least one pipe"),
    (lambda: ttl.Pipe((0, 0), (slice(None), 0)), r"explicit start and stop, found slice\(None, None\)"),
    (lambda: ttl.Pipe((0, 0), (slice(0, None), 0)), "explicit start and stop"),
    (lambda: ttl.Pipe((0, 0), (slice(2, 2), 0)), "start must be < stop"),
    (lambda: ttl.Pipe((0, 0), (slice(0, 4, 2), 0)), "must have step 1 or None"),
    (lambda: ttl.PipeNet([ttl.Pipe((0, 0), (1, 0)), ttl.Pipe((0, 0), (slice(0, 2), 0))]),
     "may not mix point-to-point and collective"),
])
def test_errors_of_construction(make, message):
    with pytest.raises(ValueError, match=message):
        make()

    @ttl.operation(grid=(4, 4))
    def op(a):
        make()

    with pytest.raises(ttl.CompileError, match=message) as caught:
        op(tiles(1))
    assert caught.value.file == __file__


@pytest.mark.parametrize("make", [
    lambda: [ttl.Pipe((0, 0), (slice(0, 2), slice(0, 2), )), ttl.Pipe((0, 0), (slice(1, 3), slice(0, 2)))],
    lambda: [ttl.Pipe((0, 0), (3, 3)), ttl.Pipe((1, 0), (3, 3))],
])
def test_legal_nets(make):
    ttl.PipeNet(make())
