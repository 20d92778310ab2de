# ===- config.py - ttl.config, the properties of the machine ------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

from ttl._version import VERSION  # noqa: F401  programs read it here

HAS_TT_DEVICE = True  # true, because the emulated device is always there
