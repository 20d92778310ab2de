# SPDX-License-Identifier: Apache-2.0
"""Reserved blocks that are read after stores in other branches and iterations, and handles that
a branch replaces."""

import numpy as np
import pytest
import ttl
import ttnn
from test_block_functions import SIZE


def random(*extents):
    return np.random.default_rng(3).standard_normal(extents).astype(np.float32)


def contents(body, count, dtype=ttnn.float32):
    """Returns y, the block that body(out, dfb) stores, and x, the `count` blocks that `dfb` delivers."""
    device = ttnn.open_device(device_id=0)
    x = ttnn.from_numpy(random(count * SIZE, SIZE), dtype=dtype, layout=ttnn.TILE_LAYOUT,
                        device=device)  # fmt: skip
    y = ttnn.zeros((SIZE, SIZE), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)

    @ttl.operation(grid=(1, 1))
    def op(x, y):
        x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as out:
                body(out, x_dfb)

        @ttl.datamovement()
        def reader():
            for i in range(count):
                with x_dfb.reserve() as block:
                    ttl.copy(x[i, 0], block).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    op(x, y)
    return ttnn.to_numpy(y), ttnn.to_numpy(x).reshape(count, SIZE, SIZE)


@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16])
def test_first_iteration_stores_and_later_ones_add(dtype):
    def body(out, dfb):
        for i in range(4):
            with dfb.wait() as block:
                if i == 0:
                    result = block * 1.5
                else:
                    result = out + block * 1.5
                out.store(result)

    y, x = contents(body, 4, dtype)
    expected = np.zeros((SIZE, SIZE), np.float32)
    for i, part in enumerate(x):
        part = part.astype(np.float32) * np.float32(1.5)
        total = part if i == 0 else expected + part
        expected = ttnn.to_numpy(ttnn.from_numpy(total, dtype=dtype)).astype(np.float32)
    assert np.array_equal(y.astype(np.float32), expected)


def test_nested_loops_with_a_branch():
    def body(out, dfb):
        for i in range(2):
            for j in range(3):
                with dfb.wait() as block:
                    if i + j == 0:
                        out.store(block)
                    elif j == 1:
                        out.store(out * 2.0 + block)
                    else:
                        out.store(ttl.math.max(out, block))

    y, x = contents(body, 6)
    expected = x[0]
    for i, part in enumerate(x[1:], start=1):
        expected = expected * 2 + part if i % 3 == 1 else np.maximum(expected, part)
    assert np.array_equal(y, expected)


def test_loop_in_a_branch():
    def body(out, dfb):
        out.store(dfb.wait())
        dfb.pop()
        if ttl.node(dims=1) == 0:
            for i in range(2):
                with dfb.wait() as block:
                    out.store(out - block)
        else:
            out.store(ttl.math.neg(out))
        out.store(out + 1.0)

    y, x = contents(body, 3)
    assert np.array_equal(y, x[0] - x[1] - x[2] + 1)


def test_a_path_that_reads_before_it_stores():
    def body(out, dfb):
        for i in range(2):
            with dfb.wait() as block:
                if i == 1:
                    out.store(block)
                else:
                    out.store(out + block)

    with pytest.raises(ttl.RuntimeFault, match="cannot read block 'out' of 'y_dfb': nobody has"):
        contents(body, 2)


def test_a_path_that_never_stores():
    def body(out, dfb):
        for i in range(2):
            with dfb.wait() as block:
                if i > 3:
                    out.store(block)
                    out.store(out * 2.0)
                    if i > 4:
                        out.store(out + 1.0)
                    out.store(out * 2.0)

    with pytest.raises(ttl.RuntimeFault, match="cannot push|pushes a block"):
        contents(body, 2)


def test_a_block_read_while_it_is_certainly_unwritten():
    def body(out, dfb):
        for i in range(2):
            with dfb.wait() as block:
                out.store(out + block)

    with pytest.raises(ttl.CompileError, match="cannot read block 'out' of 'y_dfb': nobody has"):
        contents(body, 2)


# ===--------------------------------------------------------------------------=== #
# Stores into blocks of another rank
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 1)])
def test_stores_add_and_drop_leading_ones(shape):
    """Stores add or drop leading dimensions of extent 1: bias, products and block differ in rank."""
    other = (1, 1) if len(shape) == 3 else (1, 1, 1)
    a, b = random(1, SIZE, SIZE), random(SIZE, SIZE)
    c = random(*([1] if len(other) == 3 else []), SIZE, SIZE)
    y = np.zeros((*[1] * (len(shape) - 2), SIZE, SIZE), np.float32)

    @ttl.operation(grid=(1, 1))
    def op(a, b, c, y):
        dfbs = [ttl.make_dataflow_buffer_like(t, shape=s)
                for t, s in ((a, (1, 1, 1)), (b, (1, 1)), (c, other))]  # fmt: skip
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=shape)

        @ttl.compute()
        def compute():
            with y_dfb.reserve() as out:
                with dfbs[2].wait() as bias:
                    out.store(bias, acc=True)
                for _ in range(2):
                    with dfbs[0].wait() as left, dfbs[1].wait() as right:
                        out.store(left @ right, acc=True)

        @ttl.datamovement()
        def reader():
            with dfbs[2].reserve() as block:
                ttl.copy(c, block).wait()
            for _ in range(2):
                for dfb, tensor in zip(dfbs, (a, b)):
                    with dfb.reserve() as block:
                        ttl.copy(tensor, block).wait()

        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y).wait()

    op(a, b, c, y)
    exact = c.reshape(SIZE, SIZE) + 2 * (a[0].astype(np.float64) @ b)
    assert np.abs(y.reshape(SIZE, SIZE) - exact).max() < 1e-4


# ===--------------------------------------------------------------------------=== #
# Handles of copies
# ===--------------------------------------------------------------------------=== #


def test_a_branch_replaces_a_handle(recwarn):
    @ttl.operation(grid=(2, 1))
    def op(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

        @ttl.datamovement()
        def reader():
            node, _ = ttl.node(dims=2)
            for i in range(2):
                with dfb.reserve() as block:
                    transfer = ttl.copy(x[0, i], block)
                    if node == 1:
                        transfer = ttl.copy(x[1, i], block)
                    transfer.wait()

        @ttl.datamovement()
        def writer():
            node, _ = ttl.node(dims=2)
            for i in range(2):
                with dfb.wait() as block:
                    transfer = ttl.copy(block, y[node, i])
                    if node == 1:
                        transfer = ttl.copy(block, y[2, i])
                    transfer.wait()

    x, y = random(2 * SIZE, 2 * SIZE), np.zeros((3 * SIZE, 2 * SIZE), np.float32)
    op(x, y)
    assert np.array_equal(y, np.concatenate([x, x[SIZE:]]))
    text = "the handle of this copy is replaced in the branch in line"
    assert [str(each.message).startswith(text) for each in recwarn] == [True, True]
