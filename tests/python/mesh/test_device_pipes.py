# SPDX-License-Identifier: Apache-2.0
"""Kernels on the devices of a mesh: alone on each device, or with pipes and semaphores between devices."""

import warnings

import numpy as np
import pytest
import ttl
import ttnn
from meshes import joined, numbers, opened, put

ENGINES = ["--engine=jit", "--engine=emitted", "--engine=interp", "--stage=ttl", "--stage=sync",
           "--engine=jit --schedule=random --seed=5", "--schedule=parallel(2)", "--schedule=parallel(2) --check=off",
           "--check=race,protocol,memory"]

ENGINES_OF_SLICES = [options for options in ENGINES if options != "--engine=emitted"]


@ttl.operation(grid=(2, 1))
def doubled(x, y):
    x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y))

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, y_dfb.reserve() as b:
            b.store(a * 2)

    @ttl.datamovement()
    def read():
        column, _ = ttl.node(dims=2)
        with x_dfb.reserve() as a:
            ttl.copy(x[0, column], a).wait()

    @ttl.datamovement()
    def write():
        number = ttl.node(dims=1)
        with y_dfb.wait() as b:
            ttl.copy(b, y[0, number]).wait()


@pytest.mark.parametrize("options", ENGINES)
def test_every_device_runs_a_kernel(options):
    full = numbers(128, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        for _ in range(2):
            doubled(x, y, options=options)
        assert np.array_equal(joined(y), full * 2)
        kernel = doubled.compile(x, y)
        kernel(x, y)
        assert np.array_equal(joined(y), full * 2)


def shift_of(domain, graph, columns=1):
    """Returns an operation in which each node sends a tile along the edges of a graph."""
    net = ttl.PipeNet(graph=graph)

    @ttl.operation(grid=(columns, 1), device_domain=domain)
    def shift(x, y, sources):
        out, inp, own = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(3))

        @ttl.datamovement()
        def send():
            column, _ = ttl.node(dims=2)
            if net.is_src():
                with out.reserve() as block:
                    ttl.copy(x[0, column], block).wait()
                with out.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

        @ttl.datamovement()
        def receive():
            column, _ = ttl.node(dims=2)

            def take(pipe):
                with inp.reserve() as block:
                    ttl.copy(pipe, block).wait()
                with inp.wait() as block:
                    ttl.copy(block, y[0, column]).wait()
                print(f"{domain.current_index()} {pipe.source_device_index} {column}")

            net.if_dst(take)

    return shift


def run_shift(mesh, domain, graph, capsys, options="", columns=1):
    """Returns the elements on each device, and (device, source, column) for each receive."""
    count = mesh.get_num_devices()
    x, y = put(numbers(32 * count, 32 * columns), mesh), put(np.zeros((32 * count, 32 * columns)), mesh)
    shift_of(domain, graph, columns)(x, y, 0, options=options)
    lines = [tuple(map(int, line.split(": ")[1].split())) for line in capsys.readouterr().out.splitlines()]
    return joined(y), sorted(lines)


@pytest.mark.parametrize("options", ENGINES[:-1])
def test_a_ring(options, capsys):
    with opened(4, 1) as mesh:
        ring = ttl.DeviceDomain((4, 1))
        graph = ttl.TransferGraph.axis_neighbor(ring, wrap=True)
        found, received = run_shift(mesh, ring, graph, capsys, options, columns=2)
        assert np.array_equal(found, np.roll(numbers(128, 64), 32, 0))
        assert received == [(d, (d - 1) % 4, c) for d in range(4) for c in range(2)]


@pytest.mark.parametrize("make, expected", [
    (lambda d: ttl.TransferGraph.axis_neighbor(d, axis=1), [(1, 0), (3, 2)]),
    (lambda d: ttl.TransferGraph.axis_neighbor(d, axis=0), [(2, 0), (3, 1)]),
    (lambda d: ttl.TransferGraph.gather(d, (1, 1)), [(3, 0), (3, 1), (3, 2)]),
    (lambda d: ttl.TransferGraph.scatter(d, (0, 1)), [(0, 1), (2, 1), (3, 1)]),
    (lambda d: ttl.TransferGraph.all_to_all(d), [(a, b) for a in range(4) for b in range(4) if a != b]),
    (lambda d: ttl.TransferGraph.edges(d, [((1, 1), (0, 0)), ((0, 0), (1, 0))]), [(0, 3), (2, 0)]),
    (lambda d: ttl.TransferGraph.edges(d, [((1, 1), (1, 1)), ((0, 0), (1, 0))]), [(2, 0), (3, 3)]),
])
def test_graphs_on_a_mesh(make, expected, capsys):
    with opened(2, 2) as mesh:
        domain = ttl.DeviceDomain((2, 2))
        _, received = run_shift(mesh, domain, make(domain), capsys)
        assert received == [(a, b, 0) for a, b in expected]


