# SPDX-License-Identifier: Apache-2.0
"""Kernels that send between devices in all ways that programs can. `device_transfers.py CASE FABRIC` prints
a hash of what the case wrote."""

import hashlib
import sys

import numpy as np
import ttl
import ttnn


def loops(mesh_shape):
    """Devices in a ring pass on blocks of several packets: in a loop, a nested loop and a branch."""
    ring = ttl.DeviceDomain(mesh_shape)
    net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, axis=0, wrap=True))

    @ttl.operation(grid=(1, 1), device_domain=ring)
    def run(x, y):
        out, inp = (ttl.make_dataflow_buffer_like(x, shape=(2, 2), block_count=2) for _ in range(2))

        @ttl.datamovement()
        def send():
            for row in range(2):
                for column in range(2):
                    with out.reserve() as block:
                        ttl.copy(x[2 * row:2 * row + 2, 2 * column:2 * column + 2], block).wait()
                    with out.wait() as block:
                        if row == column:
                            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.datamovement()
        def receive():
            turn = 0
            while turn < 2:
                with inp.reserve() as block:
                    net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
                with inp.wait() as block:
                    ttl.copy(block, y[2 * turn:2 * turn + 2, 2 * turn:2 * turn + 2]).wait()
                turn += 1

    return run


def mixed(mesh_shape):
    """A net with transfers inside a device and between devices, in both directions."""
    line = ttl.DeviceDomain(mesh_shape)
    first, last = (0, 0), (mesh_shape[0] - 1, 0)
    graph = ttl.TransferGraph.edges(line, [(first, first), (first, last), (last, first), ((1, 0), (0, 0))])
    net = ttl.PipeNet(graph=graph, pipes=[ttl.Pipe((0, 0), (1, 0))])

    @ttl.operation(grid=(2, 1), device_domain=line)
    def run(x, y):
        out, inp = (ttl.make_dataflow_buffer_like(x, shape=(1, 4)) for _ in range(2))

        def stored(block, row):
            ttl.copy(block, y[row, 0:4]).wait()

        @ttl.datamovement()
        def send():
            if net.is_src():
                with out.reserve() as block:
                    ttl.copy(x[0, 0:4], block).wait()
                with out.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.datamovement()
        def receive():
            def take(pipe):
                with inp.reserve() as block:
                    ttl.copy(pipe, block).wait()
                with inp.wait() as block:
                    stored(block, pipe.source_device_index % 4)

            net.if_dst(take)

    return run


def sums(mesh_shape):
    """Each device adds the tiles of both neighbours on a line to its own tile, in a compute thread."""
    line = ttl.DeviceDomain(mesh_shape)
    up = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(line, axis=0))
    down = ttl.PipeNet(graph=ttl.TransferGraph.stencil(line, offsets=[(-1, 0)]))
    length = mesh_shape[0]

    @ttl.operation(grid=(1, 1), device_domain=line)
    def run(x, y):
        own, above, below, out, result = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(5))

        @ttl.datamovement()
        def send():
            for buffer in (out, own):
                with buffer.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()
            with out.wait() as block:
                up.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                down.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.compute()
        def add():
            me = line.current_index()
            with own.wait() as a, result.reserve() as total:
                total.store(a)
                if me > 0:
                    with above.wait() as b:
                        total.store(a + b)
                if me < length - 1:
                    with below.wait() as b:
                        total.store(a * b)

        @ttl.datamovement()
        def receive():
            def take(buffer, pipe):
                with buffer.reserve() as block:
                    ttl.copy(pipe, block).wait()

            up.if_dst(lambda pipe: take(above, pipe))
            down.if_dst(lambda pipe: take(below, pipe))
            with result.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    return run


