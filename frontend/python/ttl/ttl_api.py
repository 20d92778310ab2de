# ===- ttl_api.py - ttl.ttl_api, names that scripts in the oldest spelling import --===
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------------===//

"""The names of the pykernel spelling: from ttlang.d2m_api import *, from pykernel.d2m_api import
*."""

from ttl import CircularBuffer, Program, Semaphore, Stream, TensorAccessor, compute, datamovement
from ttl._api import TABLE as _TABLE
from ttl._pykernel import kernel, pykernel_gen, ttl_kernel
from ttl._pykernel_functions import core_index, fill, rowmax, rowsum, sqrt


class TensorBlock:
    """The type that annotations of blocks name."""


class MemTx:
    """The type that annotations of copies' handles name."""


dma = _TABLE["copy"]
bcast = _TABLE["bcast"]
exp = _TABLE["exp"]
maximum = _TABLE["maximum"]
recip = _TABLE["recip"]
reduce_max = _TABLE["reduce_max"]
reduce_sum = _TABLE["reduce_sum"]
rsqrt = _TABLE["rsqrt"]
transpose = _TABLE["transpose"]

__all__ = (
    "CircularBuffer MemTx Program Semaphore Stream TensorAccessor TensorBlock bcast compute "
    "core_index datamovement dma exp fill kernel maximum pykernel_gen recip reduce_max reduce_sum "
    "rowmax rowsum rsqrt sqrt transpose ttl_kernel"
).split()
