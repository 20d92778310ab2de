# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on uint16 and uint8, comparisons and quotients of unsigned integers, and 16-bit typecasts
in emitted C++ have the same bits as on the other engines. feature: Integers; Kernels as TT-Metalium C++"""

import numpy as np
import pytest
import ttl
import ttnn

ENGINES = ("emitted", "jit", "interp")
NUMPY = {ttnn.uint8: np.uint8, ttnn.uint16: np.uint16, ttnn.uint32: np.uint32, ttnn.int32: np.int32,
         ttnn.float32: np.float32, ttnn.bfloat16: np.float32}


def operation(function):
    """Returns an operation that stores function(a, b) in a loop, for blocks of 2x1 tiles."""

    @ttl.operation(grid=(1, 1))
    def k(x, y, z):
        a_dfb, b_dfb, z_dfb = (ttl.make_dataflow_buffer_like(t, shape=(2, 1)) for t in (x, y, z))

        @ttl.datamovement()
        def reader():
            for i in range(2):
                ttl.copy(x[2 * i:2 * i + 2, 0:1], a_dfb.reserve()).wait()
                ttl.copy(y[2 * i:2 * i + 2, 0:1], b_dfb.reserve()).wait()

        @ttl.compute()
        def compute():
            for _ in range(2):
                with a_dfb.wait() as a, b_dfb.wait() as b, z_dfb.reserve() as out:
                    out.store(function(a, b))

        @ttl.datamovement()
        def writer():
            for i in range(2):
                ttl.copy(z_dfb.wait(), z[2 * i:2 * i + 2, 0:1]).wait()

    return k


def test_a_typecast_to_bfloat16_needs_no_wide_registers():
    device = ttnn.open_device(device_id=0)
    k = operation(lambda a, b: ttl.math.typecast(a * 0.3 + b, ttnn.bfloat16))
    found = []
    for engine in ENGINES:
        x, y = (ttnn.from_numpy(numbers(ttnn.float32, seed), dtype=ttnn.bfloat16, device=device) for seed in (1, 2))
        z = ttnn.zeros((128, 32), dtype=ttnn.bfloat8_b, device=device)
        k(x, y, z, options=f"--engine={engine} --strict")
        found.append(ttnn.to_numpy(z).tobytes())
    assert len(set(found)) == 1


def numbers(dtype, seed, small=False):
    random = np.random.default_rng(seed)
    if NUMPY[dtype] == np.float32:
        return random.standard_normal((128, 32)).astype(np.float32) * 1e5
    limits = np.iinfo(NUMPY[dtype])
    found = random.integers(limits.min, limits.max, (128, 32), dtype=NUMPY[dtype], endpoint=True)
    found[::3] = found[::3] % 7
    return found


def results(k, inputs, result, dtype):
    """Returns the bits of the result of each engine."""
    device = ttnn.open_device(device_id=0)
    found = []
    for engine in ENGINES:
        x, y = (ttnn.from_numpy(values, dtype=dtype, device=device) for values in inputs)
        z = ttnn.zeros((128, 32), dtype=result, device=device)
        k(x, y, z, options=f"--engine={engine}")
        found.append(ttnn.to_numpy(z))
    return found


def check(k, dtype, result=None):
    inputs = numbers(dtype, 1), numbers(dtype, 2)
    inputs[1][:5] = inputs[0][:5]
    found = results(k, inputs, result or dtype, dtype)
    assert all(each.tobytes() == found[0].tobytes() for each in found), "the engines differ"
    assert len(np.unique(found[0])) > 1
    return inputs, found[0]


FUNCTIONS = {
    "add": (lambda a, b: a + b, lambda a, b: a + b),
    "sub": (lambda a, b: a - b, lambda a, b: a - b),
    "mul": (lambda a, b: a * b + 3, lambda a, b: a * b + 3),
    "square": (lambda a, b: a**2 - b, lambda a, b: a * a - b),
    "max": (lambda a, b: ttl.math.max(a, b), np.maximum),
    "min": (lambda a, b: ttl.math.min(a, b) + 1, lambda a, b: np.minimum(a, b) + 1),
    "eq": (lambda a, b: ttl.math.eq(a, b), np.equal),
    "ne": (lambda a, b: ttl.math.ne(a, b), np.not_equal),
    "lt": (lambda a, b: ttl.math.lt(a, b), np.less),
    "le": (lambda a, b: ttl.math.le(a, b), np.less_equal),
    "gt": (lambda a, b: ttl.math.gt(a, b), np.greater),
    "ge": (lambda a, b: ttl.math.ge(a, b), np.greater_equal),
    "of itself": (lambda a, b: ttl.math.lt(a - b, b - a) + ttl.math.le(b, b),
                  lambda a, b: (a - b < b - a) + np.uint32(1)),
    "where": (lambda a, b: ttl.math.where(ttl.math.gt(a, b), a, b), np.maximum),
    "not": (lambda a, b: ttl.math.logical_not(a), lambda a, b: a == 0),
}


@pytest.mark.parametrize("dtype", (ttnn.uint16, ttnn.uint8, ttnn.uint32, ttnn.int32))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(dtype, name):
    function, golden = FUNCTIONS[name]
    (a, b), found = check(operation(function), dtype)
    wide = np.int32 if dtype == ttnn.int32 else np.uint32
    with np.errstate(over="ignore"):
        assert np.array_equal(found, golden(a.astype(wide), b.astype(wide)).astype(NUMPY[dtype]))


@pytest.mark.parametrize("dtype", (ttnn.uint16, ttnn.uint8))
@pytest.mark.parametrize("function", (
    lambda a, b: a / (b + 1), lambda a, b: a // (b + 1), lambda a, b: a % (b + 1), lambda a, b: (a * 3) % 7,
))
def test_quotients(dtype, function):
    """The operands fit into int32, so that the emitted C++ can call Metalium's functions for int32."""
    check(operation(function), dtype)


