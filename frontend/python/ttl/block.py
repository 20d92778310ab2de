# ===- block.py - ttl.block: the same functions as ttl.math --------------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

from ttl import _api

globals().update((name, _api.TABLE[name]) for name in _api.BLOCK_FUNCTIONS)

__all__ = list(_api.BLOCK_FUNCTIONS)
