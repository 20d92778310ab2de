# ===- config.py - ttl.config, the properties of the machine ----------------------===
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

HAS_TT_DEVICE = True  # true, because the emulated device is always there
