# SPDX-License-Identifier: Apache-2.0
"""ttl.copy(block, block, byte_count=...): copies between the blocks of two buffers."""

# feature: Copies and handles

import numpy as np
import pytest
import ttl
import ttnn

ENGINES = ["--engine=jit", "--engine=interp", "--stage=ttl", "--stage=sync"]


def copied(count=None, columns=2, other=2, kind=None, rows=1):
    @ttl.operation(grid=(2, 2))
    def copied(x, y):
        inp = ttl.make_dataflow_buffer_like(x, shape=(rows, columns))
        out = ttl.make_dataflow_buffer_like(x, shape=(rows, other))
        size = rows * columns * ttnn.Tile().get_tile_size(ttnn.float32) if count is None else count

        @ttl.datamovement()
        def read():
            column, row = ttl.node(dims=2)
            for turn in range(2):
                with inp.reserve() as block:
                    ttl.copy(x[2 * turn + row, 2 * column : 2 * column + 2], block).wait()

        @ttl.datamovement()
        def write():
            column, row = ttl.node(dims=2)
            for turn in range(2):
                with inp.wait() as block, out.reserve() as copy:
                    ttl.copy(block, copy, byte_count=size).wait()
                with out.wait() as block:
                    ttl.copy(block, y[2 * turn + row, 2 * column : 2 * column + 2]).wait()

    return copied


@pytest.mark.not_emitted("the emitted engine has one stage")
@pytest.mark.parametrize("options", ENGINES)
def test_a_block_is_copied_on_every_node(options):
    x, y = np.arange(128 * 128, dtype=np.float32).reshape(128, 128), np.zeros((128, 128), np.float32)
    run = copied()
    for _ in range(2):
        y[:] = 0
        run(x, y, options=options)
        assert np.array_equal(x, y)


def test_refusals():
    x = np.zeros((128, 128), np.float32)
    for made, text in [(copied(count=4096), "copies the whole block, which has 8192 bytes"),
                       (copied(other=1), "one shape and type, found [1, 2] of float32 and [1, 1] of float32")]:
        with pytest.raises(ttl.CompileError) as caught:
            made(x, x)
        assert text in caught.value.message
        assert caught.value.file == __file__

    @ttl.operation(grid=(1, 1))
    def slices(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def read():
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block, byte_count=2048).wait()

    with pytest.raises(ttl.CompileError, match="byte_count=2048: a copy copies the whole block, which has 4096 bytes"):
        slices(x)
