# ===- tensor_layout.py - names of layouts ------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Programs call _to_mem_space to convert the name of a memory, such as "l1".
# ===--------------------------------------------------------------------------=== #

from d2m_jit._layout import memory_space as _to_mem_space

__all__ = ["_to_mem_space"]