def test_a_product_domain(capsys):
    with opened(2, 2) as mesh:
        domain = ttl.DeviceDomain.product(host=(2,), chip=(2,))
        graph = ttl.TransferGraph.axis_neighbor(domain, component="chip", wrap=True)
        _, received = run_shift(mesh, domain, graph, capsys)
        assert received == [(0, 1, 0), (1, 0, 0), (2, 3, 0), (3, 2, 0)]


def test_a_domain_of_one_device(capsys):
    domain = ttl.DeviceDomain((1, 1))
    graph = ttl.TransferGraph.all_to_all(domain)
    x, y = numbers(32, 32), numbers(32, 32)
    shift_of(domain, graph)(x, y, 0)
    assert capsys.readouterr().out == "" and np.array_equal(x, y)


@pytest.mark.parametrize("options", ENGINES[:3])
def test_pipes_between_nodes_of_devices(options):
    """Node (0, 0) of device 0 sends to node (1, 0) of device 1. The other net sends back, pairwise."""
    line = ttl.DeviceDomain((2, 1))
    there = ttl.PipeNet([ttl.Pipe(line[0, 0].at_node(0, 0), line[1, 0].at_node(1, 0))])
    back = ttl.PipeNet([ttl.Pipe.pairwise(src=line[1:].at_node(1, 0), dst=line[:1].at_node(0, 0))])

    @ttl.operation(grid=(2, 1), device_domain=line)
    def ping(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def move():
            column, _ = ttl.node(dims=2)
            if line.is_current((0, 0)):
                if column == 0:
                    with dfb.reserve() as block:
                        ttl.copy(x[0, 0], block).wait()
                    with dfb.wait() as block:
                        there.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                    with dfb.reserve() as block:
                        back.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
                    with dfb.wait() as block:
                        ttl.copy(block, y[0, 0]).wait()
            elif column == 1:
                with dfb.reserve() as block:
                    there.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
                with dfb.wait() as block:
                    ttl.copy(block, y[0, 1]).wait()
                    back.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    with opened(2, 1) as mesh:
        x, y = put(numbers(64, 64), mesh), put(np.zeros((64, 64)), mesh)
        ping(x, y, options=options)
        expected = np.zeros((64, 64))
        expected[:32, :32] = expected[32:, 32:] = numbers(64, 64)[:32, :32]
        assert np.array_equal(joined(y), expected)


@pytest.mark.parametrize("options", ENGINES[:6])
def test_nets_and_semaphores_of_one_device_run_on_each(options):
    """A multicast from node (0, 0) begins once node (1, 0) has set a semaphore."""

    @ttl.operation(grid=(2, 2))
    def spread(x, y):
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

    with opened(1, 3) as mesh:
        x, y = put(numbers(96, 32), mesh), put(np.zeros((192, 64)), mesh)
        spread(x, y, options=options)
        for part, source in zip(np.split(joined(y), 3), np.split(numbers(96, 32), 3)):
            assert np.array_equal(part, np.tile(source, (2, 2)))


@pytest.mark.parametrize("options", ENGINES[:6])
def test_a_barrier_over_all_devices(options):
    """Every node increments a semaphore of node (0, 0) of device 0, which then releases all nodes."""
    mesh_of = ttl.DeviceDomain((2, 2))

    @ttl.operation(grid=(2, 1), device_domain=mesh_of)
    def barrier(x, y):
        arrived, released = ttl.Semaphore(), ttl.Semaphore()
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def wait():
            column, _ = ttl.node(dims=2)
            for turn in range(1, 3):
                arrived.get_remote(mesh_of[0, 0].at_node(0, 0)).inc(1)
                if mesh_of.is_current((0, 0)):
                    if column == 0:
                        arrived.wait_ge(turn * 8)
                        released.get_remote_multicast().set(turn)
                        for device in ttl.static_range(1, 4):
                            for node in ttl.static_range(2):
                                point = mesh_of[device // 2, device % 2]
                                released.get_remote(point.at_node(node, 0)).set(turn)
                released.wait_ge(turn)
            with dfb.reserve() as block:
                ttl.copy(x[0, column], block).wait()

        @ttl.datamovement()
        def write():
            column, _ = ttl.node(dims=2)
            with dfb.wait() as block:
                ttl.copy(block, y[0, column]).wait()

    with opened(2, 2) as mesh:
        x, y = put(numbers(128, 64), mesh), put(np.zeros((128, 64)), mesh)
        barrier(x, y, options=options)
        assert np.array_equal(joined(y), numbers(128, 64))


def test_the_bits_are_equal_on_all_engines():
    rng = np.random.default_rng(7)
    full = rng.standard_normal((128, 64)).astype(np.float32)
    results = []
    with opened(2, 2) as mesh:
        for options in ENGINES:
            x, y = put(full, mesh), put(full * 0, mesh)
            doubled(x, y, options=options)
            results.append(joined(y).tobytes())
    assert len(set(results)) == 1


# ===--------------------------------------------------------------------------=== #
# Faults


@pytest.mark.parametrize("options", ["--engine=jit", "--engine=interp", "--stage=ttl"])
def test_a_deadlock_names_the_devices(options):
    line = ttl.DeviceDomain((2, 1))
    net = ttl.PipeNet(graph=ttl.TransferGraph.edges(line, [((0, 0), (1, 0))]))

    @ttl.operation(grid=(1, 1), device_domain=line)
    def stuck(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def receive():
            def take(pipe):
                for _ in range(2):
                    with dfb.reserve() as block:
                        ttl.copy(pipe, block).wait()
                    with dfb.wait() as block:
                        pass

            net.if_dst(take)

        @ttl.datamovement()
        def send():
            def give(pipe):
                with out.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()
                with out.wait() as block:
                    ttl.copy(block, pipe).wait()

            net.if_src(give)

        out = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    with opened(2, 1) as mesh:
        with pytest.raises(ttl.DeadlockError) as caught:
            stuck(put(numbers(64, 32), mesh), options=options)
    text = caught.value.render()
    assert "data of pipe 0 of 'net' from node (0, 0) of device 0" in text
    assert "device 1: (0,0) [1]" in text
    if options != "--stage=ttl":
        assert "device 0 node (0, 0)" in text
    assert caught.value.node == (0, 0) and caught.value.device == 1


def test_a_fault_names_the_device():
    line = ttl.DeviceDomain((2, 1))

    @ttl.operation(grid=(2, 1), device_domain=line)
    def fails(x):
        @ttl.datamovement()
        def check():
            column, _ = ttl.node(dims=2)
            assert line.current_index() + column < 2, "too far"

    with opened(2, 1) as mesh:
        with pytest.raises(ttl.RuntimeFault, match="too far") as caught:
            fails(put(numbers(64, 64), mesh))
    assert caught.value.device == 1 and caught.value.node == (1, 0)
    assert "in thread check of device 1 node (1, 0)" in caught.value.render()


# ===--------------------------------------------------------------------------=== #
# Refusals


def test_refusals_of_calls():
    line = ttl.DeviceDomain((2, 1))

    @ttl.operation(grid=(1, 1), device_domain=line)
    def idle(x):
        @ttl.datamovement()
        def nothing():
            pass

    @ttl.operation(grid=(2, 1, 1))
    def deep(x):
        @ttl.datamovement()
        def nothing():
            pass

    with pytest.raises(ValueError, match="argument 'x' is no tensor of a mesh"):
        idle(numbers(32, 32))
    with opened(1, 2) as mesh:
        with pytest.raises(ValueError, match=r"does not match the mesh \(1, 2\) of argument 'x'"):
            idle(put(numbers(64, 32), mesh))
        with pytest.raises(ttl.CompileError, match="a grid must have two dimensions"):
            deep.compile(put(numbers(64, 32), mesh))
        with pytest.raises(ValueError, match="argument 'y' is not on the mesh"):
            doubled(put(numbers(64, 64), mesh), numbers(32, 64))
        with pytest.raises(ValueError, match="has parts on 1 of 2 devices"):
            doubled(put(numbers(1, 64), mesh, layout=ttnn.ROW_MAJOR_LAYOUT), put(numbers(64, 64), mesh))


def test_refusals_in_kernels():
    line, other = ttl.DeviceDomain((2, 1)), ttl.DeviceDomain((1, 2))
    net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(other, axis=1))
    local = ttl.PipeNet([ttl.Pipe((0, 0), (0, 0))])

    @ttl.operation(grid=(1, 1), device_domain=line)
    def wrong_net(x):
        @ttl.datamovement()
        def move():
            net.if_dst(lambda pipe: None)

    @ttl.operation(grid=(1, 1))
    def no_domain(x):
        @ttl.datamovement()
        def move():
            print(line.current_index())

    @ttl.operation(grid=(1, 1), device_domain=line)
    def no_graph(x):
        @ttl.datamovement()
        def move():
            local.if_dst(lambda pipe: print(pipe.source_device_index))

    with opened(2, 1) as mesh:
        x = put(numbers(64, 32), mesh)
        for operation, message in [
            (wrong_net, "net 'net': the device domain used here is DeviceDomain"),
            (no_domain, "has no device domain"),
            (no_graph, "available only for graph-based PipeNets"),
        ]:
            with pytest.raises(ttl.CompileError, match=message) as caught:
                operation(x)
            assert caught.value.line > 0


def test_routes_are_checked():
    domain = ttl.DeviceDomain((2, 2))
    graph = ttl.TransferGraph.edges(domain, [((0, 0), (1, 1))])
    shift = shift_of(domain, graph)
    message = "FABRIC_1D routes must connect devices on one logical mesh axis"
    with opened(2, 2, fabric=ttnn.FabricConfig.FABRIC_1D) as mesh:
        x, y = put(numbers(128, 32), mesh), put(numbers(128, 32), mesh)
        with pytest.warns(ttl.CardWarning, match=message):
            shift(x, y, 0)
        with pytest.raises(ttl.CompileError, match=message):
            shift(x, y, 0, options="--strict")
    with opened(2, 2, fabric=ttnn.FabricConfig.DISABLED) as mesh:
        x, y = put(numbers(128, 32), mesh), put(numbers(128, 32), mesh)
        with pytest.warns(ttl.CardWarning, match="no fabric is configured"):
            shift_of(domain, graph)(x, y, 0)


# ===--------------------------------------------------------------------------=== #
# Receives into slices of tensors


def gather_of(domain, count, rows=1):
    """Returns an operation: in a ring, every device relays what it receives, so that a second send does not
    wait for the receive of the first."""
    graph = ttl.TransferGraph.axis_neighbor(domain, wrap=True)
    seed, relay = ttl.PipeNet(graph=graph), ttl.PipeNet(graph=graph)

    @ttl.operation(grid=(1, 1), device_domain=domain)
    def gather(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(rows, 1))

        @ttl.datamovement()
        def move():
            for part in range(2):
                with dfb.reserve() as block:
                    ttl.copy(x[part * rows : (part + 1) * rows, 0:1], block).wait()
                with dfb.wait() as block:
                    seed.if_src(lambda pipe: ttl.copy(block, pipe).wait())
            for distance in range(1, count):
                for part in range(2):
                    first = ((distance - 1) * 2 + part) * rows
                    place = y[first : first + rows, 0:1]

                    def take(pipe):
                        ttl.copy(pipe, place, shape=(rows, 1)).wait()

                    if distance == 1:
                        seed.if_dst(take)
                    else:
                        relay.if_dst(take)
                    if distance < count - 1:
                        with dfb.reserve() as block:
                            ttl.copy(place, block).wait()
                        with dfb.wait() as block:
                            relay.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    return gather


@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16, ttnn.bfloat8_b])
@pytest.mark.parametrize("options", ENGINES_OF_SLICES)
def test_a_ring_that_receives_into_its_tensor(options, dtype):
    full = numbers(256, 32) % 61
    with opened(4, 1) as mesh:
        ring = ttl.DeviceDomain((4, 1))
        x, y = put(full, mesh, dtype=dtype), put(np.zeros((768, 32)), mesh, dtype=dtype)
        gather = gather_of(ring, 4)
        for _ in range(2):
            gather(x, y, options=options)
        parts = np.split(full, 4)
        for device, found in enumerate(np.split(joined(y), 4)):
            expected = np.concatenate([parts[device - distance] for distance in (1, 2, 3)])
            assert np.array_equal(found, expected)


