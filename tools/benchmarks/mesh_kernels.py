# SPDX-License-Identifier: Apache-2.0
"""The kernels of `tools/bench mesh`. Each node of each device works on blocks of its own."""

import ttl

ROUNDS = 8
ELEMENTS = 16  # of a row-major block of float32: 64 bytes
BLOCK, TILE = 4 * ELEMENTS, 2048  # bytes


def local(domain, grid, rounds=ROUNDS):
    """Each node doubles a tile, `rounds` times. No node sends anything."""

    @ttl.operation(grid=grid, device_domain=domain)
    def doubled(x, y):
        x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1), block_count=2) for t in (x, y))

        @ttl.datamovement()
        def read():
            column, row = ttl.node(dims=2)
            for _ in range(rounds):
                with x_dfb.reserve() as block:
                    ttl.copy(x[row, column], block).wait()

        @ttl.compute()
        def compute():
            for _ in range(rounds):
                with x_dfb.wait() as a, y_dfb.reserve() as b:
                    b.store(a * 2)

        @ttl.datamovement()
        def write():
            column, row = ttl.node(dims=2)
            for _ in range(rounds):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[row, column]).wait()

    return doubled


def shift(domain, grid, rounds=ROUNDS):
    """Each node sends its block to the next device, `rounds` times."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(domain, wrap=True))
    columns = grid[0]

    @ttl.operation(grid=grid, device_domain=domain)
    def shifted(x, y):
        sent, received = (ttl.make_dataflow_buffer_like(x, shape=(1, ELEMENTS), block_count=2) for _ in range(2))

        @ttl.datamovement()
        def send():
            column, row = ttl.node(dims=2)
            for _ in range(rounds):
                with sent.reserve() as block:
                    ttl.copy(x[row * columns + column, 0:ELEMENTS], block).wait()
                with sent.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.datamovement()
        def receive():
            column, row = ttl.node(dims=2)
            for _ in range(rounds):
                with received.reserve() as block:
                    net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
                with received.wait() as block:
                    ttl.copy(block, y[row * columns + column, 0:ELEMENTS]).wait()

    return shifted


def all_gather(domain, grid):
    """Each node sends the block on that it received from the device before it, until all devices have all
    blocks."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(domain, wrap=True))
    size, columns, nodes = len(domain), grid[0], grid[0] * grid[1]

    @ttl.operation(grid=grid, device_domain=domain)
    def gathered(x, y):
        relay = ttl.make_dataflow_buffer_like(x, shape=(1, ELEMENTS), block_count=2)

        @ttl.datamovement()
        def receive():
            column, row = ttl.node(dims=2)
            with relay.reserve() as block:
                ttl.copy(x[row * columns + column, 0:ELEMENTS], block).wait()
            for _ in range(size - 1):
                with relay.reserve() as block:
                    net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

        @ttl.datamovement()
        def send():
            column, row = ttl.node(dims=2)
            own = domain.current_index()
            for distance in range(size):
                source = (own - distance + size) % size
                with relay.wait() as block:
                    if distance < size - 1:
                        net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    ttl.copy(block, y[source * nodes + row * columns + column, 0:ELEMENTS]).wait()

    return gathered


def gather_slices(domain, grid):
    """Gathers as all_gather does, but each node receives into slices of the tensor y, not into a buffer."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(domain, wrap=True))
    size, columns, nodes = len(domain), grid[0], grid[0] * grid[1]

    @ttl.operation(grid=grid, device_domain=domain)
    def gathered(x, y):
        relay = ttl.make_dataflow_buffer_like(x, shape=(1, ELEMENTS), block_count=2)

        @ttl.datamovement()
        def move():
            column, row = ttl.node(dims=2)
            own, lane = domain.current_index(), row * columns + column
            for distance in range(size):
                place = (own - distance + size) % size * nodes + lane
                if distance > 0:
                    net.if_dst(lambda pipe: ttl.copy(pipe, y[place, 0:ELEMENTS], shape=(1, ELEMENTS)).wait())
                with relay.reserve() as block:
                    if distance == 0:
                        ttl.copy(x[lane, 0:ELEMENTS], block).wait()
                    else:
                        ttl.copy(y[place, 0:ELEMENTS], block).wait()
                with relay.wait() as block:
                    if distance == 0:
                        ttl.copy(block, y[place, 0:ELEMENTS]).wait()
                    if distance < size - 1:
                        net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    return gathered


def all_reduce(domain, grid, rounds=ROUNDS):
    """Sums the tiles of each node over all devices, `rounds` times. Each device adds its tile and sends the
    sum on, from device 0 to the last one. The last device sends the total round the ring to the others."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(domain, wrap=True))
    last = len(domain) - 1

    @ttl.operation(grid=grid, device_domain=domain)
    def reduced(x, y):
        own, arrived, sums, relay = (ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2) for _ in range(4))

        @ttl.datamovement()
        def receive():
            column, row = ttl.node(dims=2)
            here = domain.current_index()
            for _ in range(rounds):
                with own.reserve() as block:
                    ttl.copy(x[row, column], block).wait()
                if here > 0:
                    with arrived.reserve() as block:
                        net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
                if here < last:
                    with relay.reserve() as block:
                        net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

        @ttl.compute()
        def add():
            here = domain.current_index()
            for _ in range(rounds):
                with own.wait() as a, sums.reserve() as total:
                    if here > 0:
                        with arrived.wait() as b:
                            total.store(b + a)
                    else:
                        total.store(a)

        @ttl.datamovement()
        def send():
            column, row = ttl.node(dims=2)
            here = domain.current_index()
            for _ in range(rounds):
                with sums.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    if here == last:
                        ttl.copy(block, y[row, column]).wait()
                if here < last:
                    with relay.wait() as block:
                        if here < last - 1:
                            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                        ttl.copy(block, y[row, column]).wait()

    return reduced
