# SPDX-License-Identifier: Apache-2.0
"""Reductions and matrix products of integers, and quotients of uint32, in emitted C++: they have the same
bits as on the other engines.
feature: Integers; Kernels as TT-Metalium C++"""

import numpy as np
import pytest
import ttl
import ttnn

ENGINES = ("emitted", "emitted --emit-path=direct", "jit", "interp")
NUMPY = {ttnn.uint8: np.uint8, ttnn.uint16: np.uint16, ttnn.uint32: np.uint32, ttnn.int32: np.int32}
DTYPES = (ttnn.int32, ttnn.uint32, ttnn.uint16, ttnn.uint8)


def numbers(dtype, shape, seed=1):
    """Returns numbers of the whole range, among them zeros, small numbers, 2^31 and its neighbours."""
    limits = np.iinfo(NUMPY[dtype])
    random = np.random.default_rng(seed)
    found = random.integers(limits.min, limits.max, shape, dtype=NUMPY[dtype], endpoint=True)
    found[::3] %= 7
    found[1::7, ::2] = 0
    found[2::7, ::3] = [limits.max, limits.min, limits.max // 2, limits.max // 2 + 1][seed % 4]
    return found


def results(operation, inputs, shape, result):
    """Runs the operation on each engine; returns the results, whose bits are compared."""
    device = ttnn.open_device(device_id=0)
    found = []
    for engine in ENGINES:
        tensors = [ttnn.from_numpy(values, dtype=dtype, device=device) for values, dtype in inputs]
        z = ttnn.zeros(shape, dtype=result, device=device)
        operation(*tensors, z, options=f"--engine={engine}")
        found.append(ttnn.to_numpy(z))
    for engine, each in zip(ENGINES, found, strict=True):
        assert np.array_equal(each, found[-1]), f"{engine} differs from {ENGINES[-1]}"
    return found[0]


def golden(kind, values, dims, dtype):
    """Returns the reduction of a tensor over `dims`, at the first elements of the result's tiles."""
    wide = values.astype(np.int64)
    reduced = (wide.sum if kind == "sum" else wide.max)(axis=dims, keepdims=True)
    placed = np.zeros([32 if size == 1 else size for size in reduced.shape], NUMPY[dtype])
    placed[tuple(slice(size) for size in reduced.shape)] = reduced.astype(NUMPY[dtype])
    return placed


# ===--------------------------------------------------------------------------=== #
# Reductions
# ===--------------------------------------------------------------------------=== #


def reduction(function, rows, columns, result):
    """Returns an operation that stores function(block) for two blocks of rows x columns tiles."""

    @ttl.operation(grid=(1, 1))
    def k(x, z):
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(rows, columns))
        z_dfb = ttl.make_dataflow_buffer_like(z, shape=result)

        @ttl.datamovement()
        def reader():
            for i in range(2):
                ttl.copy(x[i * rows:(i + 1) * rows, 0:columns], x_dfb.reserve()).wait()

        @ttl.compute()
        def compute():
            for _ in range(2):
                with x_dfb.wait() as a, z_dfb.reserve() as out:
                    out.store(function(a))

        @ttl.datamovement()
        def writer():
            for i in range(2):
                ttl.copy(z_dfb.wait(), z[i * result[0]:(i + 1) * result[0], 0:result[1]]).wait()

    return k


KINDS = {"sum": ttl.math.reduce_sum, "max": ttl.math.reduce_max}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dims", ((0,), (1,), (0, 1)))
@pytest.mark.parametrize("kind", KINDS)
def test_reductions(kind, dims, dtype):
    rows, columns = 2, 3
    result = tuple(1 if d in dims else size for d, size in enumerate((rows, columns)))
    k = reduction(lambda a: KINDS[kind](a, dims=list(dims)), rows, columns, result)
    values = numbers(dtype, (2 * 32 * rows, 32 * columns))
    found = results(k, [(values, dtype)], (2 * 32 * result[0], 32 * result[1]), dtype)
    for block, each in zip(np.split(values, 2), np.split(found, 2), strict=True):
        assert np.array_equal(each, golden(kind, block, dims, dtype))


