# SPDX-License-Identifier: Apache-2.0
"""Grids whose first axes are those of a mesh: kernels that see whole tensors, and MeshAccessError."""

import pathlib

import numpy as np
import pytest
import ttl
import ttnn
from meshes import joined, numbers, opened, put
from running import COMPILE_ERROR, SUCCESS, run

SCRIPT = pathlib.Path(__file__).parent / "scripts" / "mesh_grid.py"

ENGINES = ["--engine=jit", "--engine=interp", "--engine=emitted"]
MESH = (2, 2)


def quarters(mesh, array, layout=ttnn.TILE_LAYOUT, dims=(0, 1)):
    return put(array, mesh, ttnn.ShardTensor2dMesh(mesh, dims=dims), layout=layout)


def whole(tensor, dims=(0, 1)):
    composer = ttnn.ConcatMesh2dToTensor(tensor.device(), dims=dims)
    return ttnn.aggregate_tensor(tensor, composer).to_numpy()


# ===--------------------------------------------------------------------------=== #
# Kernels that stay in their parts
# ===--------------------------------------------------------------------------=== #


@ttl.operation(grid=(2, 2, 1, 2))
def doubled(x, y):
    """Each node doubles the tiles of one column of its device's part, in a loop over the rows."""
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    rows, columns = x.shape[0] // 32 // 2, x.shape[1] // 32 // 2

    @ttl.datamovement()
    def read():
        row, column, _, node = ttl.node(dims=4)
        for step in range(rows):
            with x_dfb.reserve() as block:
                ttl.copy(x[row * rows + step, column * columns + node], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(rows):
            with x_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(block * 2)

    @ttl.datamovement()
    def write():
        row, column, _, node = ttl.node(dims=4)
        for step in range(rows):
            with y_dfb.wait() as block:
                ttl.copy(block, y[row * rows + step, column * columns + node]).wait()


@pytest.mark.parametrize("options", ENGINES)
def test_every_device_works_on_its_part(options):
    with opened(*MESH) as mesh:
        x = numbers(256, 128)
        given, made = quarters(mesh, x), quarters(mesh, np.zeros_like(x))
        doubled(given, made, options=options)
        assert np.array_equal(whole(made), x * 2) and np.array_equal(whole(given), x)
        assert tuple(made.shape) == (128, 64)  # outside of the operation a tensor has the shape of a part
        assert ttl.grid_size(dims=4) == (2, 2, 1, 2)


def test_body_that_asks_for_its_node():
    @ttl.operation(grid=(2, 1, 1))
    def numbered(y):
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        row = ttl.node(dims=3)[0]

        @ttl.compute()
        def compute():
            y_dfb.reserve().store(ttl.fill(row + 1, shape=(1, 1)))

        @ttl.datamovement()
        def write():
            ttl.copy(y_dfb.wait(), y[row, 0]).wait()

    with opened(2) as mesh:
        y = put(np.zeros((64, 32), np.float32), mesh)
        numbered(y)
        assert np.array_equal(joined(y), np.repeat([[1.0], [2.0]], 32, 0) * np.ones((64, 32)))


@pytest.mark.parametrize("options", ENGINES)
def test_unified_body(options):
    @ttl.operation(grid=(2, 2, 1, 1))
    def negated(x, y, steps):
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        row, column, _, _ = ttl.node(dims=4)
        for step in range(steps):
            ttl.copy(x[row * steps + step, column], x_dfb.reserve())
            y_dfb.reserve().store(-x_dfb.wait())
            ttl.copy(y_dfb.wait(), y[row * steps + step, column])

    with opened(*MESH) as mesh:
        x = numbers(320, 64)
        given, made = quarters(mesh, x), quarters(mesh, np.zeros_like(x))
        for steps in (5, 5, 4):
            negated(given, made, steps if steps == 5 else 5, options=options)
        assert np.array_equal(whole(made), -x)


def test_pipe_over_devices():
    """A multicast with coordinates of all axes reaches the nodes of other devices."""
    @ttl.operation(grid=(2, 2, 1, 1))
    def shared(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        net = ttl.PipeNet([ttl.Pipe((0, 0, 0, 0), (slice(0, 2), slice(0, 2), 0, 0))])

        @ttl.datamovement()
        def read():
            with dfb.reserve() as block:
                def send(pipe):
                    ttl.copy(x[0, 0], block).wait()
                    ttl.copy(block, pipe).wait()
                net.if_src(send)
                net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())

        @ttl.datamovement()
        def write():
            row, column, _, _ = ttl.node(dims=4)
            with dfb.wait() as block:
                ttl.copy(block, y[row, column]).wait()

    with opened(*MESH) as mesh:
        x = numbers(64, 64)
        given, made = quarters(mesh, x), quarters(mesh, np.zeros_like(x))
        shared(given, made)
        assert np.array_equal(whole(made), np.tile(x[:32, :32], (2, 2)))


def test_tensors_that_all_devices_have():
    """Replicated tensors, tensors of one device and arrays are not cut, so every node may use all of them."""
    @ttl.operation(grid=(2, 1, 1))
    def added(x, bias, y):
        x_dfb, bias_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, bias, y))
        row = ttl.node(dims=3)[0]

        @ttl.datamovement()
        def read():
            ttl.copy(x[row, 0], x_dfb.reserve()).wait()
            ttl.copy(bias[0, 0], bias_dfb.reserve()).wait()

        @ttl.compute()
        def compute():
            y_dfb.reserve().store(x_dfb.wait() + bias_dfb.wait())

        @ttl.datamovement()
        def write():
            ttl.copy(y_dfb.wait(), y[row, 0]).wait()

    x, bias = numbers(64, 32), numbers(32, 32)
    with opened(2) as mesh:
        everywhere = ttnn.ReplicateTensorToMesh(mesh)
        for given in (put(bias, mesh, everywhere), bias, ttnn.from_numpy(bias)):
            for made in (np.zeros_like(x), ttnn.from_numpy(np.zeros_like(x)),
                         put(np.zeros_like(x), mesh, everywhere)):
                added(put(x, mesh), given, made)
                found = made.part(1).to_numpy() if getattr(made, "num_devices", 1) > 1 else np.asarray(made)
                assert np.array_equal(found, x + np.tile(bias, (2, 1)))


