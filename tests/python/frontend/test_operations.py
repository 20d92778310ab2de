# SPDX-License-Identifier: Apache-2.0
"""Grids, options and the launch cache of operations."""
# feature: Operations; Arguments; Grids

import re

import numpy as np
import pytest
import ttl
import ttnn


def tensor(rows=64, columns=64):
    return np.zeros((rows, columns), np.float32)


def copier(a, y, rows=1, body=None):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for row in range(rows):
            with a_dfb.reserve() as blk:
                ttl.copy(a[row, 0], blk).wait()

    @ttl.datamovement()
    def writer():
        for row in range(rows):
            with a_dfb.wait() as blk:
                ttl.copy(blk, y[row, 0]).wait()


def grid_of(operation, *arguments):
    return re.search(r"grid<([0-9x]*)>", operation.ir(*arguments))[1]


@pytest.mark.parametrize(
    "grid, expected",
    [
        ((3, 2), "3x2"),
        ((4,), "4"),
        ((2, 2, 2), "2x2x2"),
        ([1, 5], "1x5"),
        (lambda a, y: (a.shape[0] // 32, 1), "2x1"),
    ],
)
def test_grids(grid, expected):
    assert grid_of(ttl.operation(grid=grid)(copier), tensor(), tensor()) == expected


@pytest.mark.parametrize("decorator", [ttl.operation, ttl.operation(), ttl.operation(grid="full")])
def test_automatic_grid(decorator):
    x, y = __import__("_ttjit").settings([]).auto_grid
    assert grid_of(decorator(copier), tensor(), tensor()) == f"{x}x{y}"


@pytest.mark.parametrize("grid", ["half", (), (0, 1), 5, (1.5, 2)])
def test_wrong_grids(grid):
    with pytest.raises(ValueError, match="grid"):
        ttl.operation(grid=grid)(copier).ir(tensor(), tensor())


def test_grid_functions():
    sizes = []

    @ttl.operation(grid=(8, 8, 8))
    def op(a, y):
        sizes.extend(ttl.grid_size(dims) for dims in (1, 2, 3, 4))
        copier(a, y)

    op.ir(tensor(), tensor())
    assert sizes == [512, (8, 64), (8, 8, 8), (8, 8, 8, 1)]
    assert ttl.grid_size() == (8, 64)


def test_compute_options():
    @ttl.operation(grid=(1, 1), fp32_dest_acc_en=False, math_fidelity="LoFi", dst_full_sync_en=True)
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.compute()
        def compute():
            a_dfb.wait().pop()

    text = op.ir(tensor(), tensor())
    assert "dst_full_sync_en = true, math_fidelity = lofi" in text


def test_other_keywords_are_constants_of_the_body():
    @ttl.operation(grid=(1, 1), ROWS=2)
    def op(a, y):
        assert ROWS == 2  # noqa: F821
        copier(a, y, rows=ROWS)  # noqa: F821

    assert "%c2 = arith.constant 2 : index" in op.ir(tensor(), tensor())


def test_named_threads():
    @ttl.operation(grid=(1, 1))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement(kernel=ttl.Kernel("producer"))
        def reader():
            with a_dfb.reserve() as blk:
                ttl.copy(a[0, 0], blk).wait()

    assert 'thread "producer"' in op.ir(tensor())


def hits_and_misses(action):
    before = ttl._cache_info()
    action()
    after = ttl._cache_info()
    return after.hits - before.hits, after.misses - before.misses


HIT, MISS = (1, 0), (0, 1)


def test_cache():
    op = ttl.operation(grid=(1, 1))(copier)
    a, y = tensor(), tensor()
    assert hits_and_misses(lambda: op(a, y)) == MISS
    assert hits_and_misses(lambda: op(a, y)) == HIT
    assert hits_and_misses(lambda: op(tensor(), tensor())) == HIT
    assert hits_and_misses(lambda: op(a, y, rows=2)) == HIT
    assert hits_and_misses(lambda: op(a, y, 2)) == HIT
    assert hits_and_misses(lambda: op(tensor(96), y)) == MISS
    assert hits_and_misses(lambda: op(a, a)) == MISS, "one tensor in two places"


def test_cache_sees_layouts_and_types():
    op = ttl.operation(grid=(1, 2))(copier)

    def make(dtype):
        return ttnn.zeros((64, 64), dtype=dtype, layout=ttnn.TILE_LAYOUT)

    assert hits_and_misses(lambda: op(make(ttnn.float32), make(ttnn.float32))) == MISS
    assert hits_and_misses(lambda: op(make(ttnn.bfloat16), make(ttnn.bfloat16))) == MISS
    assert hits_and_misses(lambda: op(make(ttnn.float32), make(ttnn.float32))) == HIT


LIMIT = 1


def helper():
    return LIMIT


@pytest.mark.finds("protocol")
def test_cache_sees_globals_of_helpers(monkeypatch):
    @ttl.operation(grid=(1, 1))
    def op(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=4)

        @ttl.datamovement()
        def reader():
            for _ in range(helper()):
                with a_dfb.reserve() as blk:
                    ttl.copy(a[0, 0], blk).wait()

    a = tensor()
    assert hits_and_misses(lambda: op(a)) == MISS
    assert hits_and_misses(lambda: op(a)) == HIT
    monkeypatch.setitem(globals(), "LIMIT", 2)
    assert hits_and_misses(lambda: op(a)) == MISS
    monkeypatch.setitem(globals(), "LIMIT", True)
    assert hits_and_misses(lambda: op(a)) == MISS, "True is not 1"
