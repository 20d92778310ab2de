# ===- _ttl_load.py - loads the extensions -----------------------------------------===
# SPDX-License-Identifier: Apache-2.0
#
# Python makes the loader look up every function of a library when it is loaded. MLIR and LLVM have
# tens of thousands, and a program calls few of them. Looking up each at its first call saves 10 ms
# of the start.
# ===----------------------------------------------------------------------------===//

import importlib
import os
import sys

_ADVICE = ("ttl-jit needs the libraries of LLVM and MLIR 22: install them (on Debian libllvm22 and "
           "libmlir-22), or use a wheel that contains them (tools/wheel --bundle)")


def load(name):
    """Imports an extension and returns it. If a shared library is missing, the ImportError says
    what to install."""
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_LAZY)
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if "cannot open shared object file" not in str(error):
            raise
        raise ImportError(f"{error}; {_ADVICE}") from None
    finally:
        sys.setdlopenflags(flags)
