# ===- _functions.py - the functions of blocks in kernels ---------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Maps the functions of d2m-jit to functions of ttl. A value in a kernel is an Int or a Block. A Block
# has its extents in tiles, and in `reduced` the dimensions along which it was reduced. Its elements
# along such a dimension are equal, so that it may be broadcast there to any extent.
# ===--------------------------------------------------------------------------=== #

import enum
from typing import NamedTuple


class Int(NamedTuple):
    """An integer; `value` is None if only the device knows it."""

    value: object = None


class Block(NamedTuple):
    rows: int
    columns: int
    reduced: frozenset = frozenset()

    @property
    def shape(self):
        return self.rows, self.columns


class TileBcastType(enum.IntEnum):
    """What tile_bcast() repeats: the first row, column or element of a tile."""

    Col = 1
    Row = 2
    Scalar = 3


# Functions of one block: the name here -> the name in ttl.
_SAME_UNARY = (
    "recip exp exp2 expm1 log log1p cos acos sin asin tan atan tanh sqrt rsqrt square sigmoid "
    "hardsigmoid silu selu softsign relu gelu erf erfc sign ceil floor frac trunc abs signbit "
    "logical_not"
).split()
UNARY = {**{name: name for name in _SAME_UNARY}, "negative": "neg"}

# Comparisons with zero: the name here -> the comparison in ttl.
WITH_ZERO = {"eqz": "eq", "nez": "ne", "gtz": "gt", "gez": "ge", "ltz": "lt", "lez": "le"}

_SAME_BINARY = "add sub mul div maximum minimum eq ne gt ge lt le".split()
BINARY = {**{name: name for name in _SAME_BINARY}, "pow": "power"}

# Bitwise functions, which ttl does not have.
BITWISE = (
    "bitwise_not bitwise_and bitwise_or bitwise_xor logical_left_shift logical_right_shift right_shift"
).split()
REDUCTIONS = ("reduce_sum", "reduce_max", "reduce_mean")
# Suffix or type of tile_bcast() -> the dimension along which it fills a tile.
BROADCASTS = {"row": 0, "col": 1, "column": 1}
FORMS = ("tile_bcast_row", "tile_bcast_col", "tile_bcast_2d")
OTHERS = ("clamp_scalar", "typecast", "tile_transpose", "tile_bcast", "where", "matmul")

METHODS = (*UNARY, *WITH_ZERO, *BINARY, *BITWISE, *REDUCTIONS, *FORMS, *OTHERS)
NAMES = (*METHODS, "core_index", "remote_load", "remote_store", "zeros", "range", "Semaphore")
