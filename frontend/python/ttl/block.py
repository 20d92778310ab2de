# ===- block.py - ttl.block: the same functions as ttl.math -------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

"""The functions of ttl.math under another name: ttl.block.exp(x) is ttl.exp(x)."""

from ttl import _api

globals().update((name, _api.TABLE[name]) for name in _api.BLOCK_FUNCTIONS)

__all__ = list(_api.BLOCK_FUNCTIONS)
