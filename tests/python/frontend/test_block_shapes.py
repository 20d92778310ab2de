# SPDX-License-Identifier: Apache-2.0
"""Compares blocks of rank 3 and more, and all names of block functions, with numpy."""
# feature: Reductions; Shapes of blocks; Broadcasts; Products of matrices; Transposes
# feature: Names of the functions; Constant blocks

import numpy as np
import pytest
import ttl
from test_block_functions import SIZE, compute

m = ttl.math


def run(function, tensors, shapes, out_shape):
    """Returns function(*blocks), where block i holds tensors[i] and has shape shapes[i] in tiles."""
    out = np.zeros((*out_shape[:-2], out_shape[-2] * SIZE, out_shape[-1] * SIZE), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(y, *tensors):
        dfbs = [
            ttl.make_dataflow_buffer_like(t, shape=s, block_count=1)
            for t, s in zip(tensors, shapes)
        ]
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=out_shape, block_count=1)

        @ttl.compute()
        def computing():
            blocks = [dfb.wait() for dfb in dfbs]
            with y_dfb.reserve() as y_blk:
                y_blk.store(function(*blocks))
            for dfb in dfbs:
                dfb.pop()

        @ttl.datamovement()
        def reader():
            for dfb, tensor in zip(dfbs, tensors):
                with dfb.reserve() as blk:
                    ttl.copy(tensor, blk).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y).wait()

    op(out, *tensors)
    return out


def random(*extents, seed=0):
    return np.random.default_rng(seed).standard_normal(extents).astype(np.float32)


def test_squeeze_and_unsqueeze():
    x = random(1, 2 * SIZE, 3 * SIZE)
    squeezed = run(lambda b: m.squeeze(b, dim=0) * 2, [x], [(1, 2, 3)], (2, 3))
    assert np.array_equal(squeezed, x[0] * 2)
    y = random(2 * SIZE, 3 * SIZE, seed=1)
    wider = run(lambda b: ttl.unsqueeze(b + 1, dims=[0]), [y], [(2, 3)], (1, 2, 3))
    assert np.array_equal(wider, (y + 1)[None])
    there_and_back = lambda b: b.unsqueeze(dims=[0, -3]).squeeze(dims=[0, 1])  # noqa: E731
    assert np.array_equal(run(there_and_back, [y], [(2, 3)], (2, 3)), y)
    both = run(lambda a, b: a * ttl.block.unsqueeze(b, dim=0), [x, y], [(1, 2, 3), (2, 3)],
               (1, 2, 3))
    assert np.array_equal(both, x * y)


def test_batched_products():
    a, b = random(3, 2 * SIZE, SIZE), random(3, SIZE, 2 * SIZE, seed=1)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    result = run(lambda a, b: a @ b, [a, b], [(3, 2, 1), (3, 1, 2)], (3, 2, 2))
    assert np.abs(result - exact).max() < 1e-4
    one = run(lambda a, b: ttl.matmul(a, b), [a, b[1]], [(3, 2, 1), (1, 2)], (3, 2, 2))
    assert np.abs(one - a.astype(np.float64) @ b[1].astype(np.float64)).max() < 1e-4
    other = run(lambda a, b: a @ b, [a[:1], b], [(1, 2, 1), (3, 1, 2)], (3, 2, 2))
    assert np.abs(other - a[:1].astype(np.float64) @ b.astype(np.float64)).max() < 1e-4


def test_batched_products_that_accumulate():
    a, b = random(2, SIZE, 2 * SIZE), random(2, 2 * SIZE, SIZE, seed=1)

    def function(a, b):
        y = ttl.block.fill(0, shape=(2, 1, 1))
        for _ in range(3):
            y += a @ b
        return y

    result = run(function, [a, b], [(2, 1, 2), (2, 2, 1)], (2, 1, 1))
    assert np.abs(result - 3 * (a.astype(np.float64) @ b.astype(np.float64))).max() < 1e-3


def test_reductions_over_leading_dimensions():
    x = random(3, 2 * SIZE, SIZE)
    total = run(lambda b: m.reduce_sum(b, dims=[0]), [x], [(3, 2, 1)], (1, 2, 1))
    assert np.array_equal(total[0], (x[0] + x[1]) + x[2])
    largest = run(lambda b: b.reduce_max(dim=0), [x], [(3, 2, 1)], (1, 2, 1))
    assert np.array_equal(largest[0], x.max(axis=0))
    mean = run(lambda b: m.reduce_mean(b, dims=[0]), [x], [(3, 2, 1)], (1, 2, 1))
    assert np.allclose(mean[0], x.mean(axis=0), rtol=1e-5, atol=1e-6)
    scaled = run(lambda b: m.reduce_sum(b, m.fill(0.5, shape=(1, 1)), dims=[0]), [x], [(3, 2, 1)],
                 (1, 2, 1))
    assert np.allclose(scaled[0], x.sum(axis=0) / 2, rtol=1e-5, atol=1e-6)
    y = random(2, 2, SIZE, SIZE, seed=2)
    both = run(lambda b: m.reduce_sum(b, dims=[0, 1]), [y], [(2, 2, 1, 1)], (1, 1, 1, 1))
    assert np.array_equal(both[0, 0], y[0, 0] + y[0, 1] + y[1, 0] + y[1, 1])


