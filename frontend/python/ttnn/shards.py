# SPDX-License-Identifier: Apache-2.0
"""Describes how a tensor is divided among cores."""

import enum
import operator

import _ttjit
from _ttjit import public_methods

from .cores import CoreRangeSet


class ShardOrientation(enum.Enum):
    """The order in which the cores of a grid get the shards."""

    ROW_MAJOR = 0
    COL_MAJOR = 1


@public_methods
class ShardSpec:
    """The cores that hold a tensor, and the extents (height, width) of the shard that each core
    holds."""

    def __init__(self, grid, shard_shape, shard_orientation=ShardOrientation.ROW_MAJOR):
        self.grid = CoreRangeSet(grid)
        try:
            self.shape = [operator.index(extent) for extent in shard_shape]
        except TypeError:
            self.shape = []
        if len(self.shape) != 2 or min(self.shape) < 1:
            raise ValueError(f"shard_shape={shard_shape!r}: expected (height, width) in elements")
        if not isinstance(shard_orientation, ShardOrientation):
            raise TypeError(f"shard_orientation={shard_orientation!r}: expected "
                            "ttnn.ShardOrientation.ROW_MAJOR or COL_MAJOR")
        self.orientation = shard_orientation

    def num_cores(self):
        return self.grid.num_cores()

    def numel(self):
        """Returns the number of elements of one shard."""
        return self.shape[0] * self.shape[1]

    def _key(self):
        return (self.grid, tuple(self.shape), self.orientation)

    def __eq__(self, other):
        return isinstance(other, ShardSpec) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"ShardSpec({self.grid!r}, {self.shape}, {self.orientation})"


if hasattr(_ttjit, "ShardSpec"):
    ShardOrientation, ShardSpec = _ttjit.ShardOrientation, _ttjit.ShardSpec  # noqa: F811
    _ranges = ShardSpec.grid.fget
    ShardSpec.grid = property(lambda self: CoreRangeSet(_ranges(self)))
    ShardSpec.numel = lambda self: self.shape[0] * self.shape[1]
