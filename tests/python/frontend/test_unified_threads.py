# SPDX-License-Identifier: Apache-2.0
"""Which thread runs a statement of a unified body: statements that use elements of blocks, and
statements that run on different threads on different nodes."""
# feature: Unified bodies

import numpy as np
import pytest
import ttl
import ttnn


def zeros(*shape):
    return np.zeros(shape, np.float32)


def test_an_element_is_written_into_a_copied_block():
    @ttl.operation(grid=(1, 1))
    def gather(index, table, y):
        index_dfb, table_dfb, y_dfb = (
            ttl.make_dataflow_buffer_like(t, shape=(1, 1), block_count=1) for t in (index, table, y))
        ttl.copy(index[0, 0], index_dfb.reserve())
        ttl.copy(table[0, 0], table_dfb.reserve())
        indices, values = index_dfb.wait(), table_dfb.wait()
        out = y_dfb.reserve()
        ttl.copy(y[0, 0], out)
        for i in range(4):
            place = ttl.read_index(indices, 0, i)
            ttl.raw_element_write(out, 1, i, ttl.raw_element_read(values, 2, place))
        ttl.copy(y_dfb.wait(), y[0, 0])

    index, table, y = zeros(32, 32), zeros(32, 32), zeros(32, 32)
    index[0, :4] = (7, 31, 0, 12)
    table[2] = np.arange(32) / 4
    y[5] = 3
    gather(index, table, y)
    assert np.array_equal(y[1, :4], table[2, [7, 31, 0, 12]]) and (y[5] == 3).all()


def test_an_element_selects_what_is_written_and_what_is_read():
    """Reads and writes both depend on the element, so one data movement thread runs all copies."""

    @ttl.operation(grid=(1, 1))
    def moved(index, a, y):
        index_dfb, a_dfb, y_dfb = (
            ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (index, a, y))
        ttl.copy(index[0, 0], index_dfb.reserve())
        indices = index_dfb.wait()
        row = ttl.read_index(indices, 0, 0)
        for i in range(ttl.read_index(indices, 0, 1)):
            ttl.copy(a[row, i], a_dfb.reserve())
            ttl.copy(a_dfb.wait(), y[i, row])

    index, a, y = zeros(32, 32), np.random.default_rng(1).random((96, 96), np.float32), zeros(96, 96)
    index[0, :2] = (1, 2)
    moved(index, a, y)
    expected = zeros(96, 96)
    expected[:64, 32:64] = np.concatenate((a[32:64, :32], a[32:64, 32:64]))
    assert np.array_equal(y, expected)


def test_the_compute_thread_does_not_know_an_element():
    @ttl.operation(grid=(1, 1))
    def op(index, a, y):
        index_dfb, a_dfb, y_dfb = (
            ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (index, a, y))
        ttl.copy(index[0, 0], index_dfb.reserve())
        for i in range(ttl.read_index(index_dfb.wait(), 0, 0)):
            ttl.copy(a[0, i], a_dfb.reserve())
            y_dfb.reserve().store(a_dfb.wait() + 1)

    with pytest.raises(ttl.CompileError, match="a value cannot go from one thread to another"):
        op(zeros(32, 32), zeros(32, 32), zeros(32, 32))


def consumed(condition):
    """Runs an operation: node 0 computes with the block of a buffer, node 1 copies it. Returns a and y."""

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        x, _ = ttl.node(dims=2)
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))
        ttl.copy(a[0, x], a_dfb.reserve())
        if x == 0:
            y_dfb.reserve().store(a_dfb.wait() + 1)
            ttl.copy(y_dfb.wait(), y[0, x])
        elif condition(x):
            ttl.copy(a_dfb.wait(), y[0, x])
        if not condition(x):
            ttl.copy(a_dfb.wait(), y[0, x])

    a, y = np.random.default_rng(2).random((32, 64), np.float32), zeros(32, 64)
    op(a, y)
    return a, y


def test_consumers_differ_between_nodes():
    a, y = consumed(lambda x: True)
    assert np.array_equal(y, a + np.repeat(np.float32([1, 0]), 32))


def test_one_node_has_one_consumer():
    with pytest.raises(ttl.CompileError, match="'a_dfb' is used by the compute thread and by a "
                                               "data movement thread"):
        consumed(lambda x: x != 0)


def test_senders_and_receivers_use_one_buffer():
    """One node sends its partial sum; the other one receives it and adds it to its own."""

    @ttl.atom()
    def send(net: ttl.PipeNet, source: ttl.DFB):
        def to(pipe):
            ttl.copy(source.wait(), pipe)

        net.if_src(to)

    @ttl.atom()
    def receive(net: ttl.PipeNet, target: ttl.DFB):
        def of(pipe):
            ttl.copy(pipe, target.reserve())

        net.if_dst(of)

    @ttl.atom(grid=(2, 1))
    def total(a, y):
        x, _ = ttl.node(dims=2)
        net = ttl.PipeNet([ttl.Pipe(src=(1, 0), dst=(0, 0))])
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        part_dfb, peer_dfb, y_dfb = (ttl.make_dfb("fp32", shape=(1, 1)) for _ in range(3))
        ttl.copy(a[0, x], a_dfb.reserve())
        part_dfb.reserve().store(a_dfb.wait() * 2)
        if net.is_dst():
            receive(net, peer_dfb)
            y_dfb.reserve().store(part_dfb.wait() + peer_dfb.wait())
            ttl.copy(y_dfb.wait(), y[0, 0])
        elif net.is_src():
            send(net, part_dfb)

    a = ttnn.from_numpy(np.random.default_rng(3).random((32, 64), np.float32))
    y = ttnn.zeros((32, 32))
    total(a, y)
    exact = 2 * (a.to_numpy()[:, :32] + a.to_numpy()[:, 32:])
    assert np.allclose(y.to_numpy(), exact, rtol=1e-6)
