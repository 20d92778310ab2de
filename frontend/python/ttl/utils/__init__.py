# ===- __init__.py - ttl.utils, helpers for scripts around kernels ------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

"""Functions that compare results, and functions that divide work among nodes."""

from ttl.utils import block_allocation, correctness
from ttl.utils.correctness import assert_allclose, assert_pcc, assert_with_ulp


def require_hardware(message=""):
    """Does nothing, because the emulated device is always there."""


def require_ttnn():
    """Does nothing, because ttnn is always there."""
