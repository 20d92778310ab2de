# SPDX-License-Identifier: Apache-2.0
"""ttnn on the host: tensors for TT-Lang kernels on the emulated device.

Tensors are created from numpy arrays, torch tensors (torch is optional) or shapes,
placed on the device with device=, and combined with + - * @ for golden results.
"""

from _ttjit import public

from .creation import empty, full, manual_seed, ones, rand, zeros
from .device import close_device, open_device, synchronize_device
from .tensor import Tensor, from_numpy, from_torch, to_numpy, to_torch
from .types import (
    DRAM_MEMORY_CONFIG,
    L1_MEMORY_CONFIG,
    ROW_MAJOR_LAYOUT,
    TILE_LAYOUT,
    TILE_SIZE,
    BufferType,
    CoreCoord,
    CoreRange,
    CoreRangeSet,
    DataType,
    Layout,
    MemoryConfig,
    Shape,
    ShardOrientation,
    ShardSpec,
    TensorMemoryLayout,
    bfloat4_b,
    bfloat8_b,
    bfloat16,
    float16,
    float32,
    int32,
    uint8,
    uint16,
    uint32,
)

__all__ = [
    "BufferType",
    "CoreCoord",
    "CoreRange",
    "CoreRangeSet",
    "DRAM_MEMORY_CONFIG",
    "DataType",
    "L1_MEMORY_CONFIG",
    "Layout",
    "MemoryConfig",
    "ROW_MAJOR_LAYOUT",
    "Shape",
    "ShardOrientation",
    "ShardSpec",
    "TILE_LAYOUT",
    "TILE_SIZE",
    "Tensor",
    "TensorMemoryLayout",
    "bfloat16",
    "bfloat4_b",
    "bfloat8_b",
    "close_device",
    "empty",
    "float16",
    "float32",
    "from_numpy",
    "from_torch",
    "full",
    "int32",
    "manual_seed",
    "ones",
    "open_device",
    "rand",
    "synchronize_device",
    "to_numpy",
    "to_torch",
    "uint16",
    "uint32",
    "uint8",
    "zeros",
]


@public
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'ttnn' has no attribute '{name}'")
    raise AttributeError(f"ttnn has no '{name}' on the host; it has: {', '.join(__all__)}")
