# SPDX-License-Identifier: Apache-2.0
"""What tests of kernels share: where the device is, tensors on it, comparisons."""

import ttnn
from ttl.utils.correctness import assert_allclose, assert_pcc, assert_with_ulp


def is_ttnn_available():
    return True


def is_hardware_available():
    return True


def is_simulated_device():
    return True


def require_ttnn():
    """Does nothing: ttnn is here."""


def require_hardware(message=""):
    """Does nothing: the emulated device is here."""


def pin_xdist_worker_to_device():
    """Does nothing: every process emulates a device of its own."""


def to_dram(tensor, device):
    """The torch tensor on the device: tile layout, DRAM."""
    return _placed(tensor, device, ttnn.DRAM_MEMORY_CONFIG)


def to_l1(tensor, device):
    """The torch tensor on the device: tile layout, L1."""
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
