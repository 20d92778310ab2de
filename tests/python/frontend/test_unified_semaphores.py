# SPDX-License-Identifier: Apache-2.0
"""Semaphores in unified bodies: waits run in the thread of the next copy, signals in that of the last one."""
# feature: Unified bodies

import numpy as np
import pytest
import ttl

ENGINES = ["jit", "interp", "emitted"]
ROUNDS = 3


def made(body):
    """Returns an operation whose body calls body(step, 0). In step(i) the nodes write y[0, 0] in turns."""

    @ttl.operation(grid=(3, 1))
    def op(a, y):
        node = ttl.node(dims=1)
        turn = ttl.Semaphore()
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        def step(i):
            ttl.copy(a[node, i], dfb.reserve()).wait()
            if node > 0:
                turn.wait_ge(1)
                turn.set(0)
            ttl.copy(dfb.wait(), y[0, 0]).wait()  # each node writes the same page, in turns
            if node < 2:
                turn.get_remote((node + 1, 0)).inc(1)
            else:
                turn.get_remote((0, 0)).inc(1)
            if node == 0:
                turn.wait_eq(1)
                turn.set(0)

        body(step, node - node)

    return op


def in_order(step, zero):
    step(0)
    step(1)
    step(2)


def in_static_loop(step, zero):
    for i in ttl.static_range(ROUNDS):
        step(i)


def in_loop(step, zero):
    for i in range(ROUNDS + zero):
        step(i)


def in_nested_loops(step, zero):
    for i in range(ROUNDS + zero):
        for j in ttl.static_range(1):
            step(i + j)


def in_branch_of_loop(step, zero):
    for i in range(5 + zero):
        if i < ROUNDS:
            step(i)


def by_itself(step, zero):
    def again(i):
        step(i)
        if i < ROUNDS - 1:
            again(i + 1)

    again(0)


def through_functions(step, zero):
    def two():
        step(0)
        step(1)

    two()
    step(2)


BODIES = [in_order, in_static_loop, in_loop, in_nested_loops, in_branch_of_loop, by_itself, through_functions]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_a_chain_of_turns(body, engine):
    a = np.arange(96 * 96, dtype=np.float32).reshape(96, 96)
    y = np.zeros((32, 32), np.float32)
    with ttl.options(engine=engine, check="all" if engine == "jit" else "off"):
        made(body)(a, y)
    assert np.array_equal(y, a[64:, 64:])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_signal_before_the_next_read(engine):
    """Node 0 signals node 1 after a write. The next statement, a read, runs in the other thread."""

    @ttl.operation(grid=(2, 1))
    def op(a, y, z):
        node = ttl.node(dims=1)
        written = ttl.Semaphore()
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
        if node == 0:
            ttl.copy(a[0, 0], dfb.reserve()).wait()
            ttl.copy(dfb.wait(), y[0, 0]).wait()
            written.get_remote((1, 0)).inc(1)
            ttl.copy(a[1, 0], dfb.reserve()).wait()
            ttl.copy(dfb.wait(), z[1, 0]).wait()
        else:
            written.wait_ge(1)
            ttl.copy(y[0, 0], dfb.reserve()).wait()
            ttl.copy(dfb.wait(), z[0, 0]).wait()

    a = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
    y, z = np.zeros((32, 32), np.float32), np.zeros((64, 32), np.float32)
    with ttl.options(engine=engine, check="all" if engine == "jit" else "off"):
        op(a, y, z)
    assert np.array_equal(y, a[:32]) and np.array_equal(z, a)
