# SPDX-License-Identifier: Apache-2.0
"""Semaphores of other nodes, from get_remote() calls in the body of an operation."""
# feature: Semaphores

import numpy as np
import pytest
import ttl

ENGINES = ["jit", "interp", "emitted"]
pytestmark = pytest.mark.filterwarnings("ignore")


def tile(number=0.0):
    return np.full((32, 32), number, np.float32)


def noting(count):
    """Returns an operation whose nodes call count(semaphore)(). Node 0 writes 4 to y when the value is 4."""

    @ttl.operation(grid=(4, 1))
    def op(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        done = ttl.Semaphore()
        signal = count(done)

        @ttl.datamovement()
        def mover():
            signal()
            if ttl.node(dims=1) == 0:
                done.wait_eq(4)
                with y_dfb.reserve() as block:
                    ttl.raw_element_write(block, 0, 0, value=4.0)

        @ttl.datamovement()
        def writer():
            if ttl.node(dims=1) == 0:
                with y_dfb.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

    return op


def once(done):
    zero = done.get_remote((0, 0))
    return lambda: zero.inc(1)


def in_a_loop(done):
    zero = done.get_remote(0)

    def signal():
        for _ in range(ttl.node(dims=1) * 0 + 1):
            zero.inc(1)

    return signal


def in_a_list(done):
    remotes = [done.get_remote((node, 0)) for node in range(4)]

    def signal():
        remotes[0].inc(1)

    return signal


def in_a_branch(done):
    table = {"first": done.get_remote((0, 0))}

    def signal():
        if ttl.node(dims=1) < 4:
            table["first"].inc(1)

    return signal


def in_while(done):
    zero = done.get_remote((0, 0))

    def signal():
        left = 1
        while left > 0:
            zero.inc(left)
            left -= 1

    return signal


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("count", [once, in_a_loop, in_a_list, in_a_branch, in_while])
def test_in_the_body(engine, count):
    y = tile()
    with ttl.options(engine=engine):
        noting(count)(y)
    assert y[0, 0] == 4


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("core_range", [None, (slice(0, 4), 0), ((0, 0), (3, 0))])
def test_a_range_in_the_body(engine, core_range):
    @ttl.operation(grid=(4, 1))
    def op(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        go = ttl.Semaphore()
        everyone = go.get_remote_multicast(core_range) if core_range else go.get_remote_multicast()

        @ttl.datamovement()
        def mover():
            node = ttl.node(dims=1)
            if node == 0:
                everyone.set(3)
            go.wait_eq(3)
            with y_dfb.reserve() as block:
                ttl.raw_element_write(block, 0, 0, value=float(node))

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, ttl.node(dims=1)]).wait()

    y = np.zeros((32, 128), np.float32)
    with ttl.options(engine=engine):
        op(y)
    assert list(y[0, ::32]) == [0, 1, 2, 3]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("as_list", [False, True])
