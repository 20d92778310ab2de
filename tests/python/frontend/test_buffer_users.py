# SPDX-License-Identifier: Apache-2.0
"""A buffer has one producer and one consumer per node. On other nodes these may be other threads."""
# feature: Dataflow buffers

import warnings

import numpy as np
import pytest
import ttl

a = np.random.default_rng(3).random((32, 128), np.float32)


def run(consumes, options=""):
    """A reader fills a buffer on each of four nodes. Where consumes(node, last, 0) is true, the
    compute thread adds 1 to the block. Where consumes(node, last, 1) is true, the writer copies the
    block to y. `node` is the node's number. `last` is 1 on the last node and 0 on the others; it is
    not known at compile time. Returns y."""
    y = np.zeros_like(a)

    @ttl.operation(grid=(4, 1))
    def op(a, y, marks):
        last = marks[ttl.node(dims=1)]
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(2))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[0, ttl.node(dims=1)], block).wait()

        @ttl.compute()
        def compute():
            node = ttl.node(dims=1)
            if consumes(node, last, 0):
                with a_dfb.wait() as block, y_dfb.reserve() as out:
                    out.store(block + 1)

        @ttl.datamovement()
        def writer():
            node = ttl.node(dims=1)
            if consumes(node, last, 1):
                with a_dfb.wait() as block:
                    ttl.copy(block, y[0, node]).wait()
            else:
                with y_dfb.wait() as block:
                    ttl.copy(block, y[0, node]).wait()

    op(a, y, (0, 0, 0, 1), options=options)
    return y


def sums(*columns):
    y = a.copy()
    for column in columns:
        y[:, 32 * column : 32 * column + 32] += 1
    return y


def by_number(node, last, thread):
    return node == 0 if thread == 0 else node != 0


def by_parity(node, last, thread):
    return node % 2 == thread


def by_two_tests(node, last, thread):
    return (node > 0 and node < 3) if thread == 0 else (node == 0 or not node < 3)


@pytest.mark.parametrize(
    "consumes, columns", [(by_number, [0]), (by_parity, [0, 2]), (by_two_tests, [1, 2])])
def test_the_consumer_may_differ_between_nodes(consumes, columns):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(run(consumes, options="--strict"), sums(*columns))


def test_two_consumers_of_a_node():
    @ttl.operation(grid=(4, 1))
    def op(a, y):
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(2))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[0, ttl.node(dims=1)], block).wait()

        @ttl.compute()
        def compute():
            if ttl.node(dims=1) < 2:
                with a_dfb.wait() as block, y_dfb.reserve() as out:
                    out.store(block + 1)

        @ttl.datamovement()
        def writer():
            node = ttl.node(dims=1)
            if node > 0:
                with a_dfb.wait() as block:
                    ttl.copy(block, y[0, node]).wait()
            else:
                with y_dfb.wait() as block:
                    ttl.copy(block, y[0, node]).wait()

    with pytest.raises(ttl.CompileError, match=r"two threads consume 'a_dfb' on node \(1, 0\)"):
        op(a, np.zeros_like(a))


def test_what_run_time_values_decide():
    def consumes(node, last, thread):
        return last == thread

    with pytest.warns(ttl.CardWarning, match="two threads may consume 'a_dfb' on node"):
        assert np.array_equal(run(consumes), sums(0, 1, 2))
    with pytest.raises(ttl.CompileError,
                       match=", which depends on run-time values: tt-lang refuses this for a card; use a "
                       "buffer for each thread, or conditions on the node's coordinates only"):
        run(consumes, options="--strict")


@pytest.mark.filterwarnings("ignore::ttl.KernelWarning")
def test_a_second_consumer_at_run_time():
    def consumes(node, last, thread):
        return last == 0

    with pytest.raises(ttl.ProtocolError, match="is already its only consumer"):
        run(consumes)


def test_by_the_ends_of_a_net():
    @ttl.operation(grid=(2, 1))
    def op(a, y):
        d, e = (ttl.make_dataflow_buffer_like(a, shape=(1, 1)) for _ in range(2))
        net = ttl.PipeNet([ttl.Pipe(src=(0, 0), dst=(1, 0))])

        @ttl.datamovement()
        def network():
            def send(pipe):
                with d.reserve() as block:
                    ttl.copy(a[0, 0], block).wait()
                    ttl.copy(block, pipe).wait()

            def receive(pipe):
                with e.reserve() as block:
                    ttl.copy(pipe, block).wait()

            net.if_src(send)
            net.if_dst(receive)
            if net.is_dst():
                with d.reserve() as block:
                    ttl.copy(a[0, 1], block).wait()
                with d.wait() as block:
                    ttl.copy(block, y[0, 1]).wait()

        @ttl.datamovement()
        def writer():
            if net.is_src():
                with d.wait() as block:
                    ttl.copy(block, y[0, 0]).wait()
            else:
                with e.wait() as block:
                    ttl.copy(block, y[0, 2]).wait()

    y = np.zeros_like(a)
    op(a, y, options="--strict")
    assert np.array_equal(y[:, :64], a[:, :64]) and np.array_equal(y[:, 64:96], a[:, :32])
