# ===- tensor_layout.py - names of layouts ------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Programs that take the memory of a tensor as text convert it by this name.
# ===--------------------------------------------------------------------------=== #

from d2m_jit._layout import memory_space as _to_mem_space

__all__ = ["_to_mem_space"]
