# ===- block_allocation.py - divides work among nodes -------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A grid is given as (rows, columns); further dimensions come before these. A range of nodes is
# (first node, last node) and includes both. Nodes are taken row by row, or column by column with
# row_wise=False.
# ===--------------------------------------------------------------------------=== #

import math
from collections import namedtuple

MatmulParams = namedtuple("MatmulParams", "block_h block_w subblock_h subblock_w")

# The number of tiles of L1 that get_large_matmul_params() uses. They hold two blocks of each
# operand and one block of the result.
TILES_OF_L1 = 400

# Sizes of subblocks that fit in DST, the best first.
SUBBLOCKS = (
    [(4, 2), (2, 4), (8, 1), (1, 8), (7, 1), (1, 7), (3, 2), (2, 3), (6, 1), (1, 6)]
    + [(5, 1), (1, 5), (2, 2), (4, 1), (1, 4), (3, 1), (1, 3), (2, 1), (1, 2), (1, 1)]
)


# ===--------------------------------------------------------------------------=== #
# Ranges of nodes
# ===--------------------------------------------------------------------------=== #


def _lines_of(grid_size, row_wise):
    """Returns the number of lines (rows, or columns) in which nodes are taken, and the number of
    nodes in one line."""
    if any(extent < 1 for extent in grid_size):
        raise ValueError(f"a grid's extents must be at least 1, found {tuple(grid_size)}")
    if any(extent != 1 for extent in grid_size[:-2]):
        raise ValueError("the grid of one device must have two dimensions, found "
                         f"{tuple(grid_size)}")
    rows, columns = (1, *grid_size)[-2:]
    return (rows, columns) if row_wise else (columns, rows)


def _range(first, last, rank, row_wise):
    """Converts a range from (line, position) to (line, position) to coordinates of the grid."""
    corners = [corner if row_wise else corner[::-1] for corner in (first, last)]
    return tuple(((0,) * rank + corner)[-rank:] for corner in corners)


def _ranges(start, count, grid_size, row_wise):
    """Returns ranges with the `count` nodes from number `start` on: the rest of a line, whole
    lines, and part of a line."""
    _, length = _lines_of(grid_size, row_wise)
    rank, ranges = len(grid_size), []
    while count > 0:
        line, position = divmod(start, length)
        if position or count < length:
            taken = min(count, length - position)
            last = (line, position + taken - 1)
        else:
            taken = count - count % length
            last = (line + taken // length - 1, length - 1)
        ranges.append(_range((line, position), last, rank, row_wise))
        start, count = start + taken, count - taken
    return ranges


def num_cores_to_grid_ranges(start_coord, target_num_cores, grid_size, row_wise=True):
    """Returns ranges with this many nodes, from start_coord on."""
    lines, length = _lines_of(grid_size, row_wise)
    row, column = (0, *start_coord)[-2:]
    line, position = (row, column) if row_wise else (column, row)
    start = line * length + position
    if not 0 <= start < lines * length or target_num_cores > lines * length - start:
        raise ValueError(
            f"grid {tuple(grid_size)} has fewer than {target_num_cores} nodes from "
            f"{tuple(start_coord)} on"
        )
    return _ranges(start, target_num_cores, grid_size, row_wise)


def get_number_of_nodes_from_ranges(ranges):
    """Returns how many nodes the ranges have together."""
    return sum(
        math.prod(last - first + 1 for first, last in zip(*corners)) for corners in ranges
    )


get_number_of_cores_from_ranges = get_number_of_nodes_from_ranges


# ===--------------------------------------------------------------------------=== #
# Division of work
# ===--------------------------------------------------------------------------=== #


def _divide(grid_size, units, row_wise):
    """Returns (nodes of group 1, nodes of group 2, units of each node of group 1, units of each
    node of group 2)."""
    if units < 0:
        raise ValueError(f"the number of units must be at least 0, found {units}")
    nodes = math.prod(_lines_of(grid_size, row_wise))
    if units <= nodes:
        return units, 0, min(units, 1), 0
    each, more = divmod(units, nodes)
    return (more, nodes - more, each + 1, each) if more else (nodes, 0, each, 0)


def split_work_to_nodes(grid_size, units_to_divide, row_wise=True):
    """Divides units of work among the nodes of a grid as evenly as possible. Returns (number of
    nodes with work, ranges of group 1, ranges of group 2, units of each node of group 1, units of
    each node of group 2). A node of group 1 has one unit more than a node of group 2."""
    first, second, each1, each2 = _divide(grid_size, units_to_divide, row_wise)
    group1 = _ranges(0, first, grid_size, row_wise)
    group2 = _ranges(first, second, grid_size, row_wise)
    return first + second, group1, group2, each1, each2


def split_work_to_cores(grid_size, units_to_divide, row_wise=True):
    """Does the same as split_work_to_nodes() in an older form: each group is one (first node, last
    node)."""
    nodes, group1, group2, each1, each2 = split_work_to_nodes(
        grid_size, units_to_divide, row_wise
    )
    ends = [(group[0][0], group[-1][1]) if group else () for group in (group1, group2)]
    return nodes, *ends, each1, each2


# ===--------------------------------------------------------------------------=== #
# Blocks of a matrix multiplication
# ===--------------------------------------------------------------------------=== #


def get_maximum_block_dim(block_dim, in0_block_w):
    """Returns how many tiles the other dimension of a block may have if L1 must hold two blocks of
    each operand and one block of the result; 0 if none fits."""
    left = TILES_OF_L1 - 2 * in0_block_w * block_dim
    return max(0, left // (2 * in0_block_w + block_dim))


def _factors(number, limit):
    """Returns (the product of the prime factors of `number` above the limit, the divisors made of
    the other factors)."""
    forced, divisors, factor = 1, {1}, 2
    while number > 1:
        if number % factor:
            factor += 1
            continue
        number //= factor
        if factor > limit:
            forced *= factor
        else:
            divisors |= {divisor * factor for divisor in divisors}
    return forced, sorted(divisors)


def _largest(divisors, forced, limit):
    """Returns the largest block dimension of at most `limit`; 0 if there is none."""
    return max((d * forced for d in divisors if d * forced <= limit), default=0)


def _blocks(rows, columns, in0_block_w):
    """Yields block sizes (height, width) to try. `rows` and `columns` are results of
    _factors()."""
    (forced_h, heights), (forced_w, widths) = rows, columns
    if forced_h > 1:
        limit = get_maximum_block_dim(forced_h, in0_block_w)
        yield forced_h, _largest(widths, forced_w, limit)
        return
    for width in [1] if forced_w > 1 else widths:
        limit = get_maximum_block_dim(width * forced_w, in0_block_w)
        yield _largest(heights, 1, limit), width * forced_w


def get_large_matmul_params(Mt, Nt, num_cores_y, num_cores_x, in0_block_w):
    """Returns the block of the result that each node computes, and its subblock in DST, in tiles,
    for a product of Mt x Nt tiles. All numbers are 0 if no block fits both L1 and the grid."""
    rows, columns = _factors(Mt, num_cores_y), _factors(Nt, num_cores_x)
    for height, width in _blocks(rows, columns, in0_block_w):
        if not height or not width or Mt // height > num_cores_y or Nt // width > num_cores_x:
            continue
        for h, w in SUBBLOCKS:
            if height % h == 0 and width % w == 0:
                return MatmulParams(height, width, h, w)
    return MatmulParams(0, 0, 0, 0)