def test_the_smallest_numbers_have_a_maximum():
    values = np.full((64, 32), np.iinfo(np.int32).min, np.int32)
    values[40, 3] += 1
    k = reduction(lambda a: ttl.math.reduce_max(a, dims=[1]), 1, 1, (1, 1))
    found = results(k, [(values, ttnn.int32)], (64, 32), ttnn.int32)
    assert np.array_equal(found[:, 0], values.max(axis=1)) and not found[:, 1:].any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name, function", (
    ("of a sum", lambda a: ttl.math.reduce_sum(a + a * a, dims=[1])),
    ("then used", lambda a: ttl.math.reduce_max(a, dims=[1]) * 3 + 1),
    ("broadcast", lambda a: ttl.math.reduce_sum(
        ttl.math.max(a, ttl.math.broadcast(ttl.math.reduce_max(a, dims=[0]), dims=[0], shape=(2, 4))), dims=[1])),
    ("of a reduction", lambda a: ttl.math.reduce_sum(
        ttl.math.reduce_max(a, dims=[1]), dims=[0]) + ttl.math.reduce_sum(a, dims=[0, 1])),
    ("of a transpose", lambda a: ttl.math.reduce_sum(ttl.transpose(ttl.math.reduce_sum(a, dims=[0])), dims=[0])),
))
def test_in_expressions(name, function, dtype):
    rows = 1 if name in ("of a reduction", "of a transpose") else 2
    k = reduction(function, 2, 4, (rows, 1))
    found = results(k, [(numbers(dtype, (128, 128)), dtype)], (2 * 32 * rows, 32), dtype)
    assert len(np.unique(found)) > 1


def test_a_typecast_of_a_reduction():
    k = reduction(lambda a: ttl.math.typecast(ttl.math.reduce_sum(a, dims=[0]), ttnn.float32), 2, 1, (1, 1))
    values = numbers(ttnn.int32, (128, 32)) // 4096
    found = results(k, [(values, ttnn.int32)], (64, 32), ttnn.float32)
    assert np.array_equal(found[0], values[:64].sum(axis=0).astype(np.float32))


@ttl.operation(grid=(2, 1))
def unified(x, z):
    """A unified body with nested loops, a branch in a loop, a while loop and a helper function."""
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 2))
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(1, 1))
    node = ttl.node(dims=1)
    for i in range(2):
        total = ttl.block.fill(0, shape=(1, 1), dtype=ttnn.int32)
        turn = 0
        while turn < 2 + node:
            for j in range(2):
                ttl.copy(x[2 * i + j, 0:2], x_dfb.reserve()).wait()
                a = x_dfb.wait()
                if j == 0:
                    total = total + row(a)
                else:
                    total = ttl.math.max(total, ttl.math.reduce_max(a, dims=[1]))
            turn = turn + 1
        z_dfb.reserve().store(total)
        ttl.copy(z_dfb.wait(), z[2 * node + i, 0]).wait()


def row(block):
    return ttl.math.reduce_sum(block, dims=[-1])


def test_loops_branches_and_helpers():
    values = numbers(ttnn.int32, (128, 64)) % 1000
    found = results(unified, [(values, ttnn.int32)], (128, 32), ttnn.int32)
    sums, largest = (golden(kind, values, (1,), ttnn.int32).reshape(2, 2, 32, 32) for kind in ("sum", "max"))
    for node in range(2):
        for i in range(2):
            total = np.zeros((32, 32), np.int32)
            for _ in range(2 + node):
                total = np.maximum(total + sums[i, 0], largest[i, 1])
            assert np.array_equal(found.reshape(2, 2, 32, 32)[node, i], total)


