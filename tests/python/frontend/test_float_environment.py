# SPDX-License-Identifier: Apache-2.0
"""Kernels give the same bits, however the calling thread rounds and whether or not it flushes denormals."""

import ctypes
import subprocess

import float_environment as environment
import numpy as np
import pytest
import ttl
import ttnn

pytestmark = environment.needs_x86

BITS = {
    "flush": environment.FLUSH,
    "denormals are zero": environment.DENORMALS_ARE_ZERO,
    "both": environment.FLUSH | environment.DENORMALS_ARE_ZERO,
    "upward": environment.UPWARD,
    "downward": environment.DOWNWARD,
    "towards zero": environment.TOWARDS_ZERO | environment.FLUSH,
}
ENGINES = ("jit", "interp", "emitted")
DENORMAL = np.float32(1e-40)


def make_operation(engine, grid=(1, 1), static=1e-40):
    """Returns y = x * static + 1e-40. One literal is in the kernel, the others are variables around it."""
    third = 1 / 3

    @ttl.operation(grid=grid, options=f"--engine={engine}")
    def op(x, y):
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            with x_dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()

        @ttl.compute()
        def compute():
            with x_dfb.wait() as block, y_dfb.reserve() as out:
                literal = ttl.math.fill(block, 1e-40)
                out.store(block * static + literal + ttl.math.fill(block, third) * (block - block))

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    return op


# Ones, and numbers whose results change if the environment rounds otherwise or flushes denormals.
TILE = np.ones((32, 32), np.float32)
TILE[0, :4] = 3, 1e-38, -1e-40, np.float32(1) + np.float32(2**-23)


def run(op):
    x, y = TILE.copy(), np.zeros((32, 32), np.float32)
    op(x, y)
    return y.view(np.uint32)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bits", BITS)
def test_a_kernel_is_compiled_and_runs(bits, engine, tmp_path, monkeypatch):
    expected = run(make_operation(engine))
    assert expected[1, 0] == (DENORMAL + DENORMAL).view(np.uint32)
    with environment.changed(BITS[bits]):
        op = make_operation(engine)
        cold, warm = run(op), run(op)
    assert (cold == expected).all() and (warm == expected).all()
    op = make_operation(engine)
    run(op)
    with environment.changed(BITS[bits]):
        cached = run(op)  # compiled in the default environment
    assert (cached == expected).all()


def test_kernels_whose_literals_are_equal_only_if_flushed_differ():
    values = [np.float32(value) for value in (1e-40, 2e-40, 0.0)]
    x = np.ones((32, 32), np.float32)
    outputs = [np.zeros_like(x) for _ in values]
    with environment.changed(BITS["both"]):
        for value, output in zip(values, outputs):
            make_operation("jit", static=value)(x, output)
    assert len({output.tobytes() for output in outputs}) == 3


def test_numbers_of_nodes_keep_denormals():
    @ttl.operation(grid=(2, 1))
    def op(y):
        x, _ = ttl.node()
        number = (1e-40, 2e-40)[x]
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as out:
                out.store(ttl.block.fill(number, shape=(1, 1)))

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, ttl.node(dims=1)]).wait()

    y = np.zeros((32, 64), np.float32)
    with environment.changed(BITS["both"]):
        op(y)
    assert y.view(np.uint32)[0, ::32].tolist() == [
        int(np.float32(value).view(np.uint32)) for value in (1e-40, 2e-40)]


@pytest.mark.parametrize("schedule", ("fair", "greedy", "random", "parallel(2)"))
def test_host_threads_and_schedules(schedule):
    options = f"--schedule={schedule}"

    @ttl.operation(grid=(4, 2), options=options)
    def op(x, y):
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            with x_dfb.reserve() as block:
                ttl.copy(x[0, ttl.node(dims=1)], block).wait()

        @ttl.compute()
        def compute():
            with x_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(block * 1e-40)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, ttl.node(dims=1)]).wait()

    x = np.tile(TILE, (1, 8))
    expected, y = np.zeros_like(x), np.zeros_like(x)
    op(x, expected)
    with environment.changed(BITS["both"]):
        op(x, y)
    assert (y.view(np.uint32) == expected.view(np.uint32)).all() and (y != 0).any()


# ===--------------------------------------------------------------------------=== #
# Python and C functions that kernels call
# ===--------------------------------------------------------------------------=== #


def call_from_a_kernel(function, engine):
    @ttl.operation(grid=(1, 1), options=f"--engine={engine}")
    def op(a):
        @ttl.datamovement()
        def reader():
            function()

    op(np.zeros((32, 32), np.float32))


@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_python_functions_have_the_environment_of_the_program(engine):
    seen = []
    note = ttl.host_function(lambda: seen.append(environment.read()))
    with environment.changed(BITS["both"]):
        call_from_a_kernel(note, engine)
    assert seen == [environment.DEFAULT | BITS["both"]]


