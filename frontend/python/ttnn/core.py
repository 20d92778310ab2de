# SPDX-License-Identifier: Apache-2.0
"""ttnn.core: small helper functions."""

from .conversion import get_memory_config, is_sharded  # noqa: F401
from .operands import check_tensor


def divup(number, divisor):
    """Returns number / divisor, rounded up."""
    return -(-number // divisor)


def roundup(number, multiple):
    """Returns the smallest multiple that is not below the number."""
    return divup(number, multiple) * multiple


def has_storage_type_of(tensor, storage_type):
    """Returns whether the tensor is stored as storage_type says: on the host, or on the device."""
    return check_tensor(tensor, "has_storage_type_of(): tensor").storage_type() is storage_type


def has_tile_padding(tensor):
    """Returns whether the tensor's tiles contain padding."""
    shape = tensor.shape.to_rank(max(len(tensor.shape), 2))
    return shape[-2:] != tuple(tensor.padded_shape)[-2:]
