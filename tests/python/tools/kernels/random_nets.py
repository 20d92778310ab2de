"""Nets of random pipes: every node sends and receives several times. The data that each receiver
got from each source are compared with the list of pipes."""
# SPDX-License-Identifier: Apache-2.0

import itertools
import random
import sys
import warnings

import numpy as np
import ttl

# Ignored, because a card cannot run some of these orders of sends and receives.
warnings.simplefilter("ignore", ttl.CardWarning)


def random_ends(chance, extents, is_multicast):
    """Returns a random destination for ttl.Pipe, and the list of coordinates that it contains."""
    if not is_multicast:
        coordinate = tuple(chance.randrange(extent) for extent in extents)
        return coordinate, [coordinate]
    slices = []
    for extent in extents:
        start = chance.randrange(extent)
        slices.append(slice(start, chance.randint(start + 1, extent)))
    ranges = [range(extent)[part] for part, extent in zip(slices, extents)]
    return tuple(slices), list(itertools.product(*ranges))


def random_net(chance, extents):
    """Returns pipes, and (source, receivers) of each. "apart": nodes do not both send and receive, so a send
    may wait for its receive. "one each": one pipe ends at a node, so that data may be received in place."""
    nodes = list(itertools.product(*map(range, extents)))
    sources = chance.sample(nodes, chance.randint(1, len(nodes) // 2))
    kind = chance.choice(("any", "apart", "one each"))
    is_multicast = chance.random() < 0.5
    pipes, meanings, known, ended = [], [], set(), set()
    while not pipes or chance.random() < 0.7:
        source = chance.choice(nodes if kind == "any" else sources)
        destination, receivers = random_ends(chance, extents, is_multicast)
        pairs = {(source, receiver) for receiver in receivers}
        if kind != "any" and set(receivers) & set(sources) or pairs & known:
            continue
        if kind == "one each" and set(receivers) & ended:
            break
        known |= pairs
        ended |= set(receivers)
        pipes.append(ttl.Pipe(source, destination))
        meanings.append((source, receivers))
    return ttl.PipeNet(pipes), meanings


def exchange(net, grid, turns, blocks, a, y):
    """Runs a kernel that computes y[turn, receiver, source] = a[turn, source]."""

    @ttl.operation(grid=grid)
    def op(a, y):
        out_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=blocks[0])
        in_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=blocks[1])
        rows = grid[1]

        @ttl.datamovement()
        def io():
            node = ttl.node(dims=1)
            for turn in range(turns):
                with out_dfb.reserve() as block:
                    ttl.copy(a[turn, node], block).wait()

                def write(pipe):
                    x, z = pipe.src
                    with in_dfb.wait() as block:
                        ttl.copy(block, y[turn * grid[0] * rows + node, x * rows + z]).wait()

                net.if_dst(write)

        @ttl.datamovement()
        def exchanger():
            for turn in range(turns):
                with out_dfb.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

                def receive(pipe):
                    with in_dfb.reserve() as block:
                        ttl.copy(pipe, block).wait()

                net.if_dst(receive)

    op(a, y)


def check(seed):
    chance = random.Random(seed)
    grid = chance.choice(((2, 2), (3, 2), (2, 4), (4, 1)))
    net, meanings = random_net(chance, grid)
    turns, nodes = chance.randint(1, 3), grid[0] * grid[1]
    numbers = np.arange(1, turns * nodes + 1, dtype=np.float32).reshape(turns, nodes)
    expected = np.zeros((turns * nodes, nodes), np.float32)
    for turn, (source, receivers) in itertools.product(range(turns), meanings):
        sender = source[0] * grid[1] + source[1]
        for x, z in receivers:
            expected[turn * nodes + x * grid[1] + z, sender] = numbers[turn, sender]
    a = np.kron(numbers, np.ones((32, 32), np.float32))
    y = np.zeros((32 * turns * nodes, 32 * nodes), np.float32)
    exchange(net, grid, turns, (chance.randint(1, 2), chance.randint(1, 3)), a, y)
    assert np.array_equal(y, np.kron(expected, np.ones((32, 32), np.float32))), f"seed {seed}"


first, last = map(int, sys.argv[1:])
for seed in range(first, last):
    check(seed)
