# SPDX-License-Identifier: Apache-2.0
"""ttl.wait_any: waiting for one of several receives over pipes."""
# feature: Pipes and nets

import os
import subprocess
import sys

import numpy as np
import pytest
import ttl

ROUNDS = 4
# let_go() signals both senders, but only the slow one waits: --check=protocol finds the other signal.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.finds("protocol")]


def tensors():
    """Returns a, whose tile (r, c) is full of 10 * c + r, and y, which is full of -1."""
    numbers = np.add.outer(np.arange(ROUNDS), [0, 10]).astype(np.float32)
    a = np.kron(numbers, np.ones((32, 32), np.float32))
    return a, np.full((32 * ROUNDS, 64), -1, np.float32)


def run(control, receive, waits_for_go=lambda k, node: k % 2 == node):
    """Nodes 0 and 1 send a tile to node 2 in each of 4 rounds k. If waits_for_go(k, node), the sender
    waits until node 2 calls let_go(k). Node 2 calls control(one_round), and one_round(k) calls receive()
    with both handles, semaphore `arrived`, let_go() and note(column, number), which stores a number.
    Returns the stored numbers, one row per round."""

    @ttl.operation(grid=(3, 1))
    def op(a, y):
        out_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        left_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        right_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        left = ttl.PipeNet([ttl.Pipe(0, 2)])
        right = ttl.PipeNet([ttl.Pipe(1, 2)])
        go = ttl.Semaphore()
        arrived = ttl.Semaphore()

        @ttl.datamovement()
        def network():
            node = ttl.node(dims=1)

            def send(k, pipe):
                with out_dfb.reserve() as block:
                    ttl.copy(a[k, node], block).wait()
                    if waits_for_go(k, node):
                        go.wait_ge(k + 1)
                    ttl.copy(block, pipe).wait()
                    arrived.get_remote(2).inc(1)

            def let_go(k):
                for other in range(2):
                    go.get_remote(other).inc(1)

            def one_round(k):
                def first(left_pipe):
                    with left_dfb.reserve() as left_block:
                        left_xf = ttl.copy(left_pipe, left_block)

                        def second(right_pipe):
                            with right_dfb.reserve() as right_block:
                                right_xf = ttl.copy(right_pipe, right_block)

                                def note(column, number):
                                    ttl.raw_element_write(right_block, 0, column, value=number)

                                receive(k, left_xf, right_xf, arrived, let_go, note)

                        right.if_dst(second)

                left.if_dst(first)

            if node < 2:
                for k in range(ROUNDS):
                    left.if_src(lambda pipe: send(k, pipe))
                    right.if_src(lambda pipe: send(k, pipe))
            else:
                control(one_round)

        @ttl.datamovement()
        def writer():
            for k in range(ROUNDS):
                if ttl.node(dims=1) == 2:
                    with left_dfb.wait() as block:
                        ttl.copy(block, y[k, 0]).wait()
                    with right_dfb.wait() as block:
                        ttl.copy(block, y[k, 1]).wait()
                else:
                    with out_dfb.wait():
                        pass

    a, y = tensors()
    op(a, y)
    assert np.array_equal(y[:, :32], a[:, :32])
    assert np.array_equal(y[:, 48:], a[:, 48:])
    return y[::32, 32:48]


def take_one(k, left_xf, right_xf, arrived, let_go, note):
    """Takes the fast sender's block first. Only then let_go() lets the slow sender send."""
    done = ttl.wait_any((left_xf, right_xf), start=k)
    let_go(k)
    place = done.index()
    if place == 0:
        right_xf.wait()
    else:
        left_xf.wait()
    note(0, place)


# ===--------------------------------------------------------------------------=== #
# Control flow
# ===--------------------------------------------------------------------------=== #


def one_loop(one_round):
    for k in range(ROUNDS):
        one_round(k)


def nested_loops(one_round):
    for i in range(2):
        for j in range(2):
            one_round(2 * i + j)


def while_loop(one_round):
    k = 0
    while k < ROUNDS:
        one_round(k)
        k += 1


def branch_in_loop(one_round):
    for k in range(ROUNDS):
        if k % 2 == 0:
            one_round(k)
        else:
            one_round(k)


def loop_in_branch(one_round):
    if ttl.node(dims=1) == 2:
        for k in range(ROUNDS):
            one_round(k)


def early_ends(one_round):
    for k in range(9):
        if k == ROUNDS:
            break
        if k > ROUNDS:
            return
        one_round(k)


