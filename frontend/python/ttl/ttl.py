# ===- ttl.py - ttl.ttl: the package under its older name ---------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import ttl as _package

__all__ = [name for name in vars(_package) if not name.startswith("_") and name != "ttl"]


# Whoever looks for the decorators of kernel functions finds them in this module's dictionary.
globals().update({name: getattr(_package, name) for name in __all__})


def __getattr__(name):
    return getattr(_package, name)
