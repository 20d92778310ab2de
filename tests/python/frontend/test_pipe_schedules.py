# SPDX-License-Identifier: Apache-2.0
"""Orders of sends and receives over pipes. Those that tt-lang's compiler refuses for a card run here
with a CardWarning, and are errors with --strict. Other orders give neither."""
# feature: Pipes and nets

import warnings

import numpy as np
import pytest
import ttl

pytestmark = pytest.mark.filterwarnings("ignore::ttl.UnusedBlockWarning")
CARD = ": tt-lang's compiler refuses this for a card; "


def kernel(grid, move, blocks=2, drain=None):
    """Returns a function that launches an operation. move(a, sent, received) defines its data movement
    threads; `sent` and `received` are buffers. Its compute thread calls drain(received)."""

    @ttl.operation(grid=grid)
    def op(a):
        sent, received = (ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=n)
                          for n in (1, blocks))
        move(a, sent, received)

        @ttl.compute()
        def compute():
            drain(received)

    return lambda **keywords: op(np.ones((32, 32), np.float32), **keywords)


def pop(times=1):
    def drain(dfb):
        for _ in range(times):
            with dfb.wait():
                pass

    return drain


def silent(launch):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ttl.CardWarning)
        launch()
        launch(options="--strict")


def refused(launch, message, runs=True):
    if runs:
        with pytest.warns(ttl.CardWarning) as caught:
            launch()
        [text] = [str(w.message) for w in caught if issubclass(w.category, ttl.CardWarning)]
        assert message in text
    with pytest.raises(ttl.CompileError) as caught:
        launch(options="--strict")
    assert message in str(caught.value)
    return str(caught.value)


def ring(nodes, step=1):
    return ttl.PipeNet([ttl.Pipe(node, (node + step) % nodes) for node in range(nodes)])


def send_from(net, dfb, a):
    with dfb.reserve() as block:
        ttl.copy(a[0, 0], block).wait()
        net.if_src(lambda pipe: ttl.copy(block, pipe).wait())


def receive_into(net, dfb):
    def receive(pipe):
        with dfb.reserve() as block:
            ttl.copy(pipe, block).wait()

    net.if_dst(receive)


def in_one_thread(*parts):
    """Returns a `move` for kernel(): one thread calls all `parts`, another one pops a block of `sent`."""

    def move(a, sent, received):
        @ttl.datamovement()
        def mover():
            for part in parts:
                part(a, sent, received)

        @ttl.datamovement()
        def taker():
            with sent.wait():
                pass

    return move


# ===--------------------------------------------------------------------------=== #
# Sends that wait for receives which start later
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("nodes", [2, 5])
def test_a_ring_that_sends_first(nodes):
    net = ring(nodes)
    launch = kernel((nodes,), in_one_thread(lambda a, s, r: send_from(net, s, a),
                                            lambda a, s, r: receive_into(net, r)), drain=pop())
    message = refused(launch,
                      "on a card this send over pipe 0 of 'net' waits, through other sends and receives, for itself")
    assert CARD + "start receives before sends, and call their wait() after the sends" in message
    assert "comes after the start of the receive over pipe" in message
    assert nodes == 2 or f"and so on: {2 * nodes} steps lead back to this send" in message


def all_reduce(nodes):
    """Each node of a ring sends its own tile, and then passes on the tiles that it receives. The kernel
    has two statements that send and one that receives."""
    net = ring(nodes)

    def move(a, sent, received):
        @ttl.datamovement()
        def mover():
            with received.reserve() as own:
                ttl.copy(a[0, 0], own).wait()
                net.if_src(lambda pipe: ttl.copy(own, pipe).wait())
            for turn in range(nodes - 1):
                with received.reserve() as block:
                    net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
                    if turn < nodes - 2:
                        net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    return kernel((nodes,), move, drain=pop(nodes))


def test_a_ring_with_several_statements_that_send():
    refused(all_reduce(4),
            "on a card this send over pipe 0 of 'net' waits, through other sends and receives, for itself")


def test_a_ring_that_waits_before_it_sends():
    net = ring(3)
    launch = kernel((3,), in_one_thread(lambda a, s, r: receive_into(net, r),
                                        lambda a, s, r: send_from(net, s, a)), drain=pop())
    message = refused(launch, "waits, through other sends and receives, for itself", runs=False)
    assert "comes after the wait for the receive over pipe" in message


def test_a_ring_that_sends_first_in_a_loop():
    net = ring(3)

    def rounds(a, sent, received):
        with sent.reserve() as block:
            ttl.copy(a[0, 0], block).wait()
            for _ in range(4):
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                receive_into(net, received)

    refused(kernel((3,), in_one_thread(rounds), drain=pop(4)), "on a card this send over pipe 0 of 'net' waits")


