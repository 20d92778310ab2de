"""ttl_jit: the parent of the packages that TT-Lang scripts import.

    import ttl_jit
    ttl_jit.activate()   # now `import ttl` and `import ttnn` find ttl-jit's packages

Importing ttl_jit without calling activate() changes nothing: `import ttnn` still finds
another ttnn if one is installed.
"""
# SPDX-License-Identifier: Apache-2.0

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_INSTALLED = os.path.join(_HERE, "packages")


def packages():
    """Returns the folder that holds ttl, ttnn and the extension module."""
    # In a build tree, ttl and ttnn are beside this package.
    return _INSTALLED if os.path.isdir(_INSTALLED) else os.path.dirname(_HERE)


def activate():
    """Makes ttl, ttnn and the other names of TT-Lang importable, before anything else on sys.path.
    Returns the finder of these modules."""
    folder = packages()
    if folder in sys.path:
        sys.path.remove(folder)
    # The finder serves the modules before sys.path does. An installed ttnn that TTL_TTNN=device
    # asks for must come before the folder.
    sys.path.insert(len(sys.path) if os.environ.get("TTL_TTNN") == "device" else 0, folder)
    import _ttl_dropin

    return _ttl_dropin.install(folder)