def run_time_bounds(rounds):
    @ttl.operation(grid=(1, 1))
    def k(x, z):
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 2))
        z_dfb = ttl.make_dataflow_buffer_like(z, shape=(1, 1))
        node = ttl.node(dims=1)

        @ttl.datamovement()
        def reader():
            for i in range(rounds + node):
                ttl.copy(x[i, 0:2], x_dfb.reserve()).wait()

        @ttl.compute()
        def compute():
            with z_dfb.reserve() as out:
                for i in range(rounds + node):
                    with x_dfb.wait() as a:
                        if i == 0:
                            out.store(ttl.math.reduce_sum(a, dims=[0, 1]))
                        else:
                            out += ttl.math.reduce_sum(a, dims=[0, 1])

        @ttl.datamovement()
        def writer():
            ttl.copy(z_dfb.wait(), z[0, 0]).wait()

    return k


def test_sums_of_reductions_in_a_block():
    values = numbers(ttnn.int32, (96, 64))
    found = results(run_time_bounds(3), [(values, ttnn.int32)], (32, 32), ttnn.int32)
    assert np.array_equal(found, golden("sum", values, (0, 1), ttnn.int32))


def cpp(operation, *shapes):
    device = ttnn.open_device(device_id=0)
    return operation.compile(*(ttnn.zeros(each, dtype=ttnn.int32, device=device) for each in shapes)).cpp("compute")


def test_the_cpp():
    """One call of the vector unit reduces all tiles. A mask clears the elements that it leaves undefined."""
    k = reduction(lambda a: ttl.math.reduce_sum(a, dims=[0]), 4, 1, (1, 1))
    text = cpp(k, (256, 32), (64, 32))
    assert text.count("sfpu_reduce<PoolType::SUM, DataFormat::Int32, ReduceDim::REDUCE_COL>(") == 1
    assert "reduce_init" not in text.replace("sfpu_reduce_init", "") and "reduce_uninit" not in text
    assert "cumsum_tile(" in text and "transpose_wh_dest" not in text


def test_scalers_of_integers_are_refused():
    @ttl.operation(grid=(1, 1))
    def k(x, s, z):
        x_dfb, s_dfb, z_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, s, z))
        ttl.copy(x[0, 0], x_dfb.reserve()).wait()
        ttl.copy(s[0, 0], s_dfb.reserve()).wait()
        z_dfb.reserve().store(ttl.math.reduce_sum(x_dfb.wait(), s_dfb.wait(), dims=[1]))
        ttl.copy(z_dfb.wait(), z[0, 0]).wait()

    inputs = [(numbers(ttnn.int32, (32, 32)), ttnn.int32)] * 2
    with pytest.raises(ttl.CompileError, match="with a scaler runs on the host only: multiply the result") as caught:
        results(k, inputs, (32, 32), ttnn.int32)
    assert caught.value.file.endswith("test_integer_sequences.py")


# ===--------------------------------------------------------------------------=== #
# Quotients of uint32
# ===--------------------------------------------------------------------------=== #


def binary(function, columns=1):
    @ttl.operation(grid=(1, 1))
    def k(x, y, z):
        a_dfb, b_dfb, z_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, columns)) for t in (x, y, z))

        @ttl.datamovement()
        def reader():
            for i in range(4):
                ttl.copy(x[i, 0:columns], a_dfb.reserve()).wait()
                ttl.copy(y[i, 0:columns], b_dfb.reserve()).wait()

        @ttl.compute()
        def compute():
            for _ in range(4):
                with a_dfb.wait() as a, b_dfb.wait() as b, z_dfb.reserve() as out:
                    out.store(function(a, b))

        @ttl.datamovement()
        def writer():
            for i in range(4):
                ttl.copy(z_dfb.wait(), z[i, 0:columns]).wait()

    return k


