# ===- ttl.py - ttl.ttl: the package under its older name ---------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import ttl as _package

__all__ = [name for name in vars(_package) if not name.startswith("_") and name != "ttl"]


# Code that looks for the decorators of kernel functions reads a module's dictionary and does not
# call __getattr__(), so the dictionary gets all names.
globals().update({name: getattr(_package, name) for name in __all__})


def __getattr__(name):
    return getattr(_package, name)