def barrier(mesh_shape):
    """Devices increment and set semaphores of other devices; each device writes what it counted."""
    chips = ttl.DeviceDomain(mesh_shape)
    count = int(np.prod(mesh_shape))

    @ttl.operation(grid=(1, 1), device_domain=chips)
    def run(x, y):
        arrived, released = ttl.Semaphore(), ttl.Semaphore(initial=3)
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def wait():
            me = chips.current_index()
            for turn in range(1, 4):
                arrived.get_remote(chips[0, 0].at_node(0, 0)).inc(1)
                if me == 0:
                    arrived.wait_ge(turn * count)
                    for device in ttl.static_range(count):
                        point = chips[device // mesh_shape[1], device % mesh_shape[1]]
                        released.get_remote(point.at_node(0, 0)).set(turn + 3)
                released.wait_ge(turn + 3)
            with dfb.reserve() as block:
                ttl.copy(x[0, me % 4], block).wait()

        @ttl.datamovement()
        def write():
            with dfb.wait() as block:
                ttl.copy(block, y[0, chips.current_index() % 4]).wait()

    return run


def alone(mesh_shape):
    """Each device works on its own: local pipes, a multicast and a semaphore."""
    @ttl.operation(grid=(2, 2))
    def run(x, y):
        net = ttl.PipeNet([ttl.Pipe((0, 0), (slice(0, 2), slice(0, 2)))])
        dfb, got = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2))
        ready = ttl.Semaphore()

        @ttl.datamovement()
        def send():
            column, row = ttl.node(dims=2)
            if column == 1 and row == 0:
                ready.get_remote((0, 0)).inc(1)
            if net.is_src():
                ready.wait_ge(1)
                with dfb.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()
                with dfb.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.datamovement()
        def receive():
            column, row = ttl.node(dims=2)
            with got.reserve() as block:
                net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
            with got.wait() as block:
                ttl.copy(block, y[row, column]).wait()

    return run


def shifted(graph_of, nodes):
    """Returns a case in which each node sends a tile along the edges of a graph."""
    def make(mesh_shape):
        domain = ttl.DeviceDomain(mesh_shape)
        net = ttl.PipeNet(graph=graph_of(domain))

        @ttl.operation(grid=(nodes, 1), device_domain=domain)
        def run(x, y):
            dfb, got = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2))

            @ttl.datamovement()
            def send():
                with dfb.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()
                with dfb.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

            @ttl.datamovement()
            def receive():
                def take(pipe):
                    with got.reserve() as block:
                        ttl.copy(pipe, block).wait()
                    with got.wait() as block:
                        ttl.copy(block, y[0, ttl.node(dims=1) % 4]).wait()

                net.if_dst(take)

        return run

    return make


def across(domain):
    return ttl.TransferGraph.edges(domain, [((0, 0), (1, 1))])


CASES = {"wide": (shifted(ttl.TransferGraph.axis_neighbor, 5), (3, 1)), "across": (shifted(across, 1), (2, 2)),
         "loops": (loops, (4, 1)), "mixed": (mixed, (3, 1)), "sums": (sums, (4, 1)), "barrier": (barrier, (2, 2)),
         "barrier_of_a_line": (barrier, (3, 1)), "alone": (alone, (1, 3))}


def main(name, fabric):
    make, shape = CASES[name]
    ttnn.set_fabric_config(getattr(ttnn.FabricConfig, fabric))
    mesh = ttnn.open_mesh_device(ttnn.MeshShape(*shape))
    count = int(np.prod(shape))
    full = np.random.default_rng(5).standard_normal((count * 128, 128)).astype(np.float32)
    x, y = (ttnn.from_torch(array, device=mesh, layout=ttnn.TILE_LAYOUT,
                            mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0)) for array in (full, 0 * full))
    run = make(shape)
    for _ in range(2):
        run(x, y)
    whole = ttnn.aggregate_tensor(y, ttnn.ConcatMeshToTensor(mesh, dim=0)).to_numpy()
    assert whole.any()
    print(name, hashlib.sha256(whole.tobytes()).hexdigest()[:16])
    ttnn.close_mesh_device(mesh)


main(*sys.argv[1:])