@pytest.mark.parametrize("source, target", (
    (ttnn.uint16, ttnn.uint32), (ttnn.uint16, ttnn.int32), (ttnn.uint8, ttnn.int32), (ttnn.uint16, ttnn.uint8),
    (ttnn.uint8, ttnn.uint16), (ttnn.int32, ttnn.uint16), (ttnn.uint32, ttnn.uint16), (ttnn.int32, ttnn.uint8),
    (ttnn.float32, ttnn.uint16), (ttnn.float32, ttnn.uint8), (ttnn.uint16, ttnn.float32), (ttnn.uint8, ttnn.float32),
    (ttnn.uint16, ttnn.bfloat16), (ttnn.bfloat16, ttnn.uint16), (ttnn.float32, ttnn.bfloat16),
))
def test_typecasts(source, target):
    check(operation(lambda a, b: ttl.math.typecast(a, target)), source, target)


ROUNDED = {
    "an operand": lambda a, b, dtype: ttl.math.typecast(a, dtype) * b,
    "stored": lambda a, b, dtype: ttl.math.typecast(a * b, dtype),
    "used twice": lambda a, b, dtype: twice(ttl.math.typecast(a, dtype)) - b,
    "of a rounded one": lambda a, b, dtype: ttl.math.typecast(ttl.math.typecast(a, dtype) * b, dtype) + a,
    "of a product": lambda a, b, dtype: ttl.math.typecast(a, dtype) * ttl.block.fill(1e-7, shape=(2, 1)),
}


@pytest.mark.parametrize("dtype", (ttnn.bfloat16, ttnn.float16))
@pytest.mark.parametrize("name", ROUNDED)
def test_rounding_in_the_middle(name, dtype):
    (a, b), found = check(operation(lambda a, b: ROUNDED[name](a, b, dtype)), ttnn.float32)
    if name == "an operand" and dtype == ttnn.float16:
        with np.errstate(over="ignore"):
            assert np.array_equal(found, a.astype(np.float16).astype(np.float32) * b)


@ttl.operation(grid=(1, 1))
def carried(x, y, z):
    """A loop carries a value, which each iteration rounds to float16 under a condition."""
    a_dfb, b_dfb, z_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y, z))
    for i in range(4):
        ttl.copy(x[i, 0], a_dfb.reserve()).wait()
        ttl.copy(y[i, 0], b_dfb.reserve()).wait()
        a, b = a_dfb.wait(), b_dfb.wait()
        total = a * 1e-4
        for turn in range(1 + i % 2):
            if turn == 0:
                total = ttl.math.typecast(total + b * 1e-4, ttnn.float16)
            else:
                total = ttl.math.typecast(total, ttnn.float16) * 0.3
        z_dfb.reserve().store(total)
        ttl.copy(z_dfb.wait(), z[i, 0]).wait()


