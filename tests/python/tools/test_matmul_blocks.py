# SPDX-License-Identifier: Apache-2.0
"""Emitted C++ calls matmul_block for some products; all engines give the same bits."""
# feature: Products of matrices

import numpy as np
import pytest
import ttnn

CONTEXTS = {
    "straight": ("", 1),
    "loop": ("for _ in range(2):\n", 2),
    "nested": ("for _ in range(1):\n    for _ in range(2):\n", 2),
    "branch": ("for step in range(2):\n    if step < 2:\n", 2),
}
KERNEL = """import ttl


@ttl.operation(grid=(1, 1))
def f(a, b, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=({rows}, {inner}))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=({inner}, {columns}))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=({rows}, {columns}))

    @ttl.compute()
    def compute():
{loops}{indent}with a_dfb.wait() as left, b_dfb.wait() as right, y_dfb.reserve() as out:
{indent}    out.store({expression})

    @ttl.datamovement()
    def read():
        for _ in range({rounds}):
            with a_dfb.reserve() as left, b_dfb.reserve() as right:
                ttl.copy(a[0:{rows}, 0:{inner}], left).wait()
                ttl.copy(b[0:{inner}, 0:{columns}], right).wait()

    @ttl.datamovement()
    def write():
        for _ in range({rounds}):
            with y_dfb.wait() as block:
                ttl.copy(block, y[0:{rows}, 0:{columns}]).wait()
"""


def make(tmp_path, shape, context="straight", expression="left @ right"):
    rows, inner, columns = shape
    loops, rounds = CONTEXTS[context]
    lines = "".join(" " * 8 + line + "\n" for line in loops.splitlines())
    indent = " " * (8 + 4 * len(loops.splitlines()))
    path = tmp_path / f"kernel{len(list(tmp_path.iterdir()))}.py"
    path.write_text(KERNEL.format(rows=rows, inner=inner, columns=columns, loops=lines, indent=indent,
                                  rounds=rounds, expression=expression))
    scope = {"__name__": path.stem, "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope["f"]


def operands(shape, dtype):
    rows, inner, columns = shape
    numbers = np.random.default_rng(0)
    extents = ((32 * rows, 32 * inner), (32 * inner, 32 * columns), (32 * rows, 32 * columns))
    return [ttnn.from_torch(numbers.integers(-3, 4, each).astype(np.float32), dtype=dtype) for each in extents]


# DST registers hold one row of tiles, parts of a row, or the whole block. In the last two shapes, the block
# cannot be divided equally into sets of registers.
SHAPES = ((4, 2, 8), (1, 2, 16), (8, 4, 8), (2, 3, 2), (5, 2, 3), (3, 3, 8), (2, 2, 12), (2, 2, 6))


@pytest.mark.not_emitted("reads the emitted text")
@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("dtype", (ttnn.bfloat16, ttnn.float32), ids=("bfloat16", "float32"))
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products_use_matmul_block(tmp_path, shape, dtype, context):
    text = make(tmp_path, shape, context).compile(*operands(shape, dtype)).cpp("compute")
    assert "matmul_block(" in text and "matmul_tiles(" not in text
    assert text.count("mm_block_init(") == 1


@pytest.mark.not_emitted("chooses the engines")
@pytest.mark.parametrize("expression", ("left @ right", "ttl.math.relu(left @ right)"))
@pytest.mark.parametrize("dtype", (ttnn.bfloat16, ttnn.float32), ids=("bfloat16", "float32"))
@pytest.mark.parametrize("shape", SHAPES + ((1, 2, 10), (2, 2, 7), (1, 1, 1)), ids=str)
def test_every_engine_has_the_bits_of_numpy(tmp_path, shape, dtype, expression):
    """These integers have exact products, so that numpy gives the same bits."""
    a, b, y = operands(shape, dtype)
    wanted = ttnn.to_numpy(a).astype(np.float32) @ ttnn.to_numpy(b).astype(np.float32)
    if "relu" in expression:
        wanted = np.maximum(wanted, 0)
    f = make(tmp_path, shape, "loop", expression)
    for engine in ("jit", "interp", "emitted"):
        f(a, b, y, options=f"--engine={engine}")
        assert (ttnn.to_numpy(y).astype(np.float32) == wanted).all()
