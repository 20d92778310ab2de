# SPDX-License-Identifier: Apache-2.0
"""Operations that only some devices of a mesh run: mesh_program_placements=."""

import numpy as np
import pytest
import ttl
from meshes import joined, numbers, opened, put

SQUARE = ttl.DeviceDomain((2, 2))
PLACES = [(0, 1), (1, 0)]  # devices 1 and 2
ENGINES = ["--engine=jit", "--engine=interp", "--engine=emitted", "--stage=ttl", "--stage=sync",
           "--engine=jit --schedule=random --seed=3", "--engine=interp --schedule=greedy --dma=eager",
           "--schedule=parallel(2)", "--check=race,protocol,memory"]


def expected(full, device_rows, change, placed=(1, 2), devices=4):
    """Returns the joined result if the placed devices write `change` of their rows and the others nothing."""
    rows = full.reshape(devices, device_rows, -1)
    return np.concatenate([change(rows[each]) if each in placed else 0 * rows[each] for each in range(devices)])


# The forms of the loop of a kernel function: each calls step(0) to step(5), one after the other.
STEPS = 6


def in_a_loop(step):
    for number in range(STEPS):
        step(number)


def in_nested_loops(step):
    for outer in range(2):
        for inner in range(3):
            step(3 * outer + inner)


def in_a_branch(step):
    for number in range(2 * STEPS):
        if number % 2 == 0:
            step(number // 2)


def in_a_while(step):
    number = 0
    while number < STEPS:
        step(number)
        number += 1


def with_an_early_end(step):
    for number in range(STEPS + 5):
        if number == STEPS:
            break
        step(number)


def with_a_return(step):
    for number in range(STEPS + 5):
        if number == STEPS:
            return
        step(number)


def unrolled(step):
    for number in ttl.static_range(STEPS):
        step(number)


FORMS = [in_a_loop, in_nested_loops, in_a_branch, in_a_while, with_an_early_end, with_a_return, unrolled]


def doubled_with(form, places=PLACES, domain=None):
    @ttl.operation(grid=(2, 1), device_domain=domain, mesh_program_placements=places)
    def doubled(x, y):
        x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y))

        @ttl.compute()
        def compute():
            def step(number):
                with x_dfb.wait() as a, y_dfb.reserve() as b:
                    b.store(a * 2)

            form(step)

        @ttl.datamovement()
        def read():
            column, _ = ttl.node(dims=2)

            def step(number):
                with x_dfb.reserve() as a:
                    ttl.copy(x[number, column], a).wait()

            form(step)

        @ttl.datamovement()
        def write():
            column = ttl.node(dims=1)

            def step(number):
                with y_dfb.wait() as b:
                    ttl.copy(b, y[number, column]).wait()

            form(step)

    return doubled


