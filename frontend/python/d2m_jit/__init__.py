# ===- __init__.py - kernels and tensors in the spelling of d2m-jit -----------=== #
# SPDX-License-Identifier: Apache-2.0
#
# `import d2m_jit as d2m` runs programs that are written for tt-mlir's d2m-jit on the emulated device.
# A kernel becomes a unified operation of ttl (_kernel.py). Tensors are torch tensors with a layout.
# ===--------------------------------------------------------------------------=== #

"""d2m-jit's kernels and tensors, on the emulated device."""

from d2m_jit._config import config
from d2m_jit._errors import D2mJitError
from d2m_jit._functions import TileBcastType
from d2m_jit._host import (
    arange,
    empty,
    full,
    reshape,
    spatial,
    tilize,
    to_layout,
    untilize,
    zeros,
)
from d2m_jit._kernel import kernel
from d2m_jit._layout import Layout, bfloat16, float16, float32, reduction_layout, uint32
from d2m_jit._tensors import LazyTensor, to_host
from d2m_jit._views import permute, view, view_layout

__all__ = [
    *"D2mJitError Layout LazyTensor TileBcastType arange bfloat16 config empty float16 float32 full kernel".split(),
    *"permute reduction_layout reshape spatial tilize to_host to_layout uint32 untilize view".split(),
    *"view_layout zeros".split(),
]

_ABSENT = {
    **dict.fromkeys("mesh mesh_shard mesh_gather".split(), "one device is emulated, no mesh"),
    "global_semaphore": "kernels have semaphores of their own: s = Semaphore(0)",
    "Semaphore": "a kernel makes it, without d2m in front: s = Semaphore(0)",
    **dict.fromkeys("pattern apply_patterns from_value from_device infer_layout".split(),
                    "kernels are not rewrites of modules here"),
}


def __getattr__(name):
    reason = f": {_ABSENT[name]}" if name in _ABSENT else ""
    raise AttributeError(f"d2m_jit has no {name}{reason}")