def test_reductions_over_leading_and_tile_dimensions():
    x = random(3, 2 * SIZE, SIZE)
    both = run(lambda b: m.reduce_sum(b, dims=[0, -1]), [x], [(3, 2, 1)], (1, 2, 1))
    assert np.allclose(both[0, :, 0], x.sum(axis=(0, 2)), rtol=1e-5, atol=1e-5)
    assert not both[0, :, 1:].any()
    largest = run(lambda b: m.reduce_max(b, dims=[0, 1, 2]), [x], [(3, 2, 1)], (1, 1, 1))
    assert largest[0, 0, 0] == x.max()
    nans = x.copy()
    nans[1, 5, 5] = np.nan
    found = run(lambda b: m.reduce_max(b, dims=[0]), [nans], [(3, 2, 1)], (1, 2, 1))
    assert np.array_equal(found[0], nans.max(axis=0), equal_nan=True)


def test_a_scaler_of_several_tiles_scales_by_its_first():
    x, scaler = random(2, SIZE, SIZE), np.full((SIZE, 2 * SIZE), 0.25, np.float32)
    scaler[:, SIZE:] = 7
    result = run(lambda b, s: m.reduce_max(b, s, dims=[0]), [x, scaler], [(2, 1, 1), (1, 2)],
                 (1, 1, 1))  # fmt: skip
    assert np.array_equal(result[0], x.max(axis=0) / 4)


def test_views_in_loops_and_branches():
    """Two nested loops with a branch carry `total`. The loop body squeezes and unsqueezes `total` and
    an expression of it."""

    def function(a, b):
        total = m.fill(0, shape=(1, 2, 1))
        for i in range(2):
            for j in range(3):
                if i < j:
                    total = total + m.reduce_sum(a, dims=[0])
                else:
                    flat = m.squeeze(total, dim=0) - b
                    total = flat.unsqueeze(dim=0)
        return total

    x, y = random(3, 2 * SIZE, SIZE), random(2 * SIZE, SIZE, seed=1)
    result = run(function, [x, y], [(3, 2, 1), (2, 1)], (1, 2, 1))
    expected, part = np.zeros_like(y), (x[0] + x[1]) + x[2]
    for i in range(2):
        for j in range(3):
            expected = expected + part if i < j else expected - y
    assert np.array_equal(result[0], expected)


def test_views_in_products_and_transposes():
    a, b = random(1, SIZE, 2 * SIZE), random(SIZE, 2 * SIZE, seed=1)
    product = run(lambda x, y: m.squeeze(x, dim=0) @ m.transpose(y), [a, b], [(1, 1, 2), (1, 2)],
                  (1, 1))  # fmt: skip
    assert np.abs(product - a[0].astype(np.float64) @ b.T).max() < 1e-4
    total = run(lambda x: m.broadcast(m.reduce_sum(m.transpose(m.squeeze(x, dim=0)), dims=[1]),
                                      dims=[1], shape=(2, 1)), [a], [(1, 1, 2)], (2, 1))  # fmt: skip
    assert np.allclose(total, a[0].sum(axis=0)[:, None], rtol=1e-5, atol=1e-5)


def test_large_views_are_split():
    """The result has more tiles than DST has registers: the compiler splits the reductions."""
    x = random(2, 4 * SIZE, 4 * SIZE)
    result = run(lambda b: m.exp(m.reduce_max(b, dims=[0])) * 2 + m.reduce_sum(b, dims=[0]), [x],
                 [(2, 4, 4)], (1, 4, 4))  # fmt: skip
    exact = np.exp(x.max(axis=0).astype(np.float64)) * 2 + x.sum(axis=0)
    assert np.allclose(result[0], exact, rtol=1e-5, atol=1e-5)


def test_broadcast_over_leading_dimensions():
    x, y = random(1, SIZE, SIZE), random(3, SIZE, SIZE, seed=1)
    result = run(lambda a, b: m.broadcast(a, dims=[0]) + b, [x, y], [(1, 1, 1), (3, 1, 1)],
                 (3, 1, 1))
    assert np.array_equal(result, x + y)


def test_every_function_has_every_name():
    from ttl import _api

    for name in _api.BLOCK_FUNCTIONS:
        assert getattr(ttl.math, name) is getattr(ttl.block, name), name
        if name not in ("math", "block"):
            assert callable(getattr(ttl, name)), name


