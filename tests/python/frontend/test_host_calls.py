# SPDX-License-Identifier: Apache-2.0
"""Kernel functions that call functions of the host, and that read and write elements of blocks."""
# feature: Functions of the host

import ctypes
import subprocess
import textwrap

import numpy as np
import pytest
import ttl
from kernels import fault, run, zeros


# ===--------------------------------------------------------------------------=== #
# Python callables
# ===--------------------------------------------------------------------------=== #


def test_numbers_go_both_ways():
    seen = []

    def note(*values):
        seen.append(values)

    def half(x) -> float:
        return x / 2

    def is_even(n) -> bool:
        return n % 2 == 0

    f, g, h = map(ttl.host_function, (note, half, is_even))
    plain = ttl.host_function(lambda n: n + 1)
    typed = ttl.host_function(lambda n: n * 1.5, restype=float)

    def body(zero):
        f(zero + 3, float(zero) + 0.1, zero == 0, 7, 2.5, False)
        assert g(zero + 3) == 1.5
        for i in range(zero + 4):
            if h(i):
                f(i, plain(i))
        assert typed(zero + 3) == 4.5
        assert plain(plain(zero)) == 2

    run(body)
    assert seen == [(3, float(np.float32(0.1)), True, 7, 2.5, False), (0, 1), (2, 3)]


def test_each_node_calls():
    seen = set()
    f = ttl.host_function(lambda n: seen.add(n))

    @ttl.operation(grid=(3, 2))
    def op(a):
        @ttl.compute()
        def compute():
            f(ttl.node(dims=1))

    op(zeros())
    assert seen == set(range(6))


def scale_operation(f):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 2), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 2), block_count=2)

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as blk:
                ttl.copy(a[0:1, 0:2], blk).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as x, y_dfb.reserve() as r:
                f(x, r, 3.0)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0:1, 0:2]).wait()

    return op


def test_blocks_are_row_major_arrays():
    facts = []

    def scale(x, r, factor):
        facts.append((x.shape, x.dtype, x.flags.writeable, r.flags.writeable, float(r.sum())))
        r[:] = x * factor
        facts.append(x)

    a, y = np.random.default_rng(1).random((32, 64), np.float32), zeros(32, 64)
    scale_operation(ttl.host_function(scale))(a, y)
    assert np.array_equal(y, a * np.float32(3))
    assert facts[0] == ((32, 64), np.float32, False, True, 0.0)
    assert np.array_equal(facts[1], a)  # the program may keep the array after the call


def test_errors_of_python_are_faults_at_the_line():
    def failing(n):
        raise KeyError(f"no {n}")

    f = ttl.host_function(failing)

    def body(zero):
        f(zero + 5)

    error = fault(body)
    assert error.message == "host function failing(): KeyError: 'no 5'"
    assert error.line == body.__code__.co_firstlineno + 1
    run(lambda zero: None)


@pytest.mark.parametrize(
    "function, words",
    [
        (lambda n: None, "returned None, but the kernel uses its result"),
        (lambda n: 0.5, "TypeError: 'float' object cannot be interpreted as an integer"),
        (lambda n: 2**31, "does not fit in an int32"),
    ],
)
def test_wrong_results(function, words):
    f = ttl.host_function(function)

    def body(zero):
        assert f(zero) == 0

    assert words in fault(body).message


def test_python_sees_no_other_launch():
    @ttl.operation(grid=(1, 1))
    def inner(a):
        @ttl.datamovement()
        def reader():
            pass

    f = ttl.host_function(lambda: inner(zeros()))

    def body(zero):
        f()

    assert "an operation cannot be called from a host function" in fault(body).message


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: ttl.host_function(3), "must get a callable"),
        (lambda: ttl.host_function(abs, restype=str), "restype= must be int, float, bool or None"),
        (lambda: ttl.host_function("libm.so.6", 3), "a C function must be a string"),
        (lambda: ttl.host_function(abs, device_function=3), "device_function="),
    ],
)
def test_wrong_declarations(make, words):
    with pytest.raises(TypeError, match=words):
        make()


def test_wrong_arguments():
    f = ttl.host_function(abs)
    with pytest.raises(ttl.CompileError, match="must be numbers or blocks, found a str"):
        run(lambda zero: f("text"))
    with pytest.raises(ttl.CompileError, match="positional arguments"):
        run(lambda zero: f(x=zero))
    assert f(-3) == 3  # outside of kernels, f() calls abs()


# ===--------------------------------------------------------------------------=== #
# C functions
# ===--------------------------------------------------------------------------=== #


def test_functions_of_the_c_library():
    cosf = ttl.host_function("libm.so.6", "cosf", restype=float)
    labs = ttl.host_function(ctypes.CDLL(None), "abs", restype=ctypes.c_int)
    none = ttl.host_function(None, "abs")

    def body(zero):
        assert cosf(float(zero)) == 1.0
        assert labs(zero - 7) == 7
        none(zero)

    run(body)