def quotient(a, b):
    return np.where(b == 0, np.uint32(0xFFFFFFFF), a // np.maximum(b, 1))


def rest(a, b):
    return np.where(b == 0, a, a % np.maximum(b, 1))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("function, expected", (
    (lambda a, b: a / b, quotient), (lambda a, b: a // b, quotient), (lambda a, b: a % b, rest),
    (lambda a, b: a % 7, lambda a, b: a % 7), (lambda a, b: (a + b) // 70000, lambda a, b: (a + b) // 70000),
    (lambda a, b: a // b + a % b, lambda a, b: quotient(a, b) + rest(a, b)),
    (lambda a, b: a // a - b, lambda a, b: quotient(a, a) - b),
    (lambda a, b: (a // b) % (b // a), lambda a, b: rest(quotient(a, b), quotient(b, a))),
))
def test_quotients_of_uint32(function, expected, seed):
    a, b = numbers(ttnn.uint32, (128, 32), seed), numbers(ttnn.uint32, (128, 32), seed + 10)
    b[:, ::5] = a[:, ::5]
    a[:, 1::5], b[:, 1::5] = b[:, 1::5] * 3 - 1, b[:, 1::5]
    with np.errstate(over="ignore"):
        found = results(binary(function), [(a, ttnn.uint32), (b, ttnn.uint32)], (128, 32), ttnn.uint32)
        assert np.array_equal(found, expected(a, b))


def test_quotients_ask_for_all_of_dst_if_they_need_it():
    a, b = (numbers(ttnn.uint32, (128, 128), seed) for seed in (1, 2))
    k = binary(lambda a, b: a // b, columns=4)
    found = results(k, [(a, ttnn.uint32), (b, ttnn.uint32)], (128, 128), ttnn.uint32)
    assert np.array_equal(found, quotient(a, b))


# ===--------------------------------------------------------------------------=== #
# Matrix products
# ===--------------------------------------------------------------------------=== #


@ttl.operation(grid=(1, 1))
def product(x, y, z):
    a_dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 2))
    b_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 1))
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(2, 1))

    @ttl.datamovement()
    def reader():
        for i in range(2):
            ttl.copy(x[0:2, 2 * i:2 * i + 2], a_dfb.reserve()).wait()
            ttl.copy(y[2 * i:2 * i + 2, 0:1], b_dfb.reserve()).wait()

    @ttl.compute()
    def compute():
        total = ttl.block.fill(0, shape=(2, 1), dtype=ttnn.int32)
        for _ in range(2):
            total = total + a_dfb.wait() @ b_dfb.wait()
        z_dfb.reserve().store(total)

    @ttl.datamovement()
    def writer():
        ttl.copy(z_dfb.wait(), z[0:2, 0:1]).wait()


def matrices(dtypes):
    return [(numbers(dtype, shape, seed), dtype)
            for seed, (dtype, shape) in enumerate(zip(dtypes, ((64, 128), (128, 32)), strict=True))]


def multiplied(inputs):
    (a, _), (b, _) = inputs
    return (a.astype(np.int64).astype(np.uint64) @ b.astype(np.int64).astype(np.uint64)).astype(np.uint32)


@pytest.mark.parametrize("dtypes", (
    *((dtype, dtype) for dtype in DTYPES), (ttnn.int32, ttnn.uint8), (ttnn.uint16, ttnn.uint32),
))
def test_matrix_products(dtypes):
    inputs = matrices(dtypes)
    with np.errstate(over="ignore"):
        expected = multiplied(inputs).view(np.int32)
    assert np.array_equal(results(product, inputs, (64, 32), ttnn.int32), expected)


@pytest.mark.parametrize("function, expected", (
    (lambda a, b: a @ b, lambda a, b: a @ b),
    (lambda a, b: a @ b + a, lambda a, b: a @ b + a),
    (lambda a, b: ttl.transpose(a @ b) @ a - b, lambda a, b: (a @ b).T @ a - b),
))
def test_products_in_expressions(function, expected):
    a, b = (numbers(ttnn.uint32, (128, 32), seed) for seed in (1, 2))
    found = results(binary(function), [(a, ttnn.uint32), (b, ttnn.uint32)], (128, 32), ttnn.uint32)
    for i in range(0, 128, 32):
        with np.errstate(over="ignore"):
            assert np.array_equal(found[i:i + 32], expected(a[i:i + 32], b[i:i + 32]))


def test_the_cpp_of_a_product():
    text = cpp(product, (64, 128), (128, 32), (64, 32))
    assert "matmul" not in text and "mm_init" not in text and "transpose_wh_dest<true>(" in text