def test_rows_and_axes_that_cut_nothing():
    """Row-major tensors count rows; an axis may have all elements on each of its devices."""
    @ttl.operation(grid=(2, 2, 1, 1))
    def moved(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 16))
        row, column, _, _ = ttl.node(dims=4)

        @ttl.datamovement()
        def read():
            ttl.copy(x[row * 2 : row * 2 + 2, 0:16], dfb.reserve()).wait()

        @ttl.datamovement()
        def write():
            ttl.copy(dfb.wait(), y[row * 2 : row * 2 + 2, column * 16 : column * 16 + 16]).wait()

    with opened(*MESH) as mesh:
        x = numbers(4, 16)
        given = quarters(mesh, x, ttnn.ROW_MAJOR_LAYOUT, dims=(0, None))
        made = quarters(mesh, np.zeros((4, 32), np.float32), ttnn.ROW_MAJOR_LAYOUT)
        moved(given, made)
        assert np.array_equal(whole(made), np.tile(x, (1, 2)))


# ===--------------------------------------------------------------------------=== #
# Every kind of control flow. Each function copies four rows of tiles, which begin at `first`.
# ===--------------------------------------------------------------------------=== #


def fetch(x, dfb, row):
    with dfb.reserve() as block:
        ttl.copy(x[row, 0], block).wait()


def in_a_loop(x, dfb, first, count):
    for step in range(count):
        fetch(x, dfb, first + step)


