# SPDX-License-Identifier: Apache-2.0
"""Element types, layouts, memories and shapes."""

import operator

import numpy as np

from _ttjit import (
    BufferType,
    CoreCoord,
    CoreRange,
    CoreRangeSet,
    DataType,
    Layout,
    MemoryConfig,
    ShardOrientation,
    ShardSpec,
    TensorMemoryLayout,
    public,
)

float32 = DataType.FLOAT32
bfloat16 = DataType.BFLOAT16
float16 = DataType.FLOAT16
bfloat8_b = DataType.BFLOAT8_B
bfloat4_b = DataType.BFLOAT4_B
uint32 = DataType.UINT32
int32 = DataType.INT32
uint16 = DataType.UINT16
uint8 = DataType.UINT8

TILE_LAYOUT = Layout.TILE
ROW_MAJOR_LAYOUT = Layout.ROW_MAJOR

DRAM_MEMORY_CONFIG = MemoryConfig()
L1_MEMORY_CONFIG = MemoryConfig(buffer_type=BufferType.L1)

TILE_SIZE = 32

_ALL_DTYPES = tuple(value for value in vars(DataType).values() if isinstance(value, DataType))


def as_dtype(value):
    """The DataType for one of ttnn, torch or numpy."""
    for dtype in _ALL_DTYPES:
        if dtype == value:
            return dtype
    try:
        name = np.dtype(value).name
    except Exception:  # numpy raises what it likes for strings that name no type
        name = str(value)
    for dtype in _ALL_DTYPES:
        if dtype.name.lower() == name:
            return dtype
    known = ", ".join(f"ttnn.{d.name.lower()}" for d in _ALL_DTYPES)
    raise TypeError(f"{value!r} is not a tensor type; expected one of: {known}")


class Shape(tuple):
    """A tuple of extents, outermost first; equal to lists and tuples of the same numbers."""

    __slots__ = ()

    def __new__(cls, extents=()):
        try:
            return super().__new__(cls, map(operator.index, extents))
        except TypeError:
            raise TypeError(f"shape {extents!r}: expected a sequence of integers") from None

    __new__ = staticmethod(public(__new__))

    @property
    def rank(self):
        return len(self)

    def __eq__(self, other):
        return tuple.__eq__(self, tuple(other) if isinstance(other, list) else other)

    def __ne__(self, other):
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self):
        return f"Shape({list(self)})"