def test_a_ring_that_starts_the_receives_first():
    net = ring(4)

    def exchange(a, sent, received):
        with sent.reserve() as block, received.reserve() as place:
            ttl.copy(a[0, 0], block).wait()

            def receive(pipe):
                handle = ttl.copy(pipe, place)
                net.if_src(lambda forward: ttl.copy(block, forward).wait())
                handle.wait()

            net.if_dst(receive)

    silent(kernel((4,), in_one_thread(exchange), drain=pop()))


def test_a_ring_of_two_threads():
    net = ring(4)

    def move(a, sent, received):
        @ttl.datamovement()
        def sender():
            send_from(net, sent, a)
            with sent.wait():
                pass

        @ttl.datamovement()
        def receiver():
            receive_into(net, received)

    silent(kernel((4,), move, drain=pop()))


def test_a_loopback_that_sends_first():
    net = ttl.PipeNet([ttl.Pipe(0, 0)])
    launch = kernel((1,), in_one_thread(lambda a, s, r: send_from(net, s, a),
                                        lambda a, s, r: receive_into(net, r)), drain=pop())
    message = refused(launch, "this sends over pipe 0 of 'net' before the same thread of node (0,) starts the receive" +
                      CARD + "start the receive first")
    assert "the receive starts here" in message


def test_a_multicast_to_the_sender_too():
    net = ttl.PipeNet([ttl.Pipe(0, slice(0, 3))])
    launch = kernel((3,), in_one_thread(lambda a, s, r: send_from(net, s, a),
                                        lambda a, s, r: receive_into(net, r)), drain=pop())
    refused(launch, "this sends over pipe 0 of 'net' before the same thread of node (0,) starts the receive")


def test_a_chain_is_no_cycle():
    net = ttl.PipeNet([ttl.Pipe(node, node + 1) for node in range(3)])

    def drain(received):
        if net.is_dst():
            with received.wait():
                pass

    silent(kernel((4,), in_one_thread(lambda a, s, r: send_from(net, s, a),
                                      lambda a, s, r: receive_into(net, r)), drain=drain))


def test_a_cycle_over_two_nets_and_threads():
    """Each node has two threads: each sends over one of two nets, then receives over the other."""
    there, back = ring(2), ring(2)

    def move(a, sent, received):
        other = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)

        @ttl.datamovement()
        def first():
            with sent.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
                there.if_src(lambda pipe: ttl.copy(block, pipe).wait())
            receive_into(back, received)
            with sent.wait():
                pass

        @ttl.datamovement()
        def second():
            with other.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
                back.if_src(lambda pipe: ttl.copy(block, pipe).wait())

                def receive(pipe):
                    with received_there.reserve() as place:
                        ttl.copy(pipe, place).wait()

                there.if_dst(receive)
            with other.wait():
                pass
            with received_there.wait():
                pass

        received_there = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=1)

    message = refused(kernel((2,), move, drain=pop()), "waits, through other sends and receives, for itself")
    assert "of 'net' on node" in message and "of 'net_2' on node" in message


# ===--------------------------------------------------------------------------=== #
# Receives whose wait() comes before the send in the same thread
# ===--------------------------------------------------------------------------=== #


def wait_first():
    net = ttl.PipeNet([ttl.Pipe(0, 0)])
    return kernel((1,), in_one_thread(lambda a, s, r: receive_into(net, r),
                                      lambda a, s, r: send_from(net, s, a)), drain=pop())


def test_a_wait_before_the_send():
    message = refused(wait_first(), "this waits for a receive over pipe 0 of 'net' before the same thread of node "
                      "(0,) sends it, so the wait never ends: send before this wait, or send in another thread",
                      runs=False)
    assert "the send is here" in message


@pytest.mark.filterwarnings("ignore::ttl.CardWarning")
@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_the_deadlock_of_a_wait_before_the_send(engine):
    with pytest.raises(ttl.DeadlockError) as caught:
        wait_first()(options=f"--engine={engine}")
    report = str(caught.value)
    assert "waits for data of pipe 0 of 'net' from node (0,)" in report
    # The report shows both statements, the wait and the send.
    [peer] = [line for line in report.splitlines() if "the same thread" in line]
    assert "test_pipe_schedules.py:" in peer
    assert "mover() also sends over this pipe itself: it must send before it waits for the data" in report


# ===--------------------------------------------------------------------------=== #
# Different numbers of sends and receives, and different slots of the receivers' buffers
# ===--------------------------------------------------------------------------=== #


@pytest.mark.filterwarnings("ignore::ttl.TransferWarning")
def test_more_sends_than_receives():
    net = ttl.PipeNet([ttl.Pipe(0, 1)])

    def send(a, sent, received):
        with sent.reserve() as block:
            ttl.copy(a[0, 0], block).wait()
            for _ in range(2):
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    def drain(received):
        if net.is_dst():
            with received.wait():
                pass

    launch = kernel((2,), in_one_thread(send, lambda a, s, r: receive_into(net, r)), drain=drain)
    message = refused(launch, "node (0,) sends 2 times over pipe 0 of 'net', but node (1,) receives 1 time" + CARD,
                      runs=False)
    assert "send as often over a pipe as each of its receivers receives" in message
    assert "the receive is here" in message


