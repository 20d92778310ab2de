# SPDX-License-Identifier: Apache-2.0
"""ttl.GroupTransfer: waiting for several transfers at once."""
# feature: GroupTransfer

import numpy as np
import pytest
import ttl


def numbers(rows, columns=32):
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


def run(reader, writer, rows=4, columns=1):
    """Runs reader(a, dfb) and writer(y, dfb) as two threads on each of two nodes. Returns a and y."""

    @ttl.operation(grid=(2, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=4)

        @ttl.datamovement()
        def fill():
            reader(a, dfb)

        @ttl.datamovement()
        def drain():
            writer(y, dfb)

    a, y = numbers(32 * rows), np.full((32 * rows, 32 * columns), -1, np.float32)
    op(a, y)
    return a, y


def fill_two(a, dfb):
    group = ttl.GroupTransfer()
    with dfb.reserve() as first, dfb.reserve() as second:
        group.add(ttl.copy(a[0, 0], first))
        group.add(ttl.copy(a[1, 0], second))
        group.wait_all()


def drain_two(y, dfb):
    group = ttl.GroupTransfer()
    node = ttl.node(dims=1)
    with dfb.wait() as first, dfb.wait() as second:
        group.add(ttl.copy(first, y[2 * node, 0]))
        group.add(ttl.copy(second, y[2 * node + 1, 0]))
        group.wait_all()
        group.wait_all()  # the group is empty now: this does nothing


@pytest.mark.filterwarnings("error")
def test_transfers_of_one_scope():
    a, y = run(fill_two, drain_two)
    assert np.array_equal(y, np.concatenate([a[:64], a[:64]]))


@pytest.mark.finds("outputs")
def test_transfers_of_loops_and_branches():
    def drain(y, dfb):
        group = ttl.GroupTransfer()
        with dfb.wait() as first, dfb.wait() as second:
            for row in range(ttl.node(dims=1) + 1):
                for column in range(2):
                    group.add(ttl.copy(first, y[row, 2 * ttl.node(dims=1) + column]))
            if ttl.node(dims=1) == 0:
                group.add(ttl.copy(second, y[2, 0]))
            else:
                for row in range(1, 3):
                    group.add(ttl.copy(second, y[row + 1, 3]))
            group.wait_all()

    a, y = run(fill_two, drain, columns=4)
    expected = np.zeros((4, 4))
    expected[0, 0:2] = 1
    expected[0:2, 2:4] = 1
    expected[2, 0] = expected[2, 3] = expected[3, 3] = 2
    for row in range(4):
        for column in range(4):
            tile = y[32 * row : 32 * row + 32, 32 * column : 32 * column + 32]
            source = int(expected[row, column])
            wanted = a[32 * (source - 1) : 32 * source] if source else np.full((32, 32), -1)
            assert np.array_equal(tile, wanted), (row, column)


def test_a_group_in_each_iteration():
    def fill(a, dfb):
        row = 0
        while row < 2:
            group = ttl.GroupTransfer()
            with dfb.reserve() as block:
                group.add(ttl.copy(a[row, 0], block))
                group.wait_all()
            row += 1

    a, y = run(fill, drain_two)
    assert np.array_equal(y[:64], a[:64])


@pytest.mark.parametrize(
    "body, message",
    [
        (lambda a, dfb: ttl.GroupTransfer().add(3), r"add\(\) must be a handle that ttl.copy\(\)"),
        (lambda a, dfb: ttl.GroupTransfer().wait(), "a GroupTransfer has no method wait"),
        (lambda a, dfb: ttl.GroupTransfer(1), "too many arguments"),
    ],
)
def test_wrong_uses(body, message):
    with pytest.raises(ttl.CompileError, match=message):
        run(body, drain_two)


def test_pipes_in_loops():
    net = ttl.PipeNet([ttl.Pipe((0, 0), (1, 0))])

    def fill(a, dfb):
        group = ttl.GroupTransfer()

        def send(pipe):
            with dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
                group.add(ttl.copy(block, pipe))

        net.if_src(send)
        group.wait_all()

    with pytest.raises(ttl.CompileError, match="wait for that copy inside the loop or branch"):
        run(fill, drain_two)


def test_outside_of_data_movement_threads():
    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.compute()
        def compute():
            ttl.GroupTransfer()

    with pytest.raises(ttl.CompileError, match="in the compute thread 'compute'"):
        op.ir(numbers(32))
    with pytest.raises(RuntimeError, match="only be called inside a kernel"):
        ttl.GroupTransfer()
