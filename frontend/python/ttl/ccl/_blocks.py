# ===- _blocks.py - how a collective cuts a tensor into blocks ----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A block is a rectangle of the two innermost dimensions: of tiles, or of elements of a row-major tensor.
# All blocks of a tensor have one shape, so that its extents divide the tensor's. Blocks are numbered row
# by row. The shape depends on the tensor alone, because the order of sums may depend on the block.
# ===--------------------------------------------------------------------------=== #

import functools
import math

TILE = 32
MOST_TILES = 16
MOST_BYTES = 1 << 16
ALIGNMENT = 64  # in bytes, of the rows of row-major blocks: the DRAM of no chip needs more


class Blocks:
    """How a tensor is cut into blocks. `units` are the extents of the tensor in units of slices (tiles, or
    elements if it is row-major); `shape` has the two innermost extents of a block, in the same units."""

    def __init__(self, units, shape):
        self.shape, self.outer = shape, len(units) - len(shape)
        self.sizes = (1,) * self.outer + shape
        assert all(unit % size == 0 for unit, size in zip(units, self.sizes)), (units, shape)
        self.counts = tuple(unit // size for unit, size in zip(units, self.sizes))
        self.strides = tuple(math.prod(self.counts[axis + 1:]) for axis in range(len(units)))
        self.count = math.prod(self.counts)


def place(blocks, number, axis, shift):
    """Returns the slices of a block in a tensor, `shift` further along an axis. Kernels call it."""
    starts = [number // stride % count * size for stride, count, size
              in zip(blocks.strides, blocks.counts, blocks.sizes)]
    starts = [start + shift if each == axis else start for each, start in enumerate(starts)]
    ends = zip(starts[blocks.outer:], blocks.shape)
    return (*starts[: blocks.outer], *(slice(start, start + size) for start, size in ends))


def _divisor(extent, most):
    """Returns the largest divisor of the extent that is at most `most`, and at least 1."""
    return max(each for each in range(1, min(extent, max(most, 1)) + 1) if extent % each == 0)


def units_of(shape, is_tiled):
    """Returns the extents of a tensor in units of slices: tiles, or elements."""
    if not is_tiled:
        return tuple(shape)
    shape = (1,) * (2 - len(shape)) + tuple(shape)
    return (*shape[:-2], -(-shape[-2] // TILE), -(-shape[-1] // TILE))


def _columns(extent, bytes_of_element):
    """Returns the columns of a row-major block."""
    step = ALIGNMENT // math.gcd(ALIGNMENT, bytes_of_element)
    return step * _divisor(extent // step, MOST_BYTES // (step * bytes_of_element))


@functools.lru_cache(maxsize=256)
def blocks_of(shape, bytes_of_element):
    """Returns the Blocks into which a collective divides a tensor of a shape. bytes_of_element is the size of an
    element if the tensor is row-major, and None if it is tiled."""
    is_tiled = bytes_of_element is None
    units = units_of(shape, is_tiled)
    if is_tiled:
        columns = _divisor(units[-1], MOST_TILES)
        most = MOST_TILES // columns
    else:
        columns = _columns(units[-1], bytes_of_element)
        most = MOST_BYTES // (columns * bytes_of_element)
    rows = (_divisor(units[-2], most),) if len(units) > 1 else ()
    return Blocks(units, (*rows, columns))


@functools.lru_cache(maxsize=256)
def rows_of(shape, bytes_of_element):
    """Returns the blocks of a row-major tensor, if no block may have elements of several rows."""
    return Blocks(tuple(shape), (1, _columns(shape[-1], bytes_of_element)))


def aligned(extent, bytes_of_element):
    """Returns the extent of the rows of a row-major tensor that kernels can move."""
    step = ALIGNMENT // math.gcd(ALIGNMENT, bytes_of_element)
    return -(-extent // step) * step


def is_aligned(shape, bytes_of_element):
    """Returns whether kernels can move the rows of a row-major tensor."""
    return len(shape) > 0 and shape[-1] * bytes_of_element % ALIGNMENT == 0


def lanes_of(work, columns, lanes):
    """Returns how many nodes of each device work: `lanes`, or 8 if it is None, but not more than there are
    blocks of work or columns of nodes."""
    return max(1, min(8 if lanes is None else lanes, work, columns))