def strict_only(launch, message):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ttl.CardWarning)
        launch()
    with pytest.raises(ttl.CompileError) as caught:
        launch(options="--strict")
    assert message in str(caught.value)


def test_a_gather_into_too_few_blocks():
    net = ttl.PipeNet([ttl.Pipe(node, 0) for node in (1, 2, 3)])

    def drain(received):
        for _ in range(net.destination_count()):
            with received.wait():
                pass

    def gather(blocks):
        return kernel((4,), in_one_thread(lambda a, s, r: send_from(net, s, a),
                                          lambda a, s, r: receive_into(net, r)), blocks, drain)

    strict_only(gather(2), "3 pipes of 'net' end at node (0,), and 'received', into which it receives them, has "
                "block_count=2" + CARD + "block_count must be >= 3")
    silent(gather(3))


def multicast(receive):
    net = ttl.PipeNet([ttl.Pipe(0, slice(1, 3))])

    def move(a, sent, received):
        other = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def mover():
            send_from(net, sent, a)
            receive(net, received, other, a)

        @ttl.datamovement()
        def taker():
            with sent.wait():
                pass
            if receive is into_two_buffers:
                if ttl.node(dims=1) == 2:
                    with other.wait():
                        pass

    def drain(received):
        node = ttl.node(dims=1)
        if receive is into_two_buffers:
            if node == 1:
                pop()(received)
        elif node > 0:
            pop()(received)
            if node == 2:
                pop()(received)

    return kernel((3,), move, drain=drain)


def into_two_buffers(net, received, other, a):
    def receive(pipe):
        if ttl.node(dims=1) == 1:
            with received.reserve() as block:
                ttl.copy(pipe, block).wait()
        else:
            with other.reserve() as block:
                ttl.copy(pipe, block).wait()

    net.if_dst(receive)


def into_two_slots(net, received, other, a):
    if ttl.node(dims=1) == 2:
        with received.reserve() as block:
            ttl.copy(a[0, 0], block).wait()
    receive_into(net, received)


def test_receivers_of_a_multicast_with_different_buffers():
    strict_only(multicast(into_two_buffers),
                "node (2,) receives pipe 0 of 'net' into another buffer than node (1,), but a "
                "multicast writes to one address on all nodes" + CARD)


def test_receivers_of_a_multicast_with_different_slots():
    strict_only(multicast(into_two_slots),
                "node (2,) receives pipe 0 of 'net' into another block of its buffer than node "
                "(1,), but a multicast writes to one address on all nodes" + CARD +
                "reserve equally many blocks of the buffer on all of them")


# (condition of the wait, whether tt-lang's compiler can tell for which nodes the condition holds)
GUARDS = {
    "a number": (lambda x, y, net: x == 1, True),
    "and": (lambda x, y, net: x > 0 and y == 0, True),
    "not": (lambda x, y, net: not x == 0, True),
    "net": (lambda x, y, net: net.is_dst(), True),
    "remainder": (lambda x, y, net: x % 2 == 1, False),
    "product": (lambda x, y, net: x * 3 + y == 3, False),
    "and remainder": (lambda x, y, net: x > 0 and x % 2 == 1, False),
}


@pytest.mark.parametrize("guard, known", GUARDS.values(), ids=GUARDS)
def test_a_wait_under_a_condition_on_the_node(guard, known):
    pipe = ttl.Pipe((0, 0), (1, 0))
    net = ttl.PipeNet([pipe])

    def pass_on(a, sent, received):
        x, y = ttl.node(dims=2)
        send_from(net, sent, a)
        if guard(x, y, net):
            with received.reserve() as block:
                ttl.copy(pipe, block).wait()

    def drain(received):
        if ttl.node(dims=2)[0] == 1:
            pop()(received)

    launch = kernel((2, 1), in_one_thread(pass_on), drain=drain)
    if known:
        silent(launch)
    else:
        strict_only(launch,
                    "this waits for a receive under a condition on the node that is no comparison of a coordinate "
                    "with a number" + CARD + "compare the results of ttl.node() with numbers, or ask net.is_dst()")


def test_too_many_events():
    """40 nodes send to each other, with 1600 each of sends, receives and waits: too many to check."""
    net = ttl.PipeNet([ttl.Pipe(one, other) for one in range(40) for other in range(40)])

    def move(a, sent, received):
        @ttl.datamovement()
        def sender():
            send_from(net, sent, a)
            with sent.wait():
                pass

        @ttl.datamovement()
        def receiver():
            receive_into(net, received)

    def drain(received):
        for _ in range(net.destination_count()):
            with received.wait():
                pass

    strict_only(kernel((8, 5), move, 32, drain),
                "the nodes of this kernel have more than 4096 sends over pipes, receives and waits" + CARD +
                "use fewer pipes, or a multicast in the place of several pipes")
