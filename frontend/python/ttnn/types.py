# SPDX-License-Identifier: Apache-2.0
"""Element types, layouts, tiles and shapes."""

import enum
import math
import operator

import numpy as np

from _ttjit import (
    BufferType,  # noqa: F401  programs take it from ttnn.types too
    CoreCoord,  # noqa: F401
    DataType,
    Layout,
    MemoryConfig,  # noqa: F401
    TensorMemoryLayout,  # noqa: F401
    public,
    public_methods,
)
from . import words

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

TILE_SIZE = 32
FACE_SIZE = 16

INTEGERS = (uint32, int32, uint16, uint8)
BLOCK_FLOATS = (bfloat8_b, bfloat4_b)


class StorageType(enum.Enum):
    """Tells whether the elements of a tensor are on the host or on the device."""

    HOST = 0
    DEVICE = 1


_ALL_DTYPES = tuple(value for value in vars(DataType).values() if isinstance(value, DataType))


def as_dtype(value):
    """Returns the DataType for a dtype of ttnn, torch or numpy."""
    for dtype in _ALL_DTYPES:
        if dtype == value:
            return dtype
    try:
        name = np.dtype(value).name
    except Exception:  # numpy raises various exceptions for strings that name no type
        name = str(value)
    for dtype in _ALL_DTYPES:
        if dtype.name.lower() == name:
            return dtype
    known = ", ".join(f"ttnn.{d.name.lower()}" for d in _ALL_DTYPES)
    raise TypeError(words.readable(f"{value!r} is not a tensor type; expected one of: {known}"))


@public_methods
class _ShapeMethods:
    __slots__ = ()

    def to_rank(self, rank):
        """Returns the shape with leading extents of 1 added or removed, so that it has the given
        rank."""
        kept = self[max(len(self) - rank, 0) :]
        if any(extent != 1 for extent in self[: len(self) - len(kept)]):
            raise ValueError(f"to_rank({rank}) of {self!r}: only leading extents of 1 can be "
                             "removed")
        return Shape((1,) * (rank - len(kept)) + tuple(kept))

    def volume(self):
        """Returns the number of elements."""
        return math.prod(self)


class Shape(_ShapeMethods, tuple):
    """A tuple of extents, outermost first. It is equal to lists and tuples of the same numbers."""

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


@public_methods
class Tile:
    """The extents of a tile. All tiles have 32 rows and 32 columns here."""

    def __init__(self, tile_shape=(TILE_SIZE, TILE_SIZE), transpose_tile=False):
        if tuple(tile_shape) != (TILE_SIZE, TILE_SIZE) or transpose_tile:
            raise ValueError(f"Tile({tile_shape!r}, transpose_tile={transpose_tile!r}): a tile "
                             "must have 32 rows and 32 columns, and must not be transposed")

    @property
    def tile_shape(self):
        return [TILE_SIZE, TILE_SIZE]

    @property
    def face_shape(self):
        return [FACE_SIZE, FACE_SIZE]

    @property
    def num_faces(self):
        return 4

    def get_tile_size(self, dtype):
        """Returns the size of one tile in bytes."""
        return tile_bytes(as_dtype(dtype))

    def __eq__(self, other):
        return isinstance(other, Tile)

    def __hash__(self):
        return hash(Tile)

    def __repr__(self):
        return "Tile([32, 32])"


_ELEMENT_BYTES = {float32: 4, uint32: 4, int32: 4, bfloat16: 2, float16: 2, uint16: 2, uint8: 1}


def element_bytes(dtype):
    """Returns the size of an element in bytes. For block floats it is 1; the shared exponents are
    not counted."""
    return _ELEMENT_BYTES.get(dtype, 1)


def tile_bytes(dtype):
    """Returns the size of a tile in bytes. Block floats have one exponent byte for 16 elements."""
    elements = TILE_SIZE * TILE_SIZE
    if dtype in BLOCK_FLOATS:
        bits = 8 if dtype == bfloat8_b else 4
        return elements * bits // 8 + elements // 16
    return elements * _ELEMENT_BYTES[dtype]
