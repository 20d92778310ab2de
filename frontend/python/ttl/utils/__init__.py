# ===- __init__.py - ttl.utils: what scripts use around kernels ------------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

"""Comparisons of results, and functions that divide work among nodes."""

from ttl.utils import block_allocation, correctness
from ttl.utils.correctness import assert_allclose, assert_pcc, assert_with_ulp


def require_hardware(message=""):
    """Does nothing: the emulated device is here."""


def require_ttnn():
    """Does nothing: ttnn is here."""
