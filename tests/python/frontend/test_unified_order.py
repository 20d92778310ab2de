# SPDX-License-Identifier: Apache-2.0
"""Unified bodies that read and write one tensor: its copies must run in the order of the body."""
# feature: Unified bodies

import numpy as np
import pytest
import ttl

RUNS = [{}, {"schedule": "greedy"}, {"schedule": "random", "seed": 3, "dma": "random"}, {"dma": "eager"}]


def buffers(tensor, count=2, block_count=2):
    return [ttl.make_dataflow_buffer_like(tensor, shape=(1, 1), block_count=block_count) for _ in range(count)]


def threads(operation, *tensors):
    """Returns the names of the data movement threads that a unified body is split into."""
    return set(operation.compile(*tensors).processors) - {"compute"}


def check(operation, *expected, inputs):
    """Runs with each schedule of RUNS and --check=race. Compares the tensors with `expected`."""
    for options in RUNS:
        tensors = [np.array(each) for each in inputs]
        with ttl.options(check="race", **options):
            operation(*tensors)
        for found, wanted in zip(tensors, expected):
            if wanted is not None:
                assert np.array_equal(found, wanted), options


def tiles(rows, columns=1, seed=0):
    return np.random.default_rng(seed).integers(0, 50, (32 * rows, 32 * columns)).astype(np.float32)


@ttl.operation(grid=(1, 1))
def relay(a, y, z):
    d, e = buffers(a)
    ttl.copy(a[0, 0], d.reserve()).wait()
    ttl.copy(d.wait(), y[0, 0]).wait()
    ttl.copy(y[0, 0], e.reserve()).wait()
    ttl.copy(e.wait(), z[0, 0]).wait()


def test_a_slice_that_was_written_is_read():
    a = tiles(1)
    check(relay, a, a, a, inputs=(a, 0 * a, 0 * a))


@ttl.operation(grid=(1, 1))
def count_in_loop(y, n):
    d, e = buffers(y)
    for _ in range(n):
        ttl.copy(y[0, 0], d.reserve()).wait()
        e.reserve().store(d.wait() + 1)
        ttl.copy(e.wait(), y[0, 0]).wait()


@pytest.mark.parametrize("n", [1, 2, 5, 300])
def test_a_loop_changes_one_slice(n):
    y = tiles(1)
    check(lambda y: count_in_loop(y, n), y + n, inputs=(y,))


@ttl.operation(grid=(1, 1))
def count_in_while(y):
    d, e = buffers(y)
    step = 0
    while step < 4:
        if step == 3:
            break
        with d.reserve() as block:
            ttl.copy(y[0, 0], block).wait()
        e.reserve().store(d.wait() * 2)
        ttl.copy(e.wait(), y[0, 0]).wait()
        step += 1


def test_a_while_changes_one_slice():
    y = tiles(1)
    check(count_in_while, y * 8, inputs=(y,))


def changed(y, d, e, index):
    ttl.copy(y[index, 0], d.reserve()).wait()
    e.reserve().store(d.wait() + 1)
    ttl.copy(e.wait(), y[index, 0]).wait()


@ttl.operation(grid=(1, 1))
def sweeps(y):
    d, e = buffers(y)
    for _ in range(3):
        for row in range(4):
            if row != 2:
                changed(y, d, e, row)


def test_sweeps_over_all_slices():
    """The outer loop changes the same slices three times. A helper copies; a branch skips row 2."""
    y = tiles(4)
    wanted = y + 3
    wanted[64:96] -= 3
    check(sweeps, wanted, inputs=(y,))
    assert threads(sweeps, y) == {"reader"}


@ttl.operation(grid=(1, 1))
def prefix_sums(y):
    old, new, out = buffers(y, 3)
    for row in range(1, 6):
        ttl.copy(y[row - 1, 0], old.reserve()).wait()
        ttl.copy(y[row, 0], new.reserve()).wait()
        out.reserve().store(old.wait() + new.wait())
        ttl.copy(out.wait(), y[row, 0]).wait()


def test_a_step_reads_what_the_step_before_wrote():
    y = tiles(6)
    check(prefix_sums, np.cumsum(y.reshape(6, 32, 32), axis=0).reshape(y.shape), inputs=(y,))


