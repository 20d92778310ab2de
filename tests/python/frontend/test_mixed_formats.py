# SPDX-License-Identifier: Apache-2.0
"""Expressions of float32 blocks and blocks of other floats: --strict and tt-lang's compiler refuse them."""
# feature: Expressions and store

import numpy as np
import pytest
import ttl
import ttnn

CARD = ": tt-lang's compiler refuses this for a card; "
BEFORE = ("store ttl.typecast(block, ttnn.float32) of each block that is not float32 into a buffer of float32 "
          "before, and use its blocks")


def tensors():
    return [ttnn.from_numpy(np.full((32, 32), value, np.float32), dtype=dtype)
            for value, dtype in [(3, ttnn.bfloat16), (2, ttnn.float32), (0, ttnn.float32), (0, ttnn.bfloat16)]]


def in_unified_body(stores):
    @ttl.operation(grid=(1, 1))
    def op(h, x, y, z):
        h_dfb, x_dfb, y_dfb, z_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (h, x, y, z))
        ttl.copy(h[0, 0], h_dfb.reserve()).wait()
        ttl.copy(x[0, 0], x_dfb.reserve()).wait()
        stores(h_dfb.wait(), x_dfb.wait(), y_dfb.reserve(), z_dfb.reserve())
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()
        ttl.copy(z_dfb.wait(), z[0, 0]).wait()

    return op


def in_threads(stores):
    @ttl.operation(grid=(1, 1))
    def op(h, x, y, z):
        h_dfb, x_dfb, y_dfb, z_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (h, x, y, z))

        @ttl.compute()
        def compute():
            for _ in range(1 + ttl.node(dims=1)):
                with h_dfb.wait() as h_block, x_dfb.wait() as x_block:
                    with y_dfb.reserve() as y_block, z_dfb.reserve() as z_block:
                        stores(h_block, x_block, y_block, z_block)

        @ttl.datamovement()
        def reader():
            with h_dfb.reserve() as block:
                ttl.copy(h[0, 0], block).wait()
            with x_dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()
            with z_dfb.wait() as block:
                ttl.copy(block, z[0, 0]).wait()

    return op


def a_sum(h, x, y, z):
    y.store(h + x)
    z.store(ttl.typecast(x, ttnn.bfloat16))


def a_typecast_of_one(h, x, y, z):
    y.store(ttl.typecast(h, ttnn.float32) * x)
    z.store(h)


def a_short_block_in_a_long_one(h, x, y, z):
    if ttl.node(dims=1) == 0:
        y.store(-h)
    else:
        y.store(x)
    z.store(h)


def a_long_block_in_a_short_one(h, x, y, z):
    y.store(x)
    z.store(x)


def a_sum_of_short_blocks(h, x, y, z):
    y.store(x)
    for _ in range(2):
        y += h
    z.store(h)


REFUSED = [
    (a_sum, "'h_dfb', of bfloat16, with a block of float32", BEFORE),
    (a_typecast_of_one, "'x_dfb', of float32, with a block of bfloat16", BEFORE),
    (a_short_block_in_a_long_one, "'h_dfb', of bfloat16, with a block of float32",
     "write ttl.typecast(block, ttnn.float32) for each block that this reads"),
    (a_long_block_in_a_short_one, "'x_dfb', of float32, with a block of bfloat16",
     "write ttl.typecast(block, ttnn.bfloat16) for each block that this reads"),
    (a_sum_of_short_blocks, "'h_dfb', of bfloat16, with a block of float32",
     "write ttl.typecast(block, ttnn.float32) for each block that this reads"),
]


@pytest.mark.parametrize("make", [in_threads, in_unified_body])
@pytest.mark.parametrize("stores, what, remedy", REFUSED, ids=[row[0].__name__ for row in REFUSED])
def test_strict_refuses(make, stores, what, remedy):
    with pytest.raises(ttl.CompileError) as caught:
        make(stores)(*tensors(), options="--strict")
    assert what + CARD + remedy in str(caught.value)
    assert caught.value.file == __file__ and caught.value.line > stores.__code__.co_firstlineno


def products(h, x, y, z):
    y.store(ttl.relu(h @ h) + ttl.typecast(x, ttnn.float32))
    z.store(h + h)


@pytest.mark.parametrize("make", [in_threads, in_unified_body])
@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_products_and_typecasts_are_allowed(make, engine):
    arguments = tensors()
    make(products)(*arguments, options=f"--strict --engine={engine}")
    assert np.all(arguments[2].to_numpy() == 32 * 9 + 2) and np.all(arguments[3].to_numpy() == 6)


@pytest.mark.parametrize("make", [in_threads, in_unified_body])
def test_other_runs_mix_the_types(make):
    arguments = tensors()
    make(a_typecast_of_one)(*arguments)
    assert np.all(arguments[2].to_numpy() == 6)


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
@pytest.mark.parametrize("dtype", [ttnn.bfloat16, ttnn.float16], ids=["bfloat16", "float16"])
def test_a_typecast_to_the_type_of_the_stored_block(dtype, engine):
    """--strict asks for a typecast to the type of the stored block, so it must accept such a typecast."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb, y_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, y))
        ttl.copy(a[0, 0], a_dfb.reserve()).wait()
        y_dfb.reserve().store(ttl.typecast(a_dfb.wait(), dtype))
        ttl.copy(y_dfb.wait(), y[0, 0]).wait()

    a = np.random.default_rng(1).normal(size=(32, 32)).astype(np.float32)
    a[0, :4] = np.inf, -np.inf, 1e-30, 3.4e38
    y = ttnn.zeros((32, 32), dtype=dtype)
    with ttl.options(engine=engine, strict=True):
        op(a, y)
    assert np.array_equal(ttnn.to_numpy(y), ttnn.to_numpy(ttnn.from_numpy(a, dtype=dtype)))


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted", "emitted --emit-path=direct"])
@pytest.mark.parametrize("times", [1, 3])
def test_a_reduction_after_a_broadcast_of_float32(engine, times):
    """A broadcast of float32 sets SrcA and SrcB for tiles that go to DST; the reduction must reset them."""

    @ttl.operation(grid=(1, 1))
    def op(a, b, x, y, z):
        a_dfb, b_dfb, x_dfb, y_dfb, z_dfb = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, b, x, y, z))
        for _ in range(times + 0 * ttl.node(dims=1)):
            ttl.copy(a[0, 0], a_dfb.reserve())
            ttl.copy(b[0, 0], b_dfb.reserve())
            p, q = a_dfb.wait(), b_dfb.wait()
            x_dfb.reserve().store(ttl.broadcast(ttl.reduce_max(p, dims=[1]), dims=[1]))
            y_dfb.reserve().store(q + 1)
            z_dfb.reserve().store(ttl.reduce_max(q, dims=[1]))
            ttl.copy(x_dfb.wait(), x[0, 0])
            ttl.copy(y_dfb.wait(), y[0, 0])
            ttl.copy(z_dfb.wait(), z[0, 0])

    values = np.random.default_rng(0).integers(-99, 99, (32, 32)).astype(np.float32)
    x, y, z = (np.zeros((32, 32), np.float32) for _ in range(3))
    with ttl.options(f"--engine={engine}"):
        op(values, ttnn.from_numpy(values, dtype=ttnn.bfloat16), x, y, z)
    rows = values.max(axis=1)
    assert np.array_equal(x, np.repeat(rows[:, None], 32, axis=1))
    assert np.array_equal(y, values + 1) and np.array_equal(z[:, 0], rows)
