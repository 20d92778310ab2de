# ===- builder.py - the module that programs build ----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Test suites begin a new module between tests: _Builder.reset().
# ===--------------------------------------------------------------------------=== #

from d2m_jit._tensors import _Module as _Builder

__all__ = ["_Builder"]
