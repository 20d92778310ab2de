# SPDX-License-Identifier: Apache-2.0
"""Adds methods to ShardSpec and NdShardSpec, which describe how a tensor is divided among cores."""

import math

from _ttjit import (  # noqa: F401
    ClassSignature,
    NdShardSpec,
    ShardDistributionStrategy,
    ShardOrientation,
    ShardSpec,
)

from .cores import CoreRangeSet
from .types import Shape

_ranges, _nd_ranges = ShardSpec.grid.fget, NdShardSpec.grid.fget
ShardSpec.grid = property(lambda self: CoreRangeSet(_ranges(self)))
ShardSpec.numel = lambda self: self.shape[0] * self.shape[1]
ShardSpec.__signature__ = ClassSignature(
    lambda self, grid, shard_shape, shard_orientation=ShardOrientation.ROW_MAJOR: None
)
_shape = NdShardSpec.shard_shape.fget
NdShardSpec.grid = property(lambda self: CoreRangeSet(_nd_ranges(self)))
NdShardSpec.shard_shape = property(lambda self: Shape(_shape(self)))
NdShardSpec.numel = lambda self: math.prod(self.shard_shape)
NdShardSpec.__signature__ = ClassSignature(
    lambda self, shard_shape, grid, orientation=ShardOrientation.ROW_MAJOR,
    shard_distribution_strategy=ShardDistributionStrategy.ROUND_ROBIN_1D: None
)
