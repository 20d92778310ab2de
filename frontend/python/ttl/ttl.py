# ===- ttl.py - ttl.ttl: the package under its older name -----------------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

import ttl as _package

__all__ = [name for name in vars(_package) if not name.startswith("_") and name != "ttl"]


def __getattr__(name):
    return getattr(_package, name)
