# ===- _sums.py - kernels of collectives that add blocks ----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Each function makes an operation, like the functions of _moves.py. A partial sum travels from device to
# device, and each device adds its own block. Each addition is rounded to the type of the tensor. The order
# of the additions depends on positions in the group and on blocks, never on lanes or on timing.
# ===--------------------------------------------------------------------------=== #

import functools

import ttl
from ttl.ccl._blocks import place
from ttl.ccl._groups import position
from ttl.ccl._steps import give, read, take, write


def _add(own, arrived, sums, has_arrived):
    """Adds this device's own block to the partial sum that arrived; if none arrives, the own block is
    the sum. Compute threads call this function."""
    with own.wait() as a, sums.reserve() as total:
        if has_arrived:
            with arrived.wait() as b:
                total.store(b + a)
        else:
            total.store(a)


@functools.lru_cache(maxsize=128)
def ring_scatter(group, blocks, lanes, axis, step):
    """Part p of the sum goes round the ring from position p + 1 to p:
    ((x[p+1] + x[p+2]) + ...) + x[p]. Part p begins at p * step of an axis of `x`."""
    net = ttl.PipeNet(graph=group.ring)
    size, count = group.size, blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def reduce_scatter(x, out):
        own, arrived, sums = (ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)
                              for _ in range(3))

        @ttl.datamovement()
        def receive():
            here = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                for distance in range(1, size + 1):
                    part = (here - distance + size) % size
                    read(x[place(blocks, number, axis, part * step)], own)
                    if distance > 1:
                        take(net, arrived)

        @ttl.compute()
        def add():
            for _ in range(ttl.node(dims=1), count, lanes):
                for distance in range(1, size + 1):
                    _add(own, arrived, sums, distance > 1)

        @ttl.datamovement()
        def send():
            for number in range(ttl.node(dims=1), count, lanes):
                for _ in range(size - 1):
                    give(net, sums)
                write(sums, out[place(blocks, number, 0, 0)])

    return reduce_scatter


@functools.lru_cache(maxsize=128)
def line_scatter(group, blocks, lanes, axis, step):
    """Part p of the sum comes from both ends of the line:
    (((x[0] + x[1]) + ...) + x[p]) + ((x[last] + x[last-1]) + ... + x[p+1])."""
    onward, back = ttl.PipeNet(graph=group.onward), ttl.PipeNet(graph=group.back)
    last, count = group.size - 1, blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def reduce_scatter(x, out):
        own, arrived, sums, mine = (ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)
                                    for _ in range(4))

        @ttl.datamovement()
        def receive():
            here = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                for turn in range(last + 1):
                    if last - turn > here:
                        read(x[place(blocks, number, axis, (last - turn) * step)], own)
                        if here > 0:
                            take(onward, arrived)
                    if turn < here:
                        read(x[place(blocks, number, axis, turn * step)], own)
                        if here < last:
                            take(back, arrived)
                read(x[place(blocks, number, axis, here * step)], own)
                if here > 0:
                    take(onward, arrived)
                if here < last:
                    take(back, arrived)

        @ttl.compute()
        def add():
            here = position(group, group.domain.current_index())
            for _ in range(ttl.node(dims=1), count, lanes):
                for turn in range(last + 1):
                    if last - turn > here:
                        _add(own, arrived, sums, here > 0)
                    if turn < here:
                        _add(own, arrived, sums, here < last)
                _add(own, arrived, mine, here > 0)
                _add(mine, arrived, sums, here < last)

        @ttl.datamovement()
        def send():
            here = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                for turn in range(last + 1):
                    if last - turn > here:
                        give(onward, sums)
                    if turn < here:
                        give(back, sums)
                write(sums, out[place(blocks, number, 0, 0)])

    return reduce_scatter


@functools.lru_cache(maxsize=128)
def ring_reduce(group, blocks, lanes):
    """Block b of the sum goes round the ring from position b + 1 to b, modulo the size of the group, and
    on from there to all others: ((x[b+1] + x[b+2]) + ...) + x[b]. In a round, each device ends one sum."""
    net = ttl.PipeNet(graph=group.ring)
    size, count = group.size, blocks.count
    rounds = -(-count // size)

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def all_reduce(x, out):
        own, arrived, sums, relay = (ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)
                                     for _ in range(4))

        @ttl.datamovement()
        def receive():
            here = position(group, group.domain.current_index())
            for turn in range(ttl.node(dims=1), rounds, lanes):
                for distance in range(1, size + 1):
                    number = turn * size + (here - distance + size) % size
                    if number < count:
                        read(x[place(blocks, number, 0, 0)], own)
                        if distance > 1:
                            take(net, arrived)
                for distance in range(1, size):
                    number = turn * size + (here - distance + size) % size
                    if number < count:
                        take(net, relay)

        @ttl.compute()
        def add():
            here = position(group, group.domain.current_index())
            for turn in range(ttl.node(dims=1), rounds, lanes):
                for distance in range(1, size + 1):
                    if turn * size + (here - distance + size) % size < count:
                        _add(own, arrived, sums, distance > 1)

        @ttl.datamovement()
        def send():
            here = position(group, group.domain.current_index())
            for turn in range(ttl.node(dims=1), rounds, lanes):
                for distance in range(1, size + 1):
                    number = turn * size + (here - distance + size) % size
                    if number < count:
                        with sums.wait() as block:
                            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                            if distance == size:
                                ttl.copy(block, out[place(blocks, number, 0, 0)]).wait()
                for distance in range(1, size):
                    number = turn * size + (here - distance + size) % size
                    if number < count:
                        with relay.wait() as block:
                            if distance < size - 1:
                                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                            ttl.copy(block, out[place(blocks, number, 0, 0)]).wait()

    return all_reduce


@functools.lru_cache(maxsize=128)
def line_reduce(group, blocks, lanes):
    """The sum goes from the first device of the line to the last one, and back to all others:
    ((x[0] + x[1]) + ...) + x[last]."""
    onward, back = ttl.PipeNet(graph=group.onward), ttl.PipeNet(graph=group.back)
    last, count = group.size - 1, blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def all_reduce(x, out):
        own, arrived, sums, relay = (ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)
                                     for _ in range(4))

        @ttl.datamovement()
        def receive():
            here = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                read(x[place(blocks, number, 0, 0)], own)
                if here > 0:
                    take(onward, arrived)
                if here < last:
                    take(back, relay)

        @ttl.compute()
        def add():
            here = position(group, group.domain.current_index())
            for _ in range(ttl.node(dims=1), count, lanes):
                _add(own, arrived, sums, here > 0)

        @ttl.datamovement()
        def send():
            here = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                with sums.wait() as block:
                    if here < last:
                        onward.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    else:
                        back.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                        ttl.copy(block, out[place(blocks, number, 0, 0)]).wait()
                if here < last:
                    with relay.wait() as block:
                        back.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                        ttl.copy(block, out[place(blocks, number, 0, 0)]).wait()

    return all_reduce
