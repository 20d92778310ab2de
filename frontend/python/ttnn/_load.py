# SPDX-License-Identifier: Apache-2.0
"""Loads the extension. Import this before _ttjit."""

import _ttl_load

_ttl_load.load("_ttjit")