@ttl.operation(grid=(1, 1))
def swap(x, y):
    d, e = buffers(x)
    for row in range(3):
        ttl.copy(x[row, 0], d.reserve()).wait()
        ttl.copy(y[row, 0], e.reserve()).wait()
        ttl.copy(d.wait(), y[row, 0]).wait()
        ttl.copy(e.wait(), x[row, 0]).wait()


def test_a_slice_is_read_before_it_is_written():
    """The kernel overwrites each slice with data that does not depend on it, so it must be read before."""
    x, y = tiles(3), tiles(3, seed=1)
    check(swap, y, x, inputs=(x, y))


@ttl.operation(grid=(1, 1))
def shift_down(y):
    d, e = buffers(y)
    for row in ttl.static_range(4):
        ttl.copy(y[row + 1, 0], d.reserve()).wait()
        e.reserve().store(d.wait() + 0)
        ttl.copy(e.wait(), y[row, 0]).wait()


def test_unrolled_steps():
    y = tiles(5)
    check(shift_down, np.concatenate([y[32:], y[-32:]]), inputs=(y,))


@ttl.operation(grid=(1, 1))
def in_place(y):
    d, e = buffers(y)
    for row in range(4):
        for column in range(2):
            ttl.copy(y[row, column], d.reserve()).wait()
            e.reserve().store(d.wait() + 1)
            ttl.copy(e.wait(), y[row, column]).wait()


@ttl.operation(grid=(1, 1))
def halves(y):
    d, e = buffers(y)
    ttl.copy(y[0, 0], d.reserve()).wait()
    e.reserve().store(d.wait() + 1)
    ttl.copy(e.wait(), y[0, 1]).wait()


@ttl.operation(grid=(1, 1))
def unrolled_in_place(y):
    d, e = buffers(y)
    for row in ttl.static_range(4):
        for column in ttl.static_range(2):
            ttl.copy(y[row, column], d.reserve()).wait()
            e.reserve().store(d.wait() + 1)
            ttl.copy(e.wait(), y[row, column]).wait()


@pytest.mark.parametrize("operation", [in_place, unrolled_in_place, halves])
def test_what_needs_no_order_stays_on_two_threads(operation):
    y = tiles(4, 2)
    wanted = y + 1
    if operation is halves:
        wanted = np.array(y)
        wanted[:32, 32:] = y[:32, :32] + 1
    check(operation, wanted, inputs=(y,))
    assert threads(operation, y) == {"reader", "writer"}


@ttl.operation(grid=(1, 1))
def repeated_index(y):
    d, e = buffers(y)
    for step in range(6):
        ttl.copy(y[step // 2, 0], d.reserve()).wait()
        e.reserve().store(d.wait() + 1)
        ttl.copy(e.wait(), y[step // 2, 0]).wait()


def test_an_index_that_returns():
    y = tiles(3)
    check(repeated_index, y + 2, inputs=(y,))
    assert threads(repeated_index, y) == {"reader"}


@ttl.operation(grid=(1, 1))
def overlapping(y):
    d, e = (ttl.make_dataflow_buffer_like(y, shape=(2, 1)) for _ in range(2))
    for row in range(4):
        ttl.copy(y[row:row + 2, 0], d.reserve()).wait()
        e.reserve().store(d.wait() + 1)
        ttl.copy(e.wait(), y[row:row + 2, 0]).wait()


def test_slices_of_two_steps_overlap():
    y = tiles(5)
    wanted = y + 2
    wanted[:32] -= 1
    wanted[-32:] -= 1
    check(overlapping, wanted, inputs=(y,))
    assert threads(overlapping, y) == {"reader"}


@ttl.operation(grid=(1, 1))
def diagonals(y):
    d, e = buffers(y)
    for i in range(3):
        for j in range(3):
            ttl.copy(y[i + j, 0], d.reserve()).wait()
            e.reserve().store(d.wait() + 1)
            ttl.copy(e.wait(), y[i + j, 0]).wait()


def test_sums_of_two_counters_meet():
    y = tiles(5)
    times = np.repeat([1, 2, 3, 2, 1], 32)[:, None]
    check(diagonals, y + times, inputs=(y,))
    assert threads(diagonals, y) == {"reader"}
