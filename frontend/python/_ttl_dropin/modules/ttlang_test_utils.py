# SPDX-License-Identifier: Apache-2.0
"""Helpers that tests of kernels share: checks for a device, tensors on the device, comparisons."""

from ttl import ttnn
from ttl.utils.correctness import assert_allclose, assert_pcc, assert_with_ulp


def is_ttnn_available():
    return True


def is_hardware_available():
    return True


def is_simulated_device():
    return True


def require_ttnn():
    """Does nothing, because ttnn is always there."""


def require_hardware(message=""):
    """Does nothing, because the emulated device is always there."""


def pin_xdist_worker_to_device():
    """Does nothing, because every process emulates a device of its own."""


def to_dram(tensor, device):
    """Returns the torch tensor as a tensor on the device, in tile layout, in DRAM."""
    return _placed(tensor, device, ttnn.DRAM_MEMORY_CONFIG)


def to_l1(tensor, device):
    """Returns the torch tensor as a tensor on the device, in tile layout, in L1."""
    return _placed(tensor, device, ttnn.L1_MEMORY_CONFIG)


def _placed(tensor, device, memory_config):
    return ttnn.from_torch(
        tensor, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config
    )


__all__ = [
    "assert_allclose",
    "assert_pcc",
    "assert_with_ulp",
    "is_hardware_available",
    "is_simulated_device",
    "is_ttnn_available",
    "pin_xdist_worker_to_device",
    "require_hardware",
    "require_ttnn",
    "to_dram",
    "to_l1",
]
