# ===- _version.py - the version of TT-Lang that ttl-jit follows --------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import _ttjit
from ttl import _source

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


_CLAIM = "device-numerics.NAME.modelled"


@_ttjit.public
def require(claim):
    """Checks that this version of ttl-jit meets a claim, so that a script fails early and not with
    other results.

    A claim is "device-numerics.NAME.modelled": --numerics=device computes the tile operation NAME,
    such as exp, with the bits of the card. matmul, reduce_sum, reduce_max, broadcast and transpose
    are names, too, for floats. docs/device-numerics.md lists all.

    Raises a RuntimeError if the claim is not met, and a ValueError for one that is not known.

    Example:

        ttl.require("device-numerics.exp.modelled")
    """
    parts = claim.split(".") if isinstance(claim, str) else []
    if len(parts) != 3 or parts[0] != "device-numerics" or parts[2] != "modelled":
        raise ValueError(f"ttl.require({claim!r}): expected a claim such as {_CLAIM!r}")
    claims = _ttjit.device_claims()
    if parts[1] not in claims:
        similar = _source.similar(parts[1], claims)
        hint = f"; did you mean {similar!r}?" if similar else ""
        raise ValueError(f"ttl.require({claim!r}): there is no tile operation {parts[1]!r}{hint}")
    if claims[parts[1]] != parts[2]:
        raise RuntimeError(
            f"ttl.require({claim!r}): the bits that the card computes for {parts[1]!r} are not known here; "
            "--numerics=device computes it as --numerics=host does"
        )
