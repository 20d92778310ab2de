# SPDX-License-Identifier: Apache-2.0
"""Semaphores on grids of any rank: many nodes increment one, and one node sets those of all others."""

import itertools

import numpy as np
import pytest
import ttl

GRIDS = [(4,), (2, 3), (2, 2, 2), (2, 2, 2, 2), (1, 2, 1, 3)]
ENGINES = ["--engine=jit", "--engine=interp", "--stage=ttl", "--schedule=random --seed=3", "--schedule=parallel(2)"]


def count_of(grid):
    return int(np.prod(grid))


def run(grid, body, options, tiles=None):
    """Runs `body` as a part of a data movement function on every node, which then reads a tile of ones."""
    total = tiles or count_of(grid)
    x, y = np.ones((32 * total, 32), np.float32), np.zeros((32 * total, 32), np.float32)

    @ttl.operation(grid=grid)
    def operation(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        first, second = ttl.Semaphore(), ttl.Semaphore(initial=1)

        @ttl.datamovement()
        def synchronise():
            body(first, second)
            with dfb.reserve() as block:
                ttl.copy(x[ttl.node(dims=1), 0], block).wait()

        @ttl.datamovement()
        def write():
            with dfb.wait() as block:
                ttl.copy(block, y[ttl.node(dims=1), 0]).wait()

    operation(x, y, options=options)
    assert np.array_equal(x, y)


@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize("grid", GRIDS)
def test_many_nodes_to_one_and_back(grid, options):
    """A barrier that is used twice: the semaphores' values only grow."""
    total, root = count_of(grid), (0,) * len(grid)

    def body(arrived, released):
        for turn in range(1, 3):
            arrived.get_remote(root).inc(1)
            if ttl.node(dims=1) == 0:
                arrived.wait_ge(turn * total)
                released.get_remote_multicast().set(turn + 1)
            released.wait_eq(turn + 1)

    run(grid, body, options)


@pytest.mark.parametrize("options", ENGINES[:3])
@pytest.mark.parametrize("grid", GRIDS[1:])
def test_a_chain_over_all_nodes(grid, options):
    """Each node waits for the node before it, in the order of coordinates, and then sets the next one."""
    places = list(itertools.product(*map(range, grid)))

    def body(turn, unused):
        number = ttl.node(dims=1)
        if number > 0:
            turn.wait_ge(1)
        for index in ttl.static_range(len(places) - 1):
            if number == index:
                turn.get_remote(places[index + 1]).set(1)

    run(grid, body, options)


@pytest.mark.parametrize("options", ENGINES[:3])
def test_a_range_of_a_grid_of_rank_three(options):
    grid = (2, 2, 3)

    def body(ready, unused):
        if ttl.node(dims=1) == 0:
            ready.get_remote_multicast((slice(0, 2), slice(1, 2), slice(0, 3))).set(7)
        plane, row, column = ttl.node(dims=3)
        if row == 1:
            ready.wait_eq(7)

    run(grid, body, options)


@pytest.mark.parametrize("place, message", [
    ((0, 0), "the arguments of get_remote"), ((0, 2, 0), "outside the grid"), (8, "outside the grid"),
])
def test_refusals_of_coordinates_of_rank_three(place, message):
    def body(ready, unused):
        ready.get_remote(place).inc(1)

    with pytest.raises(ttl.CompileError, match=message):
        run((2, 2, 2), body, "")
