# ===- _accessors.py - older functions that wrap tensors ----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Kernels index tensors directly. Older kernels first make an accessor of a tensor; here the
# accessor is the tensor itself.
# ===--------------------------------------------------------------------------=== #

import enum

import _ttjit
from ttl import _capture


class IndexType(enum.Enum):
    """The unit in which the indices of an accessor count: TILE is a tile of 32x32 elements. Any
    other value is a ValueError.

    Example, in the body of an operation:

        source = ttl.TensorAccessor(x, ttl.IndexType.TILE)
    """

    TILE = "tile"


@_ttjit.public
def TensorAccessor(tensor, index_type=IndexType.TILE):
    """Returns the tensor itself, because kernels index tensors by tiles without an accessor.

    Raises a TypeError, in an operation a ttl.CompileError, for an argument that is no tensor.

    Example, in the body of an operation:

        source = ttl.TensorAccessor(x)
    """
    if not _ttjit.is_tensor(tensor):
        found = type(tensor).__name__
        message = f"the argument of TensorAccessor() must be a tensor, found {found}"
        if _capture.current() is None:
            raise TypeError(message)
        _capture.fail(message)
    return tensor


Stream = TensorAccessor


@_ttjit.public
def is_tiled(tensor, tile_shape=(32, 32)):
    """Returns whether the innermost extents of the tensor are multiples of the tile's extents, in
    elements.

    Raises an AttributeError for an argument without a shape.

    Example:

        assert ttl.is_tiled(x) and not ttl.is_tiled(np.zeros((32, 33)))
    """
    extents = tuple(tensor.shape)[-len(tile_shape) :]
    return len(extents) == len(tile_shape) and all(
        extent % size == 0 for extent, size in zip(extents, tile_shape)
    )
