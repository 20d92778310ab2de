# SPDX-License-Identifier: Apache-2.0
"""A matrix product that gathers its left operand from all devices while it runs, in rounds of columns. Each
round gathers the left operand again, or uses what the first round gathered."""

import functools

import numpy as np
import pytest
import ttl
import ttnn
from meshes import opened, put

WORKERS = 2


def _product(held, weights, total):
    """Adds up the products of a row of tiles and a column of tiles. Compute threads call this function."""
    total.store(ttl.math.fill(0.0, shape=(1, 1)))
    for block in held:
        with weights.wait() as other:
            total += block @ other


@functools.cache
def product(count, rows, steps, rounds, readings):
    """Returns an operation. x is cut along K, w and y along N; `steps` is the number of tiles of x on a device. In
    each round, a worker computes a column of tiles. In the first `readings` rounds it gathers a row of x."""
    domain = ttl.DeviceDomain((count, 1))
    net = ttl.PipeNet(graph=ttl.TransferGraph.all_to_all(domain))
    kept = readings < rounds

    @ttl.operation(grid=(WORKERS, 1), device_domain=domain)
    def all_gather_matmul(x, w, y):
        own, weights, sums = (ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2) for _ in range(3))
        gathered = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=count * steps)

        @ttl.datamovement()
        def gather():
            worker, here = ttl.node(dims=1), domain.current_index()
            for row in range(rows):
                for turn in range(rounds):
                    for step in range(steps):
                        for source in range(count):
                            if turn < readings:
                                with gathered.reserve() as block:
                                    if source == here:
                                        ttl.copy(x[row, step], block).wait()

                                    def take(pipe):
                                        if pipe.source_device_index == source:
                                            ttl.copy(pipe, block).wait()

                                    net.if_dst(take)
                            elif not kept:
                                again = gathered.reserve()  # never reached: each round gathers
                                again.push()
                    with sums.wait() as block:
                        ttl.copy(block, y[row, turn * WORKERS + worker]).wait()

        @ttl.datamovement()
        def send():
            worker = ttl.node(dims=1)
            for row in range(rows):
                for turn in range(rounds):
                    if turn < readings and count > 1:
                        for step in range(steps):
                            with own.reserve() as block:
                                ttl.copy(x[row, step], block).wait()
                            with own.wait() as block:
                                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    for step in range(steps):
                        for source in range(count):
                            with weights.reserve() as block:
                                ttl.copy(w[source * steps + step, turn * WORKERS + worker], block).wait()

        @ttl.compute()
        def multiply():
            for _ in range(rows):
                for _ in range(readings):
                    held = [gathered.wait() for _ in range(count * steps)]
                    for _ in range(rounds if kept else 1):
                        with sums.reserve() as total:
                            _product(held, weights, total)
                    for block in held:
                        block.pop()

    return all_gather_matmul


def check(count, rows, steps, rounds, readings, options):
    rng, columns = np.random.default_rng([count, rows, steps, rounds]), WORKERS * rounds
    full = rng.integers(-4, 5, (rows * 32, count * steps * 32)).astype(np.float32)
    other = rng.integers(-4, 5, (count * steps * 32, count * columns * 32)).astype(np.float32)
    with opened(count, 1) as mesh:
        by_columns = ttnn.ShardTensorToMesh(mesh, dim=1)
        x, w = put(full, mesh, by_columns), put(other, mesh, by_columns)
        for chosen in options:
            for _ in range(2):
                y = put(np.full((rows * 32, count * columns * 32), 7, np.float32), mesh, by_columns)
                product(count, rows, steps, rounds, readings)(x, w, y, options=chosen)
                whole = ttnn.aggregate_tensor(y, ttnn.ConcatMeshToTensor(mesh, dim=1)).to_numpy()
                np.testing.assert_array_equal(whole, full @ other)


@pytest.mark.parametrize("count, rows, steps, rounds", [(1, 2, 2, 2), (2, 2, 1, 3), (3, 1, 2, 2), (4, 2, 2, 1)])
@pytest.mark.parametrize("is_kept", [False, True])
def test_rounds_of_columns(count, rows, steps, rounds, is_kept):
    check(count, rows, steps, rounds, 1 if is_kept else rounds, ["--engine=jit", "--engine=interp"])


@pytest.mark.parametrize("readings", [1, 2])
def test_orders_and_stages(readings):
    check(2, 2, 2, 2, readings, ["--schedule=random --seed=5", "--schedule=greedy --dma=eager",
                                 "--schedule=parallel(2)", "--check=init,race,memory", "--stage=ttl", "--stage=sync"])


def test_a_round_that_pushes_what_nobody_wrote():
    """A block's memory still has an earlier round's values, but a kernel must fill a block before its push."""

    @ttl.operation(grid=(1, 1))
    def repeat(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            for turn in range(4):
                if turn < 2:
                    with dfb.reserve() as block:
                        ttl.copy(x[turn, 0], block).wait()
                else:
                    again = dfb.reserve()
                    again.push()

        @ttl.datamovement()
        def writer():
            for turn in range(4):
                with dfb.wait() as block:
                    ttl.copy(block, y[turn, 0]).wait()

    for engine in ("--engine=jit", "--engine=interp"):
        with pytest.warns(UserWarning, match="nobody has written it since it was reserved; a node that gets"):
            with pytest.raises(ttl.UninitializedReadError, match="pushes a block of 'dfb' that nobody wrote"):
                repeat(np.ones((64, 32), np.float32), np.zeros((128, 32), np.float32), options=engine)
