# ===- config.py - ttl.config: what scripts ask about the machine ---------------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

HAS_TT_DEVICE = True  # the emulated one
