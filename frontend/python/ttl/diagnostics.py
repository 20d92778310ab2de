# ===- diagnostics.py - ttl.diagnostics, compile-time errors under an older name === #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

from ttl._errors import TTLangCompileError

__all__ = ["TTLangCompileError"]
