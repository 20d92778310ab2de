# ===- _moves.py - kernels of collectives that move blocks --------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Each function makes an operation for a group of devices and the blocks of a tensor. Lane l of a device
# works on blocks l, l + lanes, l + 2 * lanes, ... All devices pass a block on before the next one, so
# that two blocks of a buffer are enough.
# ===--------------------------------------------------------------------------=== #

import functools

import ttl
from ttl.ccl._blocks import place
from ttl.ccl._groups import position
from ttl.ccl._steps import give, read, take, write


@functools.lru_cache(maxsize=128)
def ring_gather(group, blocks, lanes, axis, step):
    """Each device passes on to the next one what it has received, until all have all blocks. The part of
    the device at position p goes to p * step of an axis of `out`."""
    net = ttl.PipeNet(graph=group.ring)
    size, count = group.size, blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def all_gather(x, out):
        relay = ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)

        @ttl.datamovement()
        def receive():
            for number in range(ttl.node(dims=1), count, lanes):
                read(x[place(blocks, number, axis, 0)], relay)
                for _ in range(size - 1):
                    take(net, relay)

        @ttl.datamovement()
        def send():
            own = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                for distance in range(size):
                    source = (own - distance + size) % size
                    with relay.wait() as block:
                        if distance < size - 1:
                            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                        ttl.copy(block, out[place(blocks, number, axis, source * step)]).wait()

    return all_gather


@functools.lru_cache(maxsize=128)
def line_gather(group, blocks, lanes, axis, step):
    """Blocks travel to both ends of a line: each device passes the blocks of the device before it to the
    next one, and the blocks of the next one to the device before it."""
    onward, back = ttl.PipeNet(graph=group.onward), ttl.PipeNet(graph=group.back)
    last, count = group.size - 1, blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def all_gather(x, out):
        relay = ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)

        @ttl.datamovement()
        def receive():
            own = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                read(x[place(blocks, number, axis, 0)], relay)
                for distance in range(1, last + 1):
                    if distance <= own:
                        take(onward, relay)
                    if own + distance <= last:
                        take(back, relay)

        @ttl.datamovement()
        def send():
            own = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                with relay.wait() as block:
                    onward.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    back.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    ttl.copy(block, out[place(blocks, number, axis, own * step)]).wait()
                for distance in range(1, last + 1):
                    if distance <= own:
                        with relay.wait() as block:
                            onward.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                            source = own - distance
                            ttl.copy(block, out[place(blocks, number, axis, source * step)]).wait()
                    if own + distance <= last:
                        with relay.wait() as block:
                            back.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                            source = own + distance
                            ttl.copy(block, out[place(blocks, number, axis, source * step)]).wait()

    return all_gather


@functools.lru_cache(maxsize=128)
def spread(group, blocks, lanes, root):
    """The device at position `root` of each group sends its blocks to all others."""
    net = ttl.PipeNet(graph=group.from_one(root))
    count = blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def broadcast(x, out):
        relay = ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)

        @ttl.datamovement()
        def receive():
            own = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                with relay.reserve() as block:
                    if own == root:
                        ttl.copy(x[place(blocks, number, 0, 0)], block).wait()
                    else:
                        net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

        @ttl.datamovement()
        def send():
            for number in range(ttl.node(dims=1), count, lanes):
                with relay.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    ttl.copy(block, out[place(blocks, number, 0, 0)]).wait()

    return broadcast


@functools.lru_cache(maxsize=128)
def one_way(group, blocks, lanes, source, destination):
    """One device sends its blocks to another one."""
    net = ttl.PipeNet(graph=group.between(source, destination))
    count = blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def point_to_point(x, out):
        sent, received = (ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)
                          for _ in range(2))

        @ttl.datamovement()
        def load():
            if net.is_src():
                for number in range(ttl.node(dims=1), count, lanes):
                    read(x[place(blocks, number, 0, 0)], sent)
            if net.is_dst():
                for number in range(ttl.node(dims=1), count, lanes):
                    take(net, received)

        @ttl.datamovement()
        def store():
            if net.is_src():
                for number in range(ttl.node(dims=1), count, lanes):
                    give(net, sent)
            if net.is_dst():
                for number in range(ttl.node(dims=1), count, lanes):
                    write(received, out[place(blocks, number, 0, 0)])

    return point_to_point


@functools.lru_cache(maxsize=128)
def exchange(group, blocks, lanes, cut, step, join, width):
    """Each device sends a part of its tensor to each other one: the part for position p begins at
    p * step of axis `cut`, and the part from position p arrives at p * width of axis `join`."""
    net = ttl.PipeNet(graph=group.all_pairs)
    count = blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def all_to_all(x, out):
        sent, arrived, kept = (ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)
                               for _ in range(3))

        @ttl.datamovement()
        def send():
            own = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                read(x[place(blocks, number, cut, own * step)], kept)

                def send_part(pipe):
                    target = position(group, pipe.destination_device_index)
                    read(x[place(blocks, number, cut, target * step)], sent)
                    write(sent, pipe)

                net.if_src(send_part)

        @ttl.datamovement()
        def receive():
            own = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                write(kept, out[place(blocks, number, join, own * width)])

                def receive_part(pipe):
                    source = position(group, pipe.source_device_index)
                    read(pipe, arrived)
                    write(arrived, out[place(blocks, number, join, source * width)])

                net.if_dst(receive_part)

    return all_to_all


@functools.lru_cache(maxsize=128)
def own_part(group, blocks, lanes, axis, step):
    """Each device copies its part of a tensor: the part of the device at position p begins at p * step
    of an axis."""
    count = blocks.count

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def mesh_partition(x, out):
        copied = ttl.make_dataflow_buffer_like(x, shape=blocks.shape, block_count=2)

        @ttl.datamovement()
        def load():
            own = position(group, group.domain.current_index())
            for number in range(ttl.node(dims=1), count, lanes):
                read(x[place(blocks, number, axis, own * step)], copied)

        @ttl.datamovement()
        def store():
            for number in range(ttl.node(dims=1), count, lanes):
                write(copied, out[place(blocks, number, 0, 0)])

    return mesh_partition
