# SPDX-License-Identifier: Apache-2.0
"""ttnn.core: small helpers that programs take from there."""

from .conversion import get_memory_config, is_sharded  # noqa: F401
from .operands import check_tensor


def divup(number, divisor):
    """number / divisor, rounded up."""
    return -(-number // divisor)


def roundup(number, multiple):
    """The smallest multiple that is not below the number."""
    return divup(number, multiple) * multiple


def has_storage_type_of(tensor, storage_type):
    """Whether the tensor is on the host, or on the device."""
    return check_tensor(tensor, "has_storage_type_of(): tensor").storage_type() is storage_type


def has_tile_padding(tensor):
    """Whether tiles of the tensor hold padding."""
    shape = tensor.shape.to_rank(max(len(tensor.shape), 2))
    return shape[-2:] != tuple(tensor.padded_shape)[-2:]
