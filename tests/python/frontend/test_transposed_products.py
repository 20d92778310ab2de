# SPDX-License-Identifier: Apache-2.0
"""ttl.matmul(a, b, transpose_rhs=True) gives the same bits as a @ transpose(b) on every engine."""
# feature: Products of matrices

import numpy as np
import pytest
import ttl
import ttnn
from test_block_functions import SIZE, compute

LOOPS = ("static", "run time", "long", "nested", "while", "early end", "helper")


def product(a, b):
    return ttl.matmul(a, b, transpose_rhs=True)


def operation(loop, count, transposed):
    @ttl.operation(grid=(1, 1))
    def op(a, b, y):
        ad = ttl.make_dataflow_buffer_like(a, shape=(1, 2))
        bd = ttl.make_dataflow_buffer_like(b, shape=(3, 2))
        yd = ttl.make_dataflow_buffer_like(y, shape=(1, 3))

        @ttl.datamovement()
        def reader():
            for i in range(count):
                with ad.reserve() as x, bd.reserve() as w:
                    ttl.copy(a[i : i + 1, 0:2], x).wait()
                    ttl.copy(b[0:3, 0:2], w).wait()

        def step():
            with ad.wait() as x, bd.wait() as w, yd.reserve() as o:
                if transposed:
                    o.store(product(x, w) + 1)
                else:
                    o.store(x @ ttl.transpose(w) + 1)

        @ttl.compute()
        def compute():
            zero = ttl.node(dims=1)
            if loop in ("static", "long"):
                for _ in range(count):
                    step()
            elif loop in ("run time", "helper"):
                for _ in range(zero + count):
                    step()
            elif loop == "nested":
                for _ in range(zero + count // 2):
                    for _ in range(2):
                        step()
            elif loop == "while":
                while zero < count:
                    step()
                    zero += 1
            else:
                for i in range(zero + 1000):
                    if i == count:
                        break
                    step()

        @ttl.datamovement()
        def writer():
            for i in range(count):
                with yd.wait() as x:
                    ttl.copy(x, y[i : i + 1, 0:3]).wait()

    return op


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("loop", LOOPS)
def test_in_every_place(loop, dtype):
    count = 70 if loop == "long" else 4
    rng = np.random.default_rng(count)
    kind = getattr(ttnn, dtype)
    a = ttnn.from_numpy(rng.standard_normal((32 * count, 64)), dtype=kind)
    b = ttnn.from_numpy(rng.standard_normal((96, 64)), dtype=kind)
    y, z = (ttnn.zeros((32 * count, 96), dtype=kind) for _ in range(2))
    operation(loop, count, True)(a, b, y)
    operation(loop, count, False)(a, b, z)
    assert np.array_equal(y.bits(), z.bits())
    golden = ttnn.to_numpy(a).astype(float) @ ttnn.to_numpy(b).astype(float).T + 1
    assert np.abs(ttnn.to_numpy(y) - golden).max() < (1e-4 if dtype == "float32" else 0.15)


def test_in_a_unified_body():
    @ttl.operation(grid=(1, 1))
    def op(a, b, y):
        ad, bd, yd = (ttl.make_dataflow_buffer_like(t, shape=(1, 1)) for t in (a, b, y))
        for i in range(3):
            ttl.copy(a[0, i], ad.reserve()).wait()
            ttl.copy(b[0, i], bd.reserve()).wait()
            yd.reserve().store(ttl.matmul(ad.wait(), bd.wait(), transpose_rhs=True))
            ttl.copy(yd.wait(), y[0, i]).wait()

    a, b = (np.random.default_rng(i).integers(-4, 5, (32, 96)).astype(np.float32) for i in range(2))
    y = np.zeros_like(a)
    op(a, b, y)
    tiles = [a[:, i : i + 32] @ b[:, i : i + 32].T for i in (0, 32, 64)]
    assert np.array_equal(y, np.concatenate(tiles, axis=1))


def test_sums_of_products():
    def total(x, z):
        y = ttl.block.fill(0, shape=(1, 1))
        for _ in range(3):
            y += ttl.matmul(x, z, transpose_rhs=True)
        return y

    a, b = (np.random.default_rng(i).integers(-4, 5, (SIZE, SIZE)).astype(np.float32) for i in range(2))
    same = compute([total, lambda x, z: ttl.matmul(x, z, transpose_rhs=False)], a, b)
    assert np.array_equal(same[0], 3 * (a @ b.T)) and np.array_equal(same[1], a @ b)


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda x, z: ttl.matmul(x, z, transpose_rhs=1),
         "transpose_rhs= must be a compile-time boolean constant, found an int"),
        (lambda x, z: ttl.matmul(x, z, transpose_rhs=ttl.node(dims=1) == 0),
         "transpose_rhs= must be a compile-time boolean constant, found a run-time bool"),
        (lambda x, z: ttl.matmul(x, 2, transpose_rhs=True), "the second argument of matmul() must be a block"),
        (lambda x, z: ttl.matmul(x, ttl.fill(1, shape=(2, 3)), transpose_rhs=True),
         "the inner extents, 1 and 3, must be equal"),
    ],
)  # fmt: skip
def test_refusals(function, message):
    with pytest.raises(ttl.CompileError) as caught:
        compute([function], np.zeros((SIZE, SIZE), np.float32), np.zeros((SIZE, SIZE), np.float32))
    assert message in str(caught.value)