def test_coordinates_that_differ_between_nodes(engine, as_list):
    """Each node of a ring waits for its semaphore, and then sets the one of the next node."""

    @ttl.operation(grid=(4, 1))
    def op(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        turn = ttl.Semaphore()
        x, _ = ttl.node()
        following = turn.get_remote(((x + 1) % 4, 0))
        held = [following, x]

        @ttl.datamovement()
        def mover():
            if ttl.node(dims=1) > 0:
                turn.wait_eq(ttl.node(dims=1))
            (held[0] if as_list else following).set(ttl.node(dims=1) + 1)
            if ttl.node(dims=1) == 0:
                turn.wait_eq(4)
                with y_dfb.reserve() as block:
                    ttl.raw_element_write(block, 0, 0, value=7.0)

        @ttl.datamovement()
        def writer():
            if ttl.node(dims=1) == 0:
                with y_dfb.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

    y = tile()
    with ttl.options(engine=engine):
        op(y)
    assert y[0, 0] == 7


def test_a_dict_of_coordinates_that_differ():
    """A dict has a value that differs between nodes, so the program is compiled for each group of nodes."""

    @ttl.operation(grid=(4, 1))
    def op(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        turn = ttl.Semaphore()
        x, _ = ttl.node()
        held = {"next": turn.get_remote(((x + 1) % 4, 0))}

        @ttl.datamovement()
        def mover():
            if ttl.node(dims=1) > 0:
                turn.wait_eq(ttl.node(dims=1))
            held["next"].set(ttl.node(dims=1) + 1)
            if ttl.node(dims=1) == 0:
                turn.wait_eq(4)
                with y_dfb.reserve() as block:
                    ttl.raw_element_write(block, 0, 0, value=7.0)

        @ttl.datamovement()
        def writer():
            if ttl.node(dims=1) == 0:
                with y_dfb.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()

    y = tile()
    op(y)
    assert y[0, 0] == 7


@pytest.mark.parametrize("engine", ENGINES)
def test_in_a_unified_body(engine):
    @ttl.operation(grid=(2, 1))
    def op(a, y):
        a_dfb = ttl.make_dfb("fp32", (1, 1))
        y_dfb = ttl.make_dfb("fp32", (1, 1))
        ready = ttl.Semaphore()
        other = ready.get_remote((1, 0))
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        other.inc(1)
        if ttl.node(dims=1) == 1:
            ready.wait_eq(2)
        y_dfb.reserve().store(a_dfb.wait() + 1)
        ttl.copy(y_dfb.wait(), y[0, ttl.node(dims=1)]).wait()

    y = np.zeros((32, 64), np.float32)
    with ttl.options(engine=engine):
        op(tile(1), y)
    assert np.all(y == 2)


def test_other_coordinates_are_another_program():
    made = []

    def operation(target):
        @ttl.operation(grid=(2, 1))
        def op(y):
            done = ttl.Semaphore()
            remote = done.get_remote((target, 0))

            @ttl.datamovement()
            def mover():
                remote.inc(1)

        return op

    for target in (0, 1):
        made.append(operation(target).ir(tile()))
    assert made[0] != made[1]


@pytest.mark.parametrize("ask, message", [
    (lambda s: s.get_remote((2, 0)), r"outside the grid \(2, 2\): coordinate 0 is 2"),
    (lambda s: s.get_remote((0, 0, 0)), "found 3 coordinates"),
    (lambda s: s.get_remote("a"), "must be the coordinates of a node, or its number, found 'a'"),
    (lambda s: s.get_remote(True), "or its number, found True"),
    (lambda s: s.get_remote_multicast((slice(0, 3), 0)), "not inside the grid: it is 0:3 in dimension 0"),
    (lambda s: s.get_remote_multicast(5.5), "must consist of slices and integers"),
])
def test_mistakes_in_the_body(ask, message):
    @ttl.operation(grid=(2, 2))
    def op(y):
        ask(ttl.Semaphore())

        @ttl.datamovement()
        def mover():
            pass

    with pytest.raises(ttl.CompileError, match=message) as caught:
        op(tile())
    assert (caught.value.file, caught.value.line) == (__file__, ask.__code__.co_firstlineno)


@pytest.mark.parametrize("use, message", [
    (lambda remote, many: many.inc(1), "use set"),
    (lambda remote, many: remote.wait_eq(1), "has no attribute 'wait_eq'"),
])
def test_mistakes_in_a_thread(use, message):
    @ttl.operation(grid=(2, 2))
    def op(y):
        done = ttl.Semaphore()
        remote, many = done.get_remote(0), done.get_remote_multicast()

        @ttl.datamovement()
        def mover():
            use(remote, many)

    with pytest.raises(ttl.CompileError, match=message):
        op(tile())


def test_in_a_compute_thread():
    @ttl.operation(grid=(2, 2))
    def op(y):
        remote = ttl.Semaphore().get_remote(0)

        @ttl.compute()
        def compute():
            remote.inc(1)

    with pytest.raises(ttl.CompileError, match="not possible in the compute thread"):
        op(tile())
