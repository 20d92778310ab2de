# SPDX-License-Identifier: Apache-2.0
"""Compares tensors and blocks of every element type with numpy."""
# feature: Integers; Element types

import os
import subprocess
import sys

import numpy as np
import pytest
import ttl
import ttnn

DEVICE = ttnn.open_device()
INTEGERS = {
    ttnn.int32: np.int32,
    ttnn.uint32: np.uint32,
    ttnn.uint16: np.uint16,
    ttnn.uint8: np.uint8,
}
FLOATS = [ttnn.float32, ttnn.bfloat16, ttnn.float16, ttnn.bfloat8_b, ttnn.bfloat4_b]


def compute(function, inputs, out_dtype, shape=(32, 32)):
    """Returns function(blocks of the inputs), stored into a tensor of `out_dtype`."""
    tensors = [t if isinstance(t, ttnn.Tensor) else ttnn.from_numpy(t) for t in inputs]
    y = ttnn.zeros(shape, out_dtype, device=DEVICE)
    block = (shape[0] // 32, shape[1] // 32)

    @ttl.operation(grid=(1, 1))
    def op(y, *tensors):
        dfbs = [ttl.make_dataflow_buffer_like(t, shape=block) for t in tensors]
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=block)

        @ttl.datamovement()
        def reader():
            for dfb, tensor in zip(dfbs, tensors):
                with dfb.reserve() as blk:
                    ttl.copy(tensor[:, :], blk).wait()

        @ttl.compute()
        def computing():
            blocks = [dfb.wait() for dfb in dfbs]
            with y_dfb.reserve() as y_blk:
                y_blk.store(function(*blocks))
            for dfb in dfbs:
                dfb.pop()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[:, :]).wait()

    op(y, *tensors)
    return y.to_numpy()


def integers(dtype, seed, shape=(32, 32)):
    info = np.iinfo(dtype)
    rng = np.random.default_rng(seed)
    values = rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    values[0, :4] = [info.min, info.max, 0, 1]
    return values


def block_float(values, bits):
    """Returns the nearest block floats: 16 numbers in a row share one exponent."""
    groups = values.astype(np.float64).reshape(values.shape[0], -1, 16)
    _, exponent = np.frexp(np.abs(groups).max(axis=-1, keepdims=True))
    unit = np.ldexp(1.0, exponent - 1 - (bits - 2))
    largest = 2 ** (bits - 1) - 1
    rounded = np.clip(np.rint(groups / unit), -largest, largest) * unit
    return rounded.reshape(values.shape).astype(np.float32)


def rounded(values, dtype):
    """Returns float32 values, rounded as a tensor of type `dtype` rounds them."""
    if dtype == ttnn.float16:
        with np.errstate(over="ignore"):
            return values.astype(np.float16).astype(np.float32)
    if dtype == ttnn.bfloat16:
        bits = values.view(np.uint32).astype(np.uint64)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)
    if dtype == ttnn.float32:
        return values
    return block_float(values, 8 if dtype == ttnn.bfloat8_b else 4)


