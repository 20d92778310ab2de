"""ttnn.exp of tests/timing/data/s11.csv. Each of 64 cores has an equal part of the tiles, and reads, computes and
writes them one by one, as ttnn's own kernels for functions of one tensor do."""
# SPDX-License-Identifier: Apache-2.0

import functools
import math

import ttl
import ttnn

COLUMNS, LINES = 8, 8
FORMATS = {"bfloat16": "bfloat16", "float32": "float32", "bfloat8": "bfloat8_b"}  # exp takes no integers


@ttl.operation(grid=(COLUMNS, LINES))
def exponential(x: ttnn.Tensor, y: ttnn.Tensor) -> None:
    tiles = x.shape[0] // 32
    each, more = tiles // (COLUMNS * LINES), tiles % (COLUMNS * LINES)
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        column, line = ttl.node(dims=2)
        node = line * COLUMNS + column
        first = node * each + min(node, more)
        for tile in range(first, first + each + (1 if node < more else 0)):
            with x_dfb.reserve() as block:
                ttl.copy(x[tile, 0], block).wait()

    @ttl.compute()
    def compute():
        column, line = ttl.node(dims=2)
        node = line * COLUMNS + column
        for _ in range(each + (1 if node < more else 0)):
            with x_dfb.wait() as block, y_dfb.reserve() as out:
                out.store(ttl.math.exp(block))

    @ttl.datamovement()
    def writer():
        column, line = ttl.node(dims=2)
        node = line * COLUMNS + column
        first = node * each + min(node, more)
        for tile in range(first, first + each + (1 if node < more else 0)):
            with y_dfb.wait() as block:
                ttl.copy(block, y[tile, 0]).wait()


def tiles_of(shape):
    """Returns the number of tiles of a tensor such as 4x53x32x160, whose last two extents are padded to multiples
    of 32."""
    *outer, height, width = map(int, shape.split("x"))
    return math.prod(outer) * math.ceil(height / 32) * math.ceil(width / 32)


@functools.cache
def nanoseconds(arch, tiles, format, memory):
    with ttl.options(arch=arch, dry_run=True):
        x, y = (ttnn.zeros((32 * tiles, 32), dtype=getattr(ttnn, format), layout=ttnn.TILE_LAYOUT) for _ in range(2))
        estimate = exponential.time(x, y)
    if memory == "DRAM":
        return estimate.us * 1000
    if not any(each["change"] == "tensors in L1" for each in estimate.figures["what_if"]):
        return None  # the tensors do not fit into L1
    return estimate.us * 1000 * estimate.what_if("tensors in L1") / estimate.cycles
