# ===- _accessors.py - older names around tensors --------------------------------===//
# SPDX-License-Identifier: Apache-2.0
#
# Kernels index tensors themselves. Older ones make an accessor first: it is the
# tensor.
# ===----------------------------------------------------------------------------===//

import enum

import _ttjit
from ttl import _capture


class IndexType(enum.Enum):
    """What the indices of an accessor count."""

    TILE = "tile"


@_ttjit.public
def TensorAccessor(tensor, index_type=IndexType.TILE):
    """The tensor itself: kernels index tensors by tiles without an accessor."""
    if not _ttjit.is_tensor(tensor):
        message = f"TensorAccessor() takes a tensor, found {type(tensor).__name__}"
        if _capture.current() is None:
            raise TypeError(message)
        _capture.fail(message)
    return tensor


Stream = TensorAccessor


@_ttjit.public
def is_tiled(tensor, tile_shape=(32, 32)):
    """Whether the tensor's innermost extents are multiples of the tile's."""
    extents = tuple(tensor.shape)[-len(tile_shape) :]
    return len(extents) == len(tile_shape) and all(
        extent % size == 0 for extent, size in zip(extents, tile_shape)
    )
