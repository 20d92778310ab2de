# ===- ttl_api.py - ttl.ttl_api: what scripts of the oldest spelling import ------===//
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

from ttl import (
    CircularBuffer,
    Program,
    Semaphore,
    Stream,
    TensorAccessor,
    compute,
    datamovement,
    kernel,
)
from ttl.operators import dma