@pytest.mark.parametrize(
    "control", [one_loop, nested_loops, while_loop, branch_in_loop, loop_in_branch, early_ends]
)
def test_takes_what_has_arrived(control):
    notes = run(control, take_one)
    assert notes[:, 0].tolist() == [1, 0, 1, 0]


def test_waits_after_the_choice_complete_the_rest():
    def receive(k, left_xf, right_xf, arrived, let_go, note):
        place = ttl.wait_any([left_xf, right_xf]).index()
        let_go(k)
        left_xf.wait()
        right_xf.wait()
        note(0, place)

    assert run(one_loop, receive)[:, 0].tolist() == [1, 0, 1, 0]


def test_a_loop_takes_one_after_the_other():
    # let_go() only once per round: a second call would let the slow sender of the next round send.
    def receive(k, left_xf, right_xf, arrived, let_go, note):
        places = 0
        for turn in range(2):
            places = 2 * places + ttl.wait_any((left_xf, right_xf), start=k).index()
            if turn == 0:
                let_go(k)
        note(0, places)

    assert run(one_loop, receive)[:, 0].tolist() == [2, 1, 2, 1]


def test_the_result_crosses_branches():
    def receive(k, left_xf, right_xf, arrived, let_go, note):
        if k < 2:
            done = ttl.wait_any((left_xf, right_xf))
        else:
            done = ttl.wait_any((left_xf, right_xf), start=1)
        let_go(k)
        left_xf.wait()
        right_xf.wait()
        note(0, done.index())

    assert run(one_loop, receive)[:, 0].tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize("start", [0, 1, 2, 7, -1, -2])
def test_the_order_begins_at_start(start):
    def receive(k, left_xf, right_xf, arrived, let_go, note):
        arrived.wait_ge(2 * k + 2)
        place = ttl.wait_any((left_xf, right_xf), start=start).index()
        left_xf.wait()
        right_xf.wait()
        note(0, place)

    notes = run(one_loop, receive, waits_for_go=lambda k, node: False)
    assert notes[:, 0].tolist() == [start % 2] * ROUNDS


def test_one_receive_alone():
    def receive(k, left_xf, right_xf, arrived, let_go, note):
        let_go(k)
        note_left = ttl.wait_any((left_xf,), start=k).index()
        right_xf.wait()
        note(0, note_left)

    assert run(one_loop, receive)[:, 0].tolist() == [0] * ROUNDS


# ===--------------------------------------------------------------------------=== #
# Unified bodies
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("in_branch", [False, True])
def test_in_a_unified_body(in_branch):
    @ttl.operation(grid=(3, 1))
    def op(a, y):
        out_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        left_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        right_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        left = ttl.PipeNet([ttl.Pipe(0, 2)])
        right = ttl.PipeNet([ttl.Pipe(1, 2)])
        node = ttl.node(dims=1)

        for k in range(ROUNDS):

            def send(pipe):
                ttl.copy(a[k, node], out_dfb.reserve()).wait()
                ttl.copy(out_dfb.wait(), pipe).wait()

            def first(left_pipe):
                left_xf = ttl.copy(left_pipe, left_dfb.reserve())

                def second(right_pipe):
                    right_xf = ttl.copy(right_pipe, right_dfb.reserve())
                    done = ttl.wait_any((left_xf, right_xf), start=k)
                    if not in_branch:
                        left_xf.wait()
                        right_xf.wait()
                    elif done.index() == 0:
                        right_xf.wait()
                    else:
                        left_xf.wait()

                right.if_dst(second)

            left.if_src(send)
            right.if_src(send)
            left.if_dst(first)
            if node == 2:
                y_dfb.reserve().store(left_dfb.wait() - right_dfb.wait())
                ttl.copy(y_dfb.wait(), y[k, 0]).wait()

    a, y = tensors()
    op(a, y)
    assert np.array_equal(y[:, :32], a[:, :32] - a[:, 32:])


# ===--------------------------------------------------------------------------=== #
# Faults
# ===--------------------------------------------------------------------------=== #


def test_a_deadlock_names_all_receives():
    with pytest.raises(ttl.DeadlockError) as caught:
        run(one_loop, take_one, waits_for_go=lambda k, node: True)
    text = str(caught.value)
    assert "data of pipe 0 of 'left' from node (0, 0)" in text
    assert "data of pipe 0 of 'right' from node (1, 0)" in text


def test_nothing_left_to_wait_for():
    def receive(k, left_xf, right_xf, arrived, let_go, note):
        let_go(k)
        for _ in range(3):
            ttl.wait_any((left_xf, right_xf))

    with pytest.raises(ttl.ProtocolError, match="every receive of the list was completed before"):
        run(one_loop, receive)


