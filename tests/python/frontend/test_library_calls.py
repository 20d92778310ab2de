# SPDX-License-Identifier: Apache-2.0
"""functools.reduce() and functions of module operator, with blocks and run-time numbers."""
# feature: Builtins and modules

import functools
import operator

import numpy as np
import pytest
import ttl

ENGINES = ["jit", "interp", "emitted"]


def computed(value, tiles=3, engine="jit"):
    """Returns a and y, where y = value(list of `tiles` blocks of a, run-time 0)."""

    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=tiles)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            for i in range(tiles):
                with a_dfb.reserve() as block:
                    ttl.copy(a[i, 0], block).wait()

        @ttl.compute()
        def compute():
            zero = ttl.node(dims=1)
            blocks = [a_dfb.wait() for _ in range(tiles)]
            with y_dfb.reserve() as out:
                out.store(value(blocks, zero))
            for block in blocks:
                block.pop()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    a = (np.arange(tiles * 1024, dtype=np.float32).reshape(tiles * 32, 32) % 13) + 1
    y = np.zeros((32, 32), np.float32)
    with ttl.options(engine=engine):
        op(a, y)
    return a.reshape(tiles, 32, 32), y


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("function", [operator.add, operator.mul, lambda p, q: p - q], ids=["add", "mul", "lambda"])
def test_reduce_of_blocks(function, engine):
    a, y = computed(lambda blocks, zero: functools.reduce(function, blocks), engine=engine)
    assert np.array_equal(y, functools.reduce(function, list(a)))


def test_reduce_with_a_start():
    a, y = computed(lambda blocks, zero: functools.reduce(operator.add, blocks, 2.0))
    assert np.array_equal(y, functools.reduce(operator.add, list(a), np.float32(2)))


def test_reduce_of_run_time_numbers():
    a, y = computed(lambda blocks, zero: sum(blocks) * functools.reduce(operator.mul, [zero + 2, zero + 3, 4]))
    assert np.array_equal(y, (a[0] + a[1] + a[2]) * 24)


ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv]
INTEGERS = [
    operator.floordiv, operator.mod, operator.pow, operator.lshift, operator.rshift, operator.and_, operator.or_,
    operator.xor,
]  # fmt: skip


@pytest.mark.parametrize("function", ARITHMETIC, ids=lambda function: function.__name__)
def test_operators_of_blocks(function):
    a, y = computed(lambda blocks, zero: function(blocks[0], sum(blocks[1:])))
    assert np.allclose(y, function(a[0], a[1] + a[2]), rtol=1e-6)


@pytest.mark.parametrize("function", [*ARITHMETIC, *INTEGERS], ids=lambda function: function.__name__)
def test_operators_of_run_time_numbers(function):
    a, y = computed(lambda blocks, zero: sum(blocks) * function(zero + 7, 2))
    assert np.allclose(y, a.sum(0) * function(7, 2), rtol=1e-6)


def test_a_product_of_matrices():
    a, y = computed(lambda blocks, zero: operator.matmul(blocks[0], blocks[1]) + blocks[2])
    assert np.allclose(y, a[0] @ a[1] + a[2], rtol=1e-5)


def test_known_arguments_are_computed_in_python():
    a, y = computed(lambda blocks, zero: sum(blocks) * functools.reduce(operator.or_, [1, 2, 4]))
    assert np.array_equal(y, (a[0] + a[1] + a[2]) * 7)


def test_an_empty_sequence_is_an_error():
    with pytest.raises(ttl.CompileError, match=r"reduce\(\) of an empty sequence needs a third argument"):
        computed(lambda blocks, zero: blocks[0] + functools.reduce(lambda p, q: p + q, blocks[3:]))


def test_other_functions_of_the_library_need_known_arguments():
    with pytest.raises(ttl.CompileError, match=r"runs in Python at compile time"):
        computed(lambda blocks, zero: operator.itemgetter(0)([zero + 1]) * sum(blocks))