ROWS = 32 * STEPS


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("options", ENGINES)
def test_other_devices_do_nothing(options, form):
    full = numbers(4 * ROWS, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        doubled_with(form)(x, y, options=options)
        assert np.array_equal(joined(y), expected(full, ROWS, lambda part: part * 2))


@pytest.mark.parametrize("places, placed", [
    ([(0, 0)], [0]), ([(1, 1)], [3]), ([ttl.MeshProgramPlacement((0, 0), (1, 0))], [0, 2]),
    ([ttl.MeshProgramPlacement((0, 0), (0, 1)), (1, 1)], [0, 1, 3]),
    ([ttl.MeshProgramPlacement((0, 0), (1, 1))], [0, 1, 2, 3]),
])
@pytest.mark.parametrize("domain", [None, SQUARE])
def test_places(places, placed, domain):
    full = numbers(4 * ROWS, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        operation = doubled_with(in_a_loop, places, domain)
        kernel = operation.compile(x, y)
        for call in (operation, kernel):
            y = put(full * 0, mesh)
            call(x, y)
            assert np.array_equal(joined(y), expected(full, ROWS, lambda part: part * 2, placed))


def test_two_operations_share_the_devices():
    """Two operations that differ only in their placements are two kernels."""
    full = numbers(4 * ROWS, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        doubled_with(in_a_loop, [(0, 0)])(x, y)
        doubled_with(in_a_loop, [(1, 1)])(x, y)
        assert np.array_equal(joined(y), expected(full, ROWS, lambda part: part * 2, (0, 3)))


def relay_with(form):
    """Returns an operation in which device 1 sends its rows to device 2."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.edges(SQUARE, [((0, 1), (1, 0))]))

    @ttl.operation(grid=(2, 1), device_domain=SQUARE, mesh_program_placements=PLACES)
    def relay(x, y):
        sent, got = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2))

        @ttl.datamovement()
        def send():
            column, _ = ttl.node(dims=2)

            def step(number):
                if net.is_src():
                    with sent.reserve() as block:
                        ttl.copy(x[number, column], block).wait()
                    with sent.wait() as block:
                        net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

            form(step)

        @ttl.datamovement()
        def receive():
            column, _ = ttl.node(dims=2)

            def step(number):
                def take(pipe):
                    with got.reserve() as block:
                        ttl.copy(pipe, block).wait()
                    with got.wait() as block:
                        ttl.copy(block, y[number, column]).wait()

                net.if_dst(take)

            form(step)

    return relay


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("options", ENGINES)
def test_pipes_between_placed_devices(options, form):
    full = numbers(4 * ROWS, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        relay_with(form)(x, y, options=options)
        rows = full.reshape(4, ROWS, 64)
        zeros = 0 * rows[0]
        assert np.array_equal(joined(y), np.concatenate([zeros, zeros, rows[1], zeros]))


@pytest.mark.parametrize("options", ENGINES)
def test_pipes_within_placed_devices(options):
    """Node (0, 0) of each placed device multicasts to all nodes of its device."""
    net = ttl.PipeNet([ttl.Pipe((0, 0), (slice(0, 2), 0))])

    @ttl.operation(grid=(2, 1), mesh_program_placements=PLACES)
    def spread(x, y):
        sent, got = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2))

        @ttl.datamovement()
        def send():
            for row in range(STEPS):
                def give(pipe):
                    with sent.reserve() as block:
                        ttl.copy(x[row, 0], block).wait()
                    with sent.wait() as block:
                        ttl.copy(block, pipe).wait()

                net.if_src(give)

        @ttl.datamovement()
        def receive():
            column, _ = ttl.node(dims=2)
            for row in range(STEPS):
                def take(pipe):
                    with got.reserve() as block:
                        ttl.copy(pipe, block).wait()
                    with got.wait() as block:
                        ttl.copy(block, y[row, column]).wait()

                net.if_dst(take)

    full = numbers(4 * ROWS, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        spread(x, y, options=options)
        assert np.array_equal(joined(y), expected(full, ROWS, lambda part: np.hstack([part[:, :32]] * 2)))


@pytest.mark.parametrize("options", ENGINES)
def test_unified_bodies(options):
    @ttl.operation(grid=(2, 1), mesh_program_placements=PLACES)
    def add(x, y, offset):
        x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y))
        assert offset > 0
        column = ttl.node(dims=1)
        for row in range(STEPS):
            with x_dfb.reserve() as block:
                ttl.copy(x[row, column], block).wait()
            with x_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(block + offset)
            with y_dfb.wait() as block:
                ttl.copy(block, y[row, column]).wait()

    full = numbers(4 * ROWS, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        add(x, y, 3, options=options)
        assert np.array_equal(joined(y), expected(full, ROWS, lambda part: part + 3))


@pytest.mark.parametrize("options", ENGINES)
def test_nodes_with_code_of_their_own(options):
    """The body asks for its node, so that the nodes of a device form groups."""

    @ttl.operation(grid=(2, 1), mesh_program_placements=PLACES)
    def scaled(x, y):
        x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y))
        column, _ = ttl.node(dims=2)

        @ttl.datamovement()
        def read():
            with x_dfb.reserve() as block:
                ttl.copy(x[0, column], block).wait()

        @ttl.datamovement()
        def write():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, column]).wait()

        if column == 0:
            @ttl.compute()
            def scale():
                with x_dfb.wait() as a, y_dfb.reserve() as b:
                    b.store(a * 3)
        else:
            @ttl.compute()
            def shift():
                with x_dfb.wait() as a, y_dfb.reserve() as b:
                    b.store(a + 1)

    full = numbers(128, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        scaled(x, y, options=options)
        change = expected(full, 32, lambda part: np.hstack([part[:, :32] * 3, part[:, 32:] + 1]))
        assert np.array_equal(joined(y), change)


@pytest.mark.parametrize("options", ENGINES)
def test_semaphores(options):
    @ttl.operation(grid=(2, 1), mesh_program_placements=PLACES)
    def in_turn(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        turn = ttl.Semaphore(initial=0)

        @ttl.datamovement()
        def move():
            column, _ = ttl.node(dims=2)
            if column == 1:
                turn.wait_ge(1)
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait() if column == 0 else ttl.copy(y[0, 0], block).wait()
            with dfb.wait() as block:
                ttl.copy(block, y[0, column]).wait()
            if column == 0:
                turn.get_remote((1, 0)).inc(1)

    full = numbers(128, 64)
    with opened(2, 2) as mesh:
        x, y = put(full, mesh), put(full * 0, mesh)
        in_turn(x, y, options=options)
        assert np.array_equal(joined(y), expected(full, 32, lambda part: np.hstack([part[:, :32]] * 2)))


def test_faults_and_deadlocks_name_placed_devices(capsys):
    @ttl.operation(grid=(1, 1), mesh_program_placements=[(0, 1)])
    def stuck(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def wait():
            with dfb.wait() as block:
                ttl.copy(block, x[0, 0]).wait()

    with opened(2, 2) as mesh:
        with pytest.raises(RuntimeError) as error:
            stuck(put(numbers(128, 32), mesh))
        assert "device 1 " in str(error.value) and "device 0 " not in str(error.value)


def endpoint_outside(places):
    net = ttl.PipeNet(graph=ttl.TransferGraph.edges(SQUARE, [((0, 1), (1, 0)), ((0, 0), (1, 1))]))

    @ttl.operation(grid=(1, 1), device_domain=SQUARE, mesh_program_placements=places)
    def relay(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def send():
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()
            with dfb.wait() as block:
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    return relay


@pytest.mark.parametrize("places, message", [
    (PLACES, "must cover every PipeNet endpoint; missing \\[\\(0, 0\\), \\(1, 1\\)\\]"),
    ([(0, 0), (0, 1), (1, 0)], "must cover every PipeNet endpoint; missing \\[\\(1, 1\\)\\]"),
    ([(0, 0, 0)], "placement 0 has rank 3, expected rank 2"),
    ([(0, 0), (2, 0)], "placement 1 is .*, outside the mesh \\(2, 2\\)"),
])
def test_refusals(places, message):
    with opened(2, 2) as mesh:
        with pytest.raises((ValueError, ttl.CompileError), match=message):
            endpoint_outside(places)(put(numbers(128, 32), mesh))