def test_a_block_that_may_be_pending_is_not_pushed():
    def receive(k, left_xf, right_xf, arrived, let_go, note):
        ttl.wait_any((left_xf, right_xf))

    with pytest.raises(ttl.RuntimeFault):
        run(one_loop, receive)


# ===--------------------------------------------------------------------------=== #
# Refusals
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda a, b: ttl.wait_any(()), "at least one handle .*, found an empty one"),
        (lambda a, b: ttl.wait_any(a), "at least one handle .*, found a transfer handle"),
        (lambda a, b: ttl.wait_any((a, 3)), "accepts only receive requests, .*; found an int"),
        (lambda a, b: ttl.wait_any((a, a)), "requires distinct receives, but got the same receive twice"),
        (lambda a, b: ttl.wait_any((a, b), start=True), "needs a number as start: .*; found"),
        (lambda a, b: ttl.wait_any((a, b), start=1.5), "int"),
        (lambda a, b: ttl.wait_any((a, b)).place(), "its only method is index"),
        (lambda a, b: (a.wait(), ttl.wait_any((a, b))), "a second time for the same copy"),
    ],
)
def test_refusals(call, message):
    def receive(k, left_xf, right_xf, arrived, let_go, note):
        call(left_xf, right_xf)
        left_xf.wait()
        right_xf.wait()

    with pytest.raises(ttl.CompileError, match=message):
        run(one_loop, receive)


def test_only_receives():
    @ttl.operation(grid=(1, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as block:
                ttl.wait_any((ttl.copy(a[0, 0], block),))

    with pytest.raises(ttl.CompileError, match="waits for receives over pipes only"):
        op(np.zeros((32, 32), np.float32))


def test_one_receive_of_a_pipe_at_a_time():
    @ttl.operation(grid=(2, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        net = ttl.PipeNet([ttl.Pipe(0, 1)])

        @ttl.datamovement()
        def network():
            def send(pipe):
                with dfb.reserve() as block:
                    ttl.copy(a[0, 0], block).wait()
                    ttl.copy(block, pipe).wait()
                    ttl.copy(block, pipe).wait()

            def receive(pipe):
                with dfb.reserve() as first, dfb.reserve() as second:
                    one = ttl.copy(pipe, first)
                    other = ttl.copy(pipe, second)
                    ttl.wait_any((one, other))

            net.if_src(send)
            net.if_dst(receive)

        @ttl.compute()
        def compute():
            for _ in range(1 + ttl.node(dims=1)):
                with dfb.wait():
                    pass

    with pytest.raises(ttl.CompileError, match="a second receive of a pipe while the first"):
        op(np.zeros((32, 32), np.float32))


def test_the_callback_must_not_have_ended():
    @ttl.operation(grid=(2, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        net = ttl.PipeNet([ttl.Pipe(0, 1)])

        @ttl.datamovement()
        def network():
            handles = []
            with dfb.reserve() as block:
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                net.if_dst(lambda pipe: handles.append(ttl.copy(pipe, block)))
                ttl.wait_any(handles)

    with pytest.raises(ttl.CompileError):
        op(np.zeros((32, 32), np.float32))


def test_not_in_compute_threads():
    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.compute()
        def compute():
            ttl.wait_any((1, 2))

    with pytest.raises(ttl.CompileError, match="wait_any"):
        op(np.zeros((32, 32), np.float32))


# ===--------------------------------------------------------------------------=== #
# The same tests under other schedules and on the interpreter
# ===--------------------------------------------------------------------------=== #


@pytest.mark.skipif("TTL_ENGINE" in os.environ, reason="this test chooses the engine, but TTL_ENGINE is set")
@pytest.mark.parametrize(
    "environment",
    [
        {"TTL_ENGINE": "interp"},
        {"TTL_ENGINE": "jit", "TTL_SCHEDULE": "greedy"},
        {"TTL_ENGINE": "jit", "TTL_SCHEDULE": "random", "TTL_SEED": "3"},
        {"TTL_ENGINE": "interp", "TTL_SCHEDULE": "random", "TTL_SEED": "4"},
        {"TTL_ENGINE": "jit", "TTL_SCHEDULE": "parallel(3)"},
    ],
)
def test_on_engines_and_schedules(environment):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    process = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout


def test_a_wait_uses_few_steps():
    """A waiting thread uses few steps of --limit, also in emitted C++, which polls in a loop."""
    with ttl.options(limit=20_000):
        run(one_loop, take_one)