def test_c_functions_get_arrays(tmp_path):
    source = tmp_path / "scale.c"
    source.write_text(
        textwrap.dedent("""\
        #include <stdint.h>
        int32_t scale(const float *x, int32_t rank, const int32_t *extents, float *r,
                      int32_t r_rank, const int32_t *r_extents, float factor) {
          int32_t count = 1;
          for (int32_t i = 0; i < rank; ++i)
            count *= extents[i];
          for (int32_t i = 0; i < count; ++i)
            r[i] = x[i] * factor + (i == 33);
          return count + r_rank + r_extents[1];
        }
        """)
    )
    library = tmp_path / "libscale.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    f = ttl.host_function(library, "scale", restype=int)
    a, y = np.random.default_rng(1).random((32, 64), np.float32), zeros(32, 64)
    scale_operation(f)(a, y)
    expected = a * np.float32(3)
    expected[0, 33] += 1
    assert np.array_equal(y, expected)


def test_missing_libraries_and_symbols():
    with pytest.raises(OSError):
        ttl.host_function("libnothing.so", "f")
    with pytest.raises(AttributeError):
        ttl.host_function("libm.so.6", "no_such_function")


# ===--------------------------------------------------------------------------=== #
# Elements of blocks
# ===--------------------------------------------------------------------------=== #


def access(body, a, shape=(1, 2), tiled=True, grid=(1, 1)):
    """Copies the start of `a` into a block, runs body(blk, zero), and returns the block's contents."""
    y = np.zeros_like(a)

    @ttl.operation(grid=grid, tiled=tiled)
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=shape, block_count=2)

        @ttl.datamovement()
        def reader():
            i, j = ttl.node()
            blk = dfb.reserve()
            ttl.copy(a[0 : shape[0], 0 : shape[1]], blk).wait()
            body(blk, i * j)
            blk.push()

        @ttl.datamovement()
        def writer():
            with dfb.wait() as blk:
                ttl.copy(blk, y[0 : shape[0], 0 : shape[1]]).wait()

    op(a, y)
    return y


def test_elements_of_tiles():
    a = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    places = [(0, 0), (17, 3), (31, 63), (40, 20), (63, 47)]

    def body(blk, zero):
        for r, c in places:
            assert ttl.raw_element_read(blk, zero + r, c) == 64 * r + c
            assert ttl.unsafe.element_read(blk, (r, zero + c)) < 64 * r + c + 0.5
        for i in range(zero + 3):
            ttl.raw_element_write(blk, i * 20, 63 - i, value=0.0)
            ttl.unsafe.element_write(blk, i * 20, 63 - i, -1.0 - i)

    y = access(body, a, shape=(2, 2))
    for i in range(3):
        a[i * 20, 63 - i] = -1 - i
    assert np.array_equal(y, a)


def test_elements_of_rows():
    a = np.arange(32, dtype=np.float32).reshape(4, 8)

    def body(blk, zero):
        for r in range(zero + 2):
            for c in range(4):
                ttl.raw_element_write(blk, r, c, value=ttl.raw_element_read(blk, r, c) * 2)

    y = access(body, a, shape=(2, 4), tiled=False)
    assert np.array_equal(y[:2, :4], 2 * a[:2, :4])


def test_indices():
    a = np.zeros((32, 64), np.float32)
    a[0, :5] = [3.99, -0.5, np.nan, 2.0**31, 2**31 - 128]

    def good(blk, zero):
        assert ttl.read_index(blk, zero, 0) == 3
        assert ttl.read_index(blk, zero, 4) == 2147483520

    access(good, a)
    for column, text in [(1, "-0.5"), (2, "nan"), (3, "2147483600.0")]:
        with pytest.raises(ttl.RuntimeFault, match="from 0 to 2147483647, found " + text):
            access(lambda blk, zero, c=column: ttl.read_index(blk, zero, c) + 0, a)


def test_coordinates_are_checked():
    a = zeros(32, 64)
    with pytest.raises(ttl.OutOfBoundsError, match="index 64 is out of range in dimension 1 of a "):
        access(lambda blk, zero: ttl.raw_element_write(blk, 0, zero + 63, value=0), a, grid=(2, 2))
    with pytest.raises(ttl.CompileError, match="outside a block of 'dfb', which has 32"):
        access(lambda blk, zero: ttl.raw_element_write(blk, 32, 0, value=0), a)
    with pytest.raises(ttl.CompileError, match="must get 2 coordinates for a block of .32, 64."):
        access(lambda blk, zero: ttl.raw_element_write(blk, 0, value=0), a)
    with pytest.raises(ttl.CompileError, match="lacks the argument value="):
        access(lambda blk, zero: ttl.raw_element_write(blk, 0, 0), a)
    with pytest.raises(ttl.CompileError, match="must be a block from wait"):
        access(lambda blk, zero: ttl.raw_element_read(zero, 0), a)


def test_elements_are_for_data_movement_threads():
    @ttl.operation(grid=(1, 1))
    def op(a):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with dfb.wait() as blk:
                ttl.raw_element_read(blk, 0, 0)

    with pytest.raises(ttl.CompileError, match="in the compute thread 'compute'"):
        op(zeros())
