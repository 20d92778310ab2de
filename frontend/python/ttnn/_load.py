# SPDX-License-Identifier: Apache-2.0
"""Loads the C++ extension module _ttjit. Import this module before _ttjit."""

import _ttl_load

_ttl_load.load("_ttjit")
