# ===- math.py - ttl.math: functions on blocks and block expressions ----------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

"""Functions of blocks and expressions in compute functions: ttl.math.exp(x) is ttl.exp(x)."""

from ttl import _api

globals().update((name, _api.TABLE[name]) for name in _api.BLOCK_FUNCTIONS)

__all__ = list(_api.BLOCK_FUNCTIONS)
