# ===- sim.py - the name of d2m-jit's simulator -------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

"""The same as d2m_jit: all kernels run on the emulated device."""

from d2m_jit import *  # noqa: F403