def in_nested_loops(x, dfb, first, count):
    for outer in range(2):
        for inner in range(count // 2):
            fetch(x, dfb, first + outer * (count // 2) + inner)


def in_a_branch(x, dfb, first, count):
    for step in range(count):
        if step % 2 == 0:
            fetch(x, dfb, first + step)
        else:
            ttl.copy(x[first + step : first + step + 1, 0], dfb.reserve()).wait()


def in_while(x, dfb, first, count):
    step = 0
    while step < count:
        fetch(x, dfb, first + step)
        step += 1


def with_an_early_end(x, dfb, first, count):
    for step in range(count + 7):
        if step == count:
            break
        fetch(x, dfb, first + step)


def with_a_slice_that_a_loop_carries(x, dfb, first, count):
    part = x[first, 0]
    for step in range(count):
        with dfb.reserve() as block:
            ttl.copy(part, block).wait()
        part = x[first + (step + 1) % count, 0]


FORMS = [in_a_loop, in_nested_loops, in_a_branch, in_while, with_an_early_end, with_a_slice_that_a_loop_carries]


def make_copy(form):
    @ttl.operation(grid=(2, 1, 1))
    def copies(x, y, count, shift):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def read():
            device = ttl.node(dims=3)[0]
            form(x, dfb, device * count + (1 - device) * shift, count)

        @ttl.datamovement()
        def write():
            first = ttl.node(dims=3)[0] * count
            for step in range(count):
                with dfb.wait() as block:
                    ttl.copy(block, y[first + step, 0]).wait()

    return copies


@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_control_flow(form, options):
    copies = make_copy(form)
    with opened(2) as mesh:
        for count in (4, 4, 40):
            x = numbers(64 * count, 32)
            y = put(np.zeros_like(x), mesh)
            copies(put(x, mesh), y, count, 0, options=options)
            assert np.array_equal(joined(y), x)
        with pytest.raises(ttl.MeshAccessError, match="would read tile rows 40:41 of 'x' along dim 0, but its device, "
                                                      "number 0 on axis 0 of the mesh, owns 0:40 only") as caught:
            copies(put(x, mesh), y, count, 1, options=f"{options} --schedule=fair")
        assert caught.value.file == __file__


# ===--------------------------------------------------------------------------=== #
# Copies of the part of another device
# ===--------------------------------------------------------------------------=== #


@ttl.operation(grid=(2, 1, 1))
def reads(x, y, first):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def read():
        for step in range(3):
            if step == 2:
                with dfb.reserve() as block:
                    ttl.copy(x[first, 0], block).wait()  # the line of the fault

    @ttl.datamovement()
    def write():
        with dfb.wait() as block:
            ttl.copy(block, y[ttl.node(dims=3)[0], 0]).wait()


@pytest.mark.parametrize("options", ENGINES)
def test_read_of_another_device(options):
    with opened(2) as mesh:
        x, y = put(numbers(64, 32), mesh), put(np.zeros((64, 32), np.float32), mesh)
        with pytest.raises(ttl.MeshAccessError, match="Cross-device access") as caught:
            reads(x, y, 0, options=options)
    assert isinstance(caught.value, RuntimeError)
    assert caught.value.message == (
        "Cross-device access: this node would read tile rows 0:1 of 'x' along dim 0, but its device, number 1 on axis "
        "0 of the mesh, owns 1:2 only: use the part of the device, or send the elements over a pipe")
    assert caught.value.file == __file__
    assert "the line of the fault" in open(__file__).read().splitlines()[caught.value.line - 1]


@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize("row", [0, 1])
def test_write_to_another_device(options, row):
    @ttl.operation(grid=(2, 1, 1))
    def writes(y, row):
        dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        dfb.reserve().store(ttl.fill(1, shape=(1, 1)))
        ttl.copy(dfb.wait(), y[row, 0])

    with opened(2) as mesh:
        y = put(np.zeros((64, 32), np.float32), mesh)
        with pytest.raises(ttl.MeshAccessError, match="would write tile rows .* along dim 0"):
            writes(y, row, options=options)


def test_whole_tensor_is_too_much():
    @ttl.operation(grid=(2, 1, 1))
    def all_of_it(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 1))
        ttl.copy(x, dfb.reserve())
        dfb.wait().pop()

    with opened(2) as mesh, pytest.raises(ttl.MeshAccessError, match="tile rows 0:2 of 'x' along dim 0"):
        all_of_it(put(numbers(64, 32), mesh))


def test_tensors_that_are_cut_differently_are_compiled_anew():
    """The same kernel and shapes: what a device owns is part of the key of compiled kernels."""
    with opened(2) as mesh:
        y = put(np.zeros((64, 32), np.float32), mesh)
        reads(put(numbers(64, 32), mesh, ttnn.ReplicateTensorToMesh(mesh)), y, 0)
        assert np.array_equal(joined(y)[32:], numbers(64, 32)[:32])
        with pytest.raises(ttl.MeshAccessError):
            reads(put(numbers(64, 32), mesh), y, 0)


def test_what_was_written_before_a_fault_stays():
    @ttl.operation(grid=(2, 1, 1))
    def twice(y):
        dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        row = ttl.node(dims=3)[0]
        for step in range(2):
            dfb.reserve().store(ttl.fill(step + 1, shape=(1, 1)))
            ttl.copy(dfb.wait(), y[(row + step) % 2, 0])

    with opened(2) as mesh:
        y = put(np.zeros((64, 32), np.float32), mesh)
        with pytest.raises(ttl.MeshAccessError):
            twice(y, options="--schedule=fair")
        assert 1 in joined(y) and 2 not in joined(y)


# ===--------------------------------------------------------------------------=== #
# Calls that are refused
# ===--------------------------------------------------------------------------=== #


@ttl.operation(grid=(2, 1, 1))
def untouched(x):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    dfb.reserve().store(ttl.fill(1, shape=(1, 1)))
    dfb.wait().pop()


def test_mesh_mismatch():
    with opened(4) as mesh, pytest.raises(ttl.MeshAccessError, match=r"Mesh mismatch: argument 'x' .*\(4,\) devices"):
        untouched(put(numbers(128, 32), mesh))
    with opened(*MESH) as mesh, pytest.raises(ttl.MeshAccessError, match="Mesh mismatch"):
        untouched(quarters(mesh, numbers(64, 64)))


def test_unsupported_sharding():
    on_square = ttl.operation(grid=(2, 2, 1, 1))(untouched.function)
    with opened(*MESH) as mesh:
        with pytest.raises(ttl.MeshAccessError, match="Unsupported sharding: one dimension of argument 'x' is cut"):
            on_square(put(numbers(128, 32), mesh))
        with pytest.raises(ttl.MeshAccessError, match="Unsupported sharding: two axes of the mesh cut dimension 0"):
            on_square(quarters(mesh, numbers(128, 32), dims=(0, 0)))


def test_uneven_shard():
    with opened(2) as mesh, pytest.raises(ttl.MeshAccessError, match="Uneven mesh shard: .* have 16 elements"):
        untouched(put(numbers(32, 32), mesh))


def test_sharded_over_cores():
    with opened(2) as mesh:
        shards = ttnn.create_sharded_memory_config((32, 32), ttnn.CoreGrid(y=1, x=1), ttnn.ShardStrategy.HEIGHT,
                                                   use_height_and_width_as_shard_shape=True)
        x = ttnn.to_memory_config(put(numbers(64, 32), mesh), shards)
        x.with_topology(put(numbers(64, 32), mesh).tensor_topology())
        with pytest.raises(ValueError, match="argument 'x' is sharded over the cores of each device"):
            untouched(x)


def test_replicas_that_differ():
    with opened(2) as mesh:
        x = put(numbers(32, 32), mesh, ttnn.ReplicateTensorToMesh(mesh))
        x.part(1).write_bits(np.zeros((32, 32), np.float32))
        with pytest.raises(ttl.MeshAccessError, match="devices 0 and 1 hold different elements of argument 'x'"):
            untouched(x)


def test_element_in_the_body():
    @ttl.operation(grid=(2, 1, 1))
    def peeks(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
        bound = float(x[0, 0])

        @ttl.compute()
        def compute():
            dfb.reserve().store(ttl.fill(bound, shape=(1, 1)))

    with opened(2) as mesh, pytest.raises(ttl.MeshAccessError, match="outside any scheduled kernel"):
        peeks(put(numbers(64, 32), mesh))


def test_no_programs_for_cards(tmp_path):
    with opened(2) as mesh:
        x = put(numbers(64, 32), mesh)
        with pytest.raises(ttl.CompileError, match="for which there are no estimates of the time on a card"):
            untouched.time(x)
        with pytest.raises(ttl.CompileError, match="works only where the operation is called"):
            untouched.compile(x)
    process = run(SCRIPT, "--mesh=2x1", f"--emit={tmp_path / 'out'}")
    assert process.returncode == COMPILE_ERROR
    assert "mesh grid (2, 1, 1), for which there are no programs for cards" in process.stderr
    assert f"{SCRIPT}:8:" in process.stderr and not (tmp_path / "out").exists()


def test_statistics_and_strict():
    process = run(SCRIPT, "--mesh=2x1", "--stats", "--strict")
    assert process.returncode == SUCCESS and "True" in process.stdout, process.stderr