# ===--------------------------------------------------------------------------=== #
# Tensors of every element type
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("device", [None, DEVICE])
def test_float_tensors_are_rounded(dtype, device):
    values = np.random.default_rng(1).standard_normal((40, 64), np.float32) * 8
    tensor = ttnn.from_numpy(values, dtype, device=device)
    assert tensor.dtype == dtype
    assert np.array_equal(tensor.to_numpy(), rounded(values, dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("device", [None, DEVICE])
@pytest.mark.parametrize("layout", [ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT])
def test_integer_tensors_keep_their_bits(dtype, device, layout):
    values = integers(INTEGERS[dtype], 2, (33, 70))
    tensor = ttnn.from_numpy(values, layout=layout, device=device)
    assert tensor.dtype == dtype
    assert tensor.to_numpy().dtype == INTEGERS[dtype]
    assert np.array_equal(tensor.to_numpy(), values)
    assert np.array_equal(tensor.values(), values.astype(np.float32))


def test_conversions_of_new_tensors():
    assert ttnn.from_numpy(np.array([[1.9, -1.9]]), ttnn.int32).to_numpy().tolist() == [[1, -1]]
    assert ttnn.full((2, 2), 2**31 - 1, ttnn.int32).to_numpy().max() == 2**31 - 1
    assert ttnn.from_numpy(np.array([[300]]), ttnn.uint8).to_numpy().tolist() == [[44]]
    assert ttnn.ones((3,), ttnn.uint16).to_numpy().tolist() == [1, 1, 1]


def test_host_tensors_share_memory():
    for dtype in (np.float16, np.int32, np.uint32, np.uint16, np.uint8):
        values = np.zeros((4, 4), dtype)
        ttnn.from_numpy(values).bits()[1, 1] = 3
        assert values[1, 1] == 3


def test_operators_of_integers_wrap():
    a = ttnn.from_numpy(integers(np.int32, 3))
    with np.errstate(over="ignore"):
        assert np.array_equal((a * a).to_numpy(), a.to_numpy() * a.to_numpy())
        assert np.array_equal((a + 7).to_numpy(), a.to_numpy() + np.int32(7))


def test_block_floats_have_tiles_only():
    with pytest.raises(ValueError,
                       match="a tensor of bfloat8_b must have tile layout, because 16 elements share an exponent"):
        ttnn.zeros((32, 32), ttnn.bfloat8_b, layout=ttnn.ROW_MAJOR_LAYOUT, device=DEVICE)


# ===--------------------------------------------------------------------------=== #
# Floats in kernels
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", FLOATS)
def test_floats_are_computed_as_float32(source, target):
    rng = np.random.default_rng(4)
    a, b = (rng.standard_normal((64, 32), np.float32) for _ in range(2))
    result = compute(lambda x, y: x * y - x, [ttnn.from_numpy(a, source), ttnn.from_numpy(b)],
                     target, (64, 32))
    exact = rounded(a, source)
    assert np.array_equal(result, rounded(exact * b - exact, target))


@pytest.mark.parametrize("dtype", [ttnn.bfloat8_b, ttnn.bfloat4_b, ttnn.float16])
def test_products_of_narrow_floats(dtype):
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-3, 4, (32, 32)).astype(np.float32) for _ in range(2))
    result = compute(lambda x, y: x @ y, [ttnn.from_numpy(t, dtype) for t in (a, b)], ttnn.float32)
    assert np.array_equal(result, rounded(a, dtype) @ rounded(b, dtype))


def test_accumulating_stores_round_each_time():
    values = np.full((32, 32), 1 + 2**-7, np.float32)
    y = np.zeros((32, 32), np.float16)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                for _ in range(9):
                    y_blk.store(a_blk, acc=True)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    op(values, y)
    expected = np.float16(0)
    for _ in range(9):
        expected = np.float16(np.float32(expected) + values[0, 0])
    assert (y == expected).all()


# ===--------------------------------------------------------------------------=== #
# Integers in kernels
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_blocks_are_copied(dtype):
    values = integers(INTEGERS[dtype], 6)
    assert np.array_equal(compute(lambda x: x, [values], dtype), values)


def wide(values):
    """Converts to 32 bits, in which kernels compute integers of all sizes."""
    return values.astype(np.int32 if values.dtype == np.int32 else np.uint32)


ARITHMETIC = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "a scalar": lambda a, b: 3 * a - 7 + b,
    "square": lambda a, b: a**2 + b**3,
}


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", ARITHMETIC)
def test_integer_arithmetic_wraps(dtype, name):
    a, b = integers(INTEGERS[dtype], 7), integers(INTEGERS[dtype], 8)
    with np.errstate(over="ignore"):
        expected = ARITHMETIC[name](wide(a), wide(b)).astype(INTEGERS[dtype])
    assert np.array_equal(compute(ARITHMETIC[name], [a, b], dtype), expected)


FUNCTIONS = {
    "max": (lambda a, b: ttl.math.max(a, b), np.maximum),
    "min": (lambda a, b: ttl.math.min(a, b), np.minimum),
    "eq": (lambda a, b: ttl.math.eq(a, b), np.equal),
    "ne": (lambda a, b: ttl.math.ne(a, b), np.not_equal),
    "lt": (lambda a, b: ttl.math.lt(a, b), np.less),
    "le": (lambda a, b: ttl.math.le(a, b), np.less_equal),
    "gt": (lambda a, b: ttl.math.gt(a, b), np.greater),
    "ge": (lambda a, b: ttl.math.ge(a, b), np.greater_equal),
    "where": (lambda a, b: ttl.math.where(ttl.math.gt(a, b), a, b), np.maximum),
    "not": (lambda a, b: ttl.math.logical_not(a), lambda a, b: a == 0),
    "fill": (lambda a, b: a + ttl.block.fill(5, shape=(1, 1), dtype=ttnn.int32), None),
}


