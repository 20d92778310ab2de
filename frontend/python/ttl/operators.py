# ===- operators.py - ttl.operators, functions of kernels as a module ---------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

from ttl._api import TABLE

globals().update(TABLE)
dma = TABLE["copy"]

__all__ = [*TABLE, "dma"]