def test_what_a_function_changes_is_kept():
    change = ttl.host_function(lambda: environment.write(environment.DEFAULT | environment.UPWARD))
    before = environment.read()
    try:
        call_from_a_kernel(change, "jit")
        assert environment.read() == environment.DEFAULT | environment.UPWARD
    finally:
        environment.write(before)


def test_a_function_may_launch_nothing_but_may_use_tensors():
    """Functions of ttnn compute in the default environment, also when a kernel calls the function."""
    seen = []

    def use():
        seen.append(ttnn.to_numpy(ttnn.multiply(ttnn.ones((1, 1)), 1e-40))[0, 0])
        seen.append(environment.read())

    with environment.changed(BITS["both"]):
        call_from_a_kernel(ttl.host_function(use), "jit")
    assert seen[0].view(np.uint32) == DENORMAL.view(np.uint32)
    assert seen[1] == environment.DEFAULT | BITS["both"]


C_FUNCTION = "float third(float x) { volatile float three = 3; return x / three; }"


def test_functions_of_a_library_have_the_environment_of_the_program(tmp_path):
    source, library = tmp_path / "third.c", tmp_path / "third.so"
    source.write_text(C_FUNCTION)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    plain = ctypes.CDLL(str(library)).third
    plain.argtypes, plain.restype = [ctypes.c_float], ctypes.c_float
    third = ttl.host_function(str(library), "third", restype=float)
    seen = []
    note = ttl.host_function(lambda value: seen.append(value))

    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.datamovement()
        def reader():
            note(third(1.0))

    with environment.changed(environment.DOWNWARD):
        expected = plain(1.0)
        op(np.zeros((32, 32), np.float32))
    assert seen == [expected] and expected != plain(1.0)


def test_printing_has_the_environment_of_the_program(monkeypatch):
    seen = []

    class Output:
        def write(self, text):
            seen.append(environment.read())

        def flush(self):
            pass

    @ttl.operation(grid=(1, 1))
    def op(a):
        @ttl.datamovement()
        def reader():
            print("here")

    with environment.changed(BITS["both"]), monkeypatch.context() as context:
        context.setattr("sys.stdout", Output())
        op(np.zeros((32, 32), np.float32))
    assert set(seen) == {environment.DEFAULT | BITS["both"]}


# ===--------------------------------------------------------------------------=== #
# After exceptions, the environment of the caller is back
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("engine", ENGINES)
def test_after_a_fault(engine):
    @ttl.operation(grid=(1, 1), options=f"--engine={engine}")
    def op(x):
        @ttl.datamovement()
        def reader():
            assert ttl.node(dims=1) == 1

    with environment.changed(BITS["both"]), pytest.raises(ttl.RuntimeFault):
        op(np.zeros((32, 32), np.float32))


def test_after_errors():
    @ttl.operation(grid=(1, 1))
    def refused(x):
        @ttl.compute()
        def compute():
            unknown()  # noqa: F821

    def fail():
        raise KeyError("of the program")

    with environment.changed(BITS["both"]):
        with pytest.raises(ttl.CompileError):
            refused(np.zeros((32, 32), np.float32))
        with pytest.raises(ttl.RuntimeFault, match="KeyError"):
            call_from_a_kernel(ttl.host_function(fail), "jit")
        with pytest.raises(TypeError):
            ttnn.add(3, 4)


# ===--------------------------------------------------------------------------=== #
# Functions of ttnn, and kernels from saved files
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("bits", BITS)
def test_functions_of_ttnn(bits):
    def results():
        x = ttnn.from_numpy(TILE, layout=ttnn.TILE_LAYOUT)
        tensors = (x * 1e-40, ttnn.softmax(x), ttnn.matmul(x, x), ttnn.sum(x), x / 3,
                   ttnn.typecast(x, ttnn.bfloat8_b), ttnn.typecast(x / 3, ttnn.bfloat16),
                   ttnn.full((4, 4), 1e-40))
        return [ttnn.to_numpy(tensor).tobytes() for tensor in tensors]

    expected = results()
    with environment.changed(BITS[bits]):
        assert results() == expected


def test_a_saved_kernel(tmp_path):
    expected = run(make_operation("jit"))
    with environment.changed(BITS["both"]):
        op = make_operation("jit")
        x, y = TILE.copy(), np.zeros((32, 32), np.float32)
        op.compile(x, y).save(tmp_path / "kernel.ttl")
        y = np.zeros((32, 32), np.float32)
        ttl.load(tmp_path / "kernel.ttl")(TILE.copy(), y)
    assert (y.view(np.uint32) == expected).all()
