# SPDX-License-Identifier: Apache-2.0
"""Describes how a tensor is divided among cores."""

from _ttjit import ClassSignature, ShardOrientation, ShardSpec  # noqa: F401

from .cores import CoreRangeSet

_ranges = ShardSpec.grid.fget
ShardSpec.grid = property(lambda self: CoreRangeSet(_ranges(self)))
ShardSpec.numel = lambda self: self.shape[0] * self.shape[1]
ShardSpec.__signature__ = ClassSignature(
    lambda self, grid, shard_shape, shard_orientation=ShardOrientation.ROW_MAJOR: None
)