def test_one_thread_of_two_devices_sends_twice_before_it_receives():
    line = ttl.DeviceDomain((2, 1))
    net = ttl.PipeNet(graph=ttl.TransferGraph.all_to_all(line))

    @ttl.operation(grid=(1, 1), device_domain=line)
    def exchange(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def move():
            for part in range(4):
                with dfb.reserve() as block:
                    ttl.copy(x[part, 0], block).wait()
                with dfb.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
            for part in range(4):
                net.if_dst(lambda pipe: ttl.copy(pipe, y[part, 0], shape=(1, 1)).wait())

    full = numbers(256, 32)
    with opened(2, 1) as mesh, warnings.catch_warnings():
        warnings.simplefilter("error", ttl.CardWarning)  # on a card, no receive would hold up these sends
        for options in ENGINES_OF_SLICES:
            x, y = put(full, mesh), put(full * 0, mesh)
            exchange(x, y, options=options)
            assert np.array_equal(joined(y), np.roll(full, 128, 0))


def test_refusals_of_receives_into_slices():
    line = ttl.DeviceDomain((2, 1))
    net = ttl.PipeNet(graph=ttl.TransferGraph.all_to_all(line))

    def operation(take):
        @ttl.operation(grid=(1, 1), device_domain=line)
        def refused(x):
            dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

            @ttl.datamovement()
            def move():
                with dfb.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()
                with dfb.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                net.if_dst(lambda pipe: take(pipe, x))

        return refused

    with opened(2, 1) as mesh:
        dram = put(numbers(64, 32), mesh)
        l1 = ttnn.to_memory_config(dram, ttnn.L1_MEMORY_CONFIG)
        for take, tensor, message in [
            (lambda pipe, x: ttl.copy(pipe, x[0, 0]).wait(), dram, "needs the shape of the block that arrives"),
            (lambda pipe, x: ttl.copy(pipe, x[0, 0], shape=(2, 1)).wait(), dram, "shape= is .2, 1.*has shape .1, 1"),
            (lambda pipe, x: ttl.copy(pipe, x[0, 0], shape=(1, 1)).wait(), l1,
             "a pipe can end in an interleaved tensor"),
            (lambda pipe, x: ttl.copy(pipe, x[0, 0], shape=(1, 1)), dram, "nothing waits for this receive"),
            (lambda pipe, x: ttl.copy(pipe, 3, shape=(1, 1)).wait(), dram,
             "must receive into a block, or into a slice"),
        ]:
            with pytest.raises(ttl.CompileError, match=message):
                operation(take)(tensor)


def test_pipes_that_end_in_one_slice_are_refused():
    line = ttl.DeviceDomain((3, 1))
    net = ttl.PipeNet(graph=ttl.TransferGraph.gather(line, (0, 0)))

    def gather_to(place):
        @ttl.operation(grid=(1, 1), device_domain=line)
        def gather(x, y):
            dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

            @ttl.datamovement()
            def move():
                with dfb.reserve() as block:
                    ttl.copy(x[0, 0], block).wait()
                with dfb.wait() as block:
                    net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
                net.if_dst(lambda pipe: ttl.copy(pipe, y[place(pipe), 0], shape=(1, 1)).wait())

        return gather

    with opened(3, 1) as mesh:
        x, y = put(numbers(96, 32), mesh), put(np.zeros((288, 32)), mesh)
        with pytest.raises(ttl.CompileError, match="pipes 0 and 1 of 'net' both end in this slice of tensor 'y'"):
            gather_to(lambda pipe: 0)(x, y)
        gather_to(lambda pipe: pipe.source_device_index)(x, y)
        assert np.array_equal(joined(y)[32:96], numbers(96, 32)[32:])