@pytest.mark.parametrize("dtype", [ttnn.int32, ttnn.uint32])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_integers(dtype, name):
    kernel, golden = FUNCTIONS[name]
    a, b = integers(INTEGERS[dtype], 9), integers(INTEGERS[dtype], 10)
    b[5:9] = a[5:9]
    if golden is None:
        golden = lambda a, b: a + a.dtype.type(5)
    expected = golden(a, b).astype(INTEGERS[dtype])
    assert np.array_equal(compute(kernel, [a, b], dtype), expected)


def divided(a, b):
    """Returns a / b rounded towards zero, a // b and a % b of 32-bit integers."""
    info = np.iinfo(a.dtype)
    a, b = a.astype(np.int64), b.astype(np.int64)
    safe = np.where(b == 0, 1, b)
    floor = a // safe
    toward_zero = np.where((a % safe != 0) & ((a < 0) != (safe < 0)), floor + 1, floor)
    results = [
        np.where(b == 0, -1, toward_zero),
        np.where(b == 0, -1, floor),
        np.where(b == 0, a, a - floor * safe),
    ]
    return [(r & (2**32 - 1)).astype(np.uint32).view(info.dtype) for r in results]


QUOTIENTS = [lambda a, b: a / b, lambda a, b: a // b, lambda a, b: a % b]


@pytest.mark.parametrize("dtype", [ttnn.int32, ttnn.uint32])
@pytest.mark.parametrize("which", range(3))
def test_integer_division(dtype, which):
    a, b = integers(INTEGERS[dtype], 22), integers(INTEGERS[dtype], 23)
    b[::2] = b[::2] % 23 - (11 if dtype == ttnn.int32 else 0)  # small divisors, zeros too
    low, high = np.iinfo(a.dtype).min, np.iinfo(a.dtype).max
    a[0, :4], b[0, :4] = [low, low, high, 0], [high, low, 1, 0]
    a[1, :3], b[1, :3] = [low, high, low], [-1 if low else high, low if low else 1, 0]
    assert (b == 0).any()
    expected = divided(a, b)[which]
    assert np.array_equal(compute(QUOTIENTS[which], [a, b], dtype), expected)


@pytest.mark.parametrize("dtype", [ttnn.uint16, ttnn.uint8])
def test_division_of_narrow_integers(dtype):
    a, b = integers(INTEGERS[dtype], 24), integers(INTEGERS[dtype], 25) | 1
    assert np.array_equal(compute(lambda a, b: a // b, [a, b], dtype), a // b)
    assert np.array_equal(compute(lambda a, b: a % b, [a, b], dtype), a % b)


def test_integer_division_by_numbers():
    a = integers(np.int32, 26)
    assert np.array_equal(compute(lambda a: a // 7 + a % -5, [a], ttnn.int32), a // 7 + a % -5)
    assert np.array_equal(compute(lambda a: 1000 // (a % 9 + 1), [a], ttnn.int32),
                          1000 // (a % 9 + 1))


@pytest.mark.parametrize("dtype", [ttnn.int32, ttnn.uint32])
def test_integer_clamp_and_relu(dtype):
    a = integers(INTEGERS[dtype], 27)
    result = compute(lambda a: ttl.math.clamp(a, 5, 1000), [a], dtype)
    assert np.array_equal(result, np.clip(a, 5, 1000))
    assert np.array_equal(compute(lambda a: ttl.math.relu(a), [a], dtype), np.maximum(a, 0))


@pytest.mark.parametrize("dtype", [ttnn.int32, ttnn.uint32, ttnn.uint16])
def test_integer_products(dtype):
    a = integers(INTEGERS[dtype], 28, (64, 64))
    b = integers(INTEGERS[dtype], 29, (64, 64))
    expected = (wide(a) @ wide(b)).astype(INTEGERS[dtype])
    assert np.array_equal(compute(lambda a, b: a @ b, [a, b], dtype, (64, 64)), expected)


def test_integer_products_of_expressions():
    a, b = integers(np.int32, 30), integers(np.int32, 31)

    def kernel(a, b):
        return (a + b) @ (a - 3) + a @ b

    assert np.array_equal(compute(kernel, [a, b], ttnn.int32), kernel(a, b))


@pytest.mark.parametrize("dtype", [ttnn.int32, ttnn.uint32, ttnn.uint8])
@pytest.mark.parametrize("dims", [(-1,), (-2,), (-1, -2)])
@pytest.mark.parametrize("name", ["sum", "max"])
def test_integer_reductions(dtype, dims, name):
    """Reduces a block of 2x2 tiles over one dimension or both. A broadcast then fills the block with
    the result."""
    a = integers(INTEGERS[dtype], 32, (64, 64))
    function = ttl.reduce_sum if name == "sum" else ttl.reduce_max
    golden = np.sum if name == "sum" else np.max

    def kernel(a):
        return ttl.broadcast(function(a, dims=list(dims)), dims=list(dims), shape=(2, 2))

    values = wide(a)
    expected = golden(values, axis=dims, keepdims=True)
    if name == "sum":
        expected = expected.astype(values.dtype)
    expected = np.broadcast_to(expected, (64, 64)).astype(INTEGERS[dtype])
    assert np.array_equal(compute(kernel, [a], dtype, (64, 64)), expected)


def test_integer_reductions_with_a_scaler_beside_floats():
    a = integers(np.int32, 33)
    scaler = np.full((32, 32), 3, np.int32)

    def kernel(a, scaler):
        total = ttl.reduce_sum(a, scaler, dims=[-1])
        floats = ttl.typecast(ttl.reduce_max(ttl.typecast(a, ttnn.float32), dims=[-1]), ttnn.int32)
        return ttl.broadcast(total, dims=[-1]) + ttl.broadcast(floats, dims=[-1], shape=(1, 1))

    with np.errstate(over="ignore"):
        total = (a.sum(axis=1, keepdims=True, dtype=np.int64) * 3).astype(np.int32)
        largest = a.astype(np.float32).max(axis=1, keepdims=True)
        largest = np.where(largest >= 2**31, 2**31 - 1, largest.astype(np.int64)).astype(np.int32)
        expected = np.broadcast_to(total + largest, (32, 32))
    assert np.array_equal(compute(kernel, [a, scaler], ttnn.int32), expected)


def test_signed_functions():
    a = integers(np.int32, 11)
    with np.errstate(over="ignore"):
        assert np.array_equal(compute(lambda x: -x, [a], ttnn.int32), -a)
        assert np.array_equal(compute(abs, [a], ttnn.int32), np.abs(a))


def test_integers_move_through_broadcasts_and_transposes():
    a = integers(np.int32, 12)
    assert np.array_equal(compute(lambda x: ttl.transpose(x), [a], ttnn.int32), a.T)
    expected = np.broadcast_to(a[:, :1], (32, 32))
    result = compute(lambda x: ttl.broadcast(x, dims=[-1]) + x - x, [a], ttnn.int32)
    assert np.array_equal(result, expected)


def test_integers_carried_by_loops():
    def body(x, y):
        total = x
        for i in range(5):
            total = total * y + x if i % 2 else total - y
        return total

    def kernel(x, y):
        total = x
        for i in range(5):
            if i % 2:
                total = total * y + x
            else:
                total = total - y
        return total

    a, b = integers(np.int32, 13), integers(np.int32, 14)
    with np.errstate(over="ignore"):
        assert np.array_equal(compute(kernel, [a, b], ttnn.int32), body(a, b))


def test_long_integer_expressions_keep_their_bits():
    """The expression needs more values at once than DST has registers: some go through a buffer."""

    def kernel(a, b):
        values = [a * (i + 2) - b for i in range(12)]
        result = values[0]
        for value in values[1:]:
            result = result * value
        for value in values:
            result = result + value
        return result

    a, b = integers(np.int32, 15), integers(np.int32, 16)
    with np.errstate(over="ignore"):
        assert np.array_equal(compute(kernel, [a, b], ttnn.int32), kernel(a, b))


def test_integer_accumulators():
    a = integers(np.int32, 17)
    y = np.zeros((32, 32), np.int32)

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for _ in range(7):
                with a_dfb.reserve() as blk:
                    ttl.copy(a[0, 0], blk).wait()

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as y_blk:
                total = ttl.block.fill(0, shape=(1, 1), dtype=ttnn.int32)
                for _ in range(7):
                    with a_dfb.wait() as a_blk:
                        total += a_blk
                y_blk.store(total)

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as blk:
                ttl.copy(blk, y[0, 0]).wait()

    op(a, y)
    with np.errstate(over="ignore"):
        assert np.array_equal(y, a * np.int32(7))


# ===--------------------------------------------------------------------------=== #
# typecast
# ===--------------------------------------------------------------------------=== #


def cast(values, source, target, out=None):
    return compute(lambda x: ttl.typecast(x, target), [ttnn.from_numpy(values, source)],
                   out or target)


@pytest.mark.parametrize("dtype", [ttnn.bfloat16, ttnn.float16])
def test_typecast_rounds_to_sixteen_bits(dtype):
    values = np.random.default_rng(18).standard_normal((32, 32), np.float32) * 1000
    assert np.array_equal(cast(values, ttnn.float32, dtype, ttnn.float32), rounded(values, dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_typecast_to_integers_truncates(dtype):
    values = np.random.default_rng(19).uniform(0, 255, (32, 32)).astype(np.float32)
    expected = np.trunc(values).astype(INTEGERS[dtype])
    assert np.array_equal(cast(values, ttnn.float32, dtype), expected)


def test_typecast_of_what_does_not_fit():
    values = np.zeros((32, 32), np.float32)
    values[0, :6] = [np.inf, -np.inf, np.nan, 3e9, -3e9, 1e10]
    low, high = -(2**31), 2**31 - 1
    assert cast(values, ttnn.float32, ttnn.int32)[0, :6].tolist() == [high, low, 0, high, low, high]
    top = 2**32 - 1
    assert cast(values, ttnn.float32, ttnn.uint32)[0, :6].tolist() == [top, 0, 0, 3 * 10**9, 0, top]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("target", FLOATS)
def test_typecast_to_floats(dtype, target):
    values = integers(INTEGERS[dtype], 20) // 3
    expected = rounded(values.astype(np.float32), target)
    assert np.array_equal(cast(values, dtype, target), expected)


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", INTEGERS)
def test_typecast_between_integers_wraps(source, target):
    values = integers(INTEGERS[source], 21)
    assert np.array_equal(cast(values, source, target), values.astype(INTEGERS[target]))


# ===--------------------------------------------------------------------------=== #
# Refusals
# ===--------------------------------------------------------------------------=== #

ONES = np.ones((32, 32), np.int32)
HALVES = np.ones((32, 32), np.float32)


@pytest.mark.parametrize("function, inputs, out, message", [
    (lambda a, b: a + b, [ONES, HALVES], ttnn.int32,
     "a block of integers and a block of floats cannot be operands of one operation: .* ttl.typecast"),
    (lambda a: a, [ONES], ttnn.float32, "integers cannot be stored into a block of 'y_dfb', which holds "
     "floats: convert them with ttl.typecast"),
    (lambda a: a, [HALVES], ttnn.uint8, "floats cannot be stored into a block of 'y_dfb'"),
    (lambda a, b: a // b, [ONES, HALVES], ttnn.int32, "cannot be operands of one operation"),
    (lambda a, b: a @ b, [ONES, HALVES], ttnn.int32, "cannot be operands of one operation"),
    (lambda a: ttl.exp(a), [ONES], ttnn.int32, "exp cannot work on blocks of integers"),
    (lambda a: ttl.reduce_mean(a, dims=[-1]), [ONES], ttnn.int32, "a mean cannot work on blocks"),
    (lambda a: a + 1.5, [ONES], ttnn.int32, "the float 1.5 cannot be an operand"),
    (lambda a: a + 2**31, [ONES], ttnn.int32, "2147483648 does not fit in a 32-bit integer"),
    (lambda a: a**-1, [ONES], ttnn.int32, "must be an integer from 0 to 64"),
    (lambda a: ttl.typecast(a, "int99"), [ONES], ttnn.int32, "'int99' is not a tensor type"),
])
def test_refusals(function, inputs, out, message):
    with pytest.raises(ttl.CompileError, match=message):
        compute(function, inputs, out)


def test_copies_do_not_convert():
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

    message = "ttl.copy\\(\\) does not convert a slice of int32 to a block of uint16"
    with pytest.raises(ttl.CompileError, match=message):
        op(ONES, ONES.astype(np.uint16))


# ===--------------------------------------------------------------------------=== #
# The same tests on the interpreter
# ===--------------------------------------------------------------------------=== #


@pytest.mark.skipif("TTL_ENGINE" in os.environ, reason="this test chooses the engine, but TTL_ENGINE is set")
def test_on_the_interpreter():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    process = subprocess.run(command, env={**os.environ, "TTL_ENGINE": "interp"},
                             capture_output=True, text=True)
    assert process.returncode == 0, process.stdout