def test_rounding_in_a_loop():
    check(carried, ttnn.float32)


@ttl.operation(grid=(2, 1))
def branches(x, y, z):
    """A unified body with a nested loop, a branch, and an integer value that the loop carries."""
    a_dfb, b_dfb, z_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (x, y, z))
    node = ttl.node(dims=1)
    for i in range(2):
        ttl.copy(x[2 * node + i, 0], a_dfb.reserve()).wait()
        ttl.copy(y[2 * node + i, 0], b_dfb.reserve()).wait()
        a, b = a_dfb.wait(), b_dfb.wait()
        total = ttl.block.fill(0, shape=(1, 1), dtype=ttnn.int32) + a
        for turn in range(1 + i):
            total = total * 5 + b
        if node == 0:
            z_dfb.reserve().store(total)
        else:
            z_dfb.reserve().store(twice(total) - a)
        ttl.copy(z_dfb.wait(), z[2 * node + i, 0]).wait()


def twice(block):
    return block + block


@pytest.mark.parametrize("dtype", (ttnn.uint16, ttnn.uint8))
def test_branches_loops_and_helpers(dtype):
    (a, b), found = check(branches, dtype)
    a, b = a.astype(np.uint32).reshape(2, 2, 32, 32), b.astype(np.uint32).reshape(2, 2, 32, 32)
    for node in range(2):
        for i in range(2):
            total = a[node, i]
            for _ in range(1 + i):
                total = total * 5 + b[node, i]
            total = total if node == 0 else 2 * total - a[node, i]
            assert np.array_equal(found.reshape(2, 2, 32, 32)[node, i], total.astype(NUMPY[dtype]))


def test_uint16_moves_through_broadcasts_and_transposes():
    check(operation(lambda a, b: ttl.block.broadcast(a, dims=[1], shape=(2, 1)) + b), ttnn.uint16)


@pytest.mark.parametrize("dtype", (ttnn.uint16, ttnn.uint8))
@pytest.mark.parametrize("function", (lambda a, b: a, lambda a, b: a + b))
def test_the_cpp_converts_only_where_it_computes(dtype, function):
    """C++ that only copies has no typecasts. C++ that computes has them, and gives the packer the right format."""
    device = ttnn.open_device(device_id=0)
    x, y, z = (ttnn.zeros((128, 32), dtype=dtype, device=device) for _ in range(3))
    text = operation(function).compile(x, y, z).cpp("compute")
    computes = "add_int_tile" in text
    assert ("typecast_tile" in text) == computes
    name = "UInt16" if dtype == ttnn.uint16 else "UInt8"
    assert (f"static_cast<uint32_t>(DataFormat::{name})>(" in text) == computes


def test_false_fp32_dest_acc_en_is_refused():
    k = operation(lambda a, b: a + b)
    k = ttl.operation(grid=(1, 1), fp32_dest_acc_en=False)(k.function)
    with pytest.raises(ttl.CompileError, match="set fp32_dest_acc_en=True"):
        results(k, (numbers(ttnn.uint16, 1),) * 2, ttnn.uint16, ttnn.uint16)


@pytest.mark.parametrize("function, golden", (
    (lambda a, b: a + b, lambda a, b: a + b), (lambda a, b: a * b + a, lambda a, b: a * b + a),
    (lambda a, b: ttl.math.max(a, b) - 3, lambda a, b: np.maximum(a, b) - np.uint8(3)),
))
def test_bytes_wrap_in_device_numerics(function, golden):
    """The packer saturates 8-bit integers, so a mask must make results wrap before each pack."""
    device = ttnn.open_device(device_id=0)
    a, b = numbers(ttnn.uint8, 1), numbers(ttnn.uint8, 2)
    wide = golden(a.astype(np.int32), b.astype(np.int32))
    assert ((wide < 0) | (wide > 255)).any()
    for options in ("--engine=interp --stage=loops", "--engine=interp", "--engine=jit", "--engine=emitted"):
        x, y = (ttnn.from_numpy(values, dtype=ttnn.uint8, device=device) for values in (a, b))
        z = ttnn.zeros((128, 32), dtype=ttnn.uint8, device=device)
        operation(function)(x, y, z, options=f"--numerics=device {options}")
        with np.errstate(over="ignore"):
            assert np.array_equal(ttnn.to_numpy(z), golden(a, b)), options
