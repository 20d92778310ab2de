# ===- _version.py - the version of TT-Lang that ttl-jit follows --------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import _ttjit

VERSION = "1.1.1"


@_ttjit.public
def build_info():
    """Returns the version of the language, and what runs its kernels, as a dict. It raises no
    error.

    Example:

        print(ttl.build_info(), ttl.__version__)
    """
    return {
        "version": VERSION,
        "ttlang": VERSION,
        "tt_metal_tag": "emulated",
        "tt_metal": "the device that ttl-jit emulates",
    }
