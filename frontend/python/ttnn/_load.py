# SPDX-License-Identifier: Apache-2.0
"""Loads the extension. Import this before _ttjit.

Python makes the loader look up every function of a library when it is loaded. MLIR and LLVM have
tens of thousands, and a program calls few of them. Looking up each at its first call saves 10 ms
of the start.
"""

import os
import sys

_flags = sys.getdlopenflags()
sys.setdlopenflags(os.RTLD_LAZY)
try:
    import _ttjit  # noqa: F401
finally:
    sys.setdlopenflags(_flags)
