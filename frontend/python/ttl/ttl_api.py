# ===- ttl_api.py - ttl.ttl_api, names that scripts in the oldest spelling import === #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

"""The names of the pykernel spelling: from ttlang.d2m_api import *, from pykernel.d2m_api import
*."""

# __all__ lists the names that the modules ttlang.d2m_api and pykernel.d2m_api provide.
from ttl import (  # noqa: F401
    CircularBuffer,
    Program,
    Semaphore,
    Stream,
    TensorAccessor,
    compute,
    datamovement,
)
from ttl._api import TABLE as _TABLE
from ttl._annotations import MemTx, TensorBlock  # noqa: F401
from ttl._pykernel import kernel, pykernel_gen, ttl_kernel  # noqa: F401
from ttl._pykernel_functions import core_index, fill, rowmax, rowsum, sqrt  # noqa: F401

_SAME = "bcast exp maximum recip reduce_max reduce_sum rsqrt transpose".split()
globals().update({_name: _TABLE[_name] for _name in _SAME})
dma = _TABLE["copy"]
Tensor = TensorBlock  # kernel functions that await and yield blocks name this type

__all__ = [
    *_SAME,
    *"CircularBuffer MemTx Program Semaphore Stream Tensor TensorAccessor TensorBlock compute".split(),
    *"core_index datamovement dma fill kernel pykernel_gen rowmax rowsum sqrt ttl_kernel".split(),
]