@pytest.mark.parametrize(
    "function, reference",
    [
        (lambda a, b: ttl.add(a, b), np.add),
        (lambda a, b: ttl.sub(a, b), np.subtract),
        (lambda a, b: ttl.mul(a, b), np.multiply),
        (lambda a, b: ttl.div(a, b), np.divide),
        (lambda a, b: ttl.maximum(a, b), np.maximum),
        (lambda a, b: ttl.block.minimum(a, b), np.minimum),
        (lambda a, b: a % 2 + b // 3, lambda a, b: a % 2 + b // 3),
        (lambda a, b: ttl.where(ttl.gt(a, b), a, b), np.maximum),
        (lambda a, b: ttl.mask(a, ttl.gt(a, b)), lambda a, b: np.where(a > b, 0, a)),
        (lambda a, b: a.square().sqrt() + b.neg(), lambda a, b: np.abs(a) - b),
        (lambda a, b: ttl.transpose(a, b), lambda a, b: a.T),
        (lambda a, b: ttl.fill(b, 2.0) * a, lambda a, b: 2 * a),
        (lambda a, b: m.broadcast(m.reduce_max(a, dim=-1), b, dim=-1),
         lambda a, b: np.broadcast_to(a.max(axis=1, keepdims=True), a.shape)),
    ],
)  # fmt: skip
def test_spellings(function, reference):
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-40, 40, (SIZE, SIZE)).astype(np.float32) / 8 for _ in range(2))
    b[b == 0] = 1
    (result,) = compute([function], a, b)
    assert np.allclose(result, reference(a, b), rtol=1e-6)


def test_identity_of_blocks():
    def function(a, b):
        same = a
        assert same is a and a is not b and not (a is b)
        assert (a + b) is not (a + b) and a is not None and a != None  # noqa: E711
        return a

    a = random(SIZE, SIZE)
    assert np.array_equal(compute([function], a, a)[0], a)


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x: m.squeeze(x, dim=0), "dimension 0 of shape (2, 2) has 2"),
        (lambda x: x.squeeze(dim=2), "dimension 2, which a block of rank 2 does not have"),
        (lambda x: x.squeeze(dim=-3), "dimension -3, which a block of rank 2 does not have"),
        (lambda x: m.unsqueeze(x, dims=[0, 0]), "no dimension twice"),
        (lambda x: m.unsqueeze(x, dims=[0, -4]), "no dimension twice"),
        (lambda x: m.squeeze(x), "lacks dims=[...]"),
        (lambda x: m.broadcast(x, dims=[2]), "Invalid broadcast dimension 2: dims= names dimension 2"),
        (lambda x: m.broadcast(x, dims=[-3]), "Invalid broadcast dimension -3: dims= names dimension -3"),
        (lambda x: m.reduce_max(x, dims=[-3]), "dim -3 out of range for rank 2: dims= names dimension -3"),
        (lambda x: m.exp(x, iterations=0), "iterations= must be a positive integer known at compile time, found 0"),
        (lambda x: m.exp(x, iterations=ttl.node(dims=1)), "known at compile time, found a run-time int"),
        (lambda x: m.unsqueeze(x, dims=[0, 4]), "dimension 4, which a block of rank 4 does not have"),
        (lambda x: m.squeeze(m.fill(1, shape=(1, 1)), dims=[0, 1]), "leaves no dimension"),
        (lambda x: m.unsqueeze(m.broadcast(m.rowmax(x), dims=[1]), dim=0),
         "the operand is a broadcast without a shape: add shape= to the call of broadcast()"),
        (lambda x: m.broadcast(m.rowmax(x), dims=[1]) + m.broadcast(m.rowmax(x), dims=[1]),
         "add shape= to one of the broadcasts"),
        (lambda x: m.fill(1, shape=(2, 1, 1)) @ m.fill(1, shape=(3, 1, 1)),
         "shapes differ: (2, 1, 1) @ (3, 1, 1): the leading extents, 2 and 3"),
        (lambda x: x.sqroot(), "has no attribute or method 'sqroot'; did you mean 'sqrt'?"),
        (lambda x: x.shap, "has no attribute or method 'shap'; did you mean 'shape'?"),
        (lambda x: x if x > 0 else x, "gives 1 or 0 for each element, for ttl.math.where(cond, a, b); 'a is b' asks"),
        (lambda x: x if x else x, "a condition must be a number or a bool, found a block"),
    ],
)  # fmt: skip
def test_refusals(function, message):
    with pytest.raises(ttl.CompileError) as caught:
        compute([function], np.zeros((2 * SIZE, 2 * SIZE), np.float32), shape=(2, 2))
    assert message in str(caught.value)
