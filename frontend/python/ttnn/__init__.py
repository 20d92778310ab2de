# SPDX-License-Identifier: Apache-2.0
"""ttnn on the host: tensors for TT-Lang kernels on the emulated device.

Tensors are created from numpy arrays, torch tensors (torch is optional) or shapes, and
placed on the device with device=. The functions compute golden results. docs/ttnn.md lists
all names.
"""

import os as _os
import types as _kinds

if __name__ == "ttnn" and _os.environ.get("TTL_TTNN") == "device":
    raise ImportError(
        "TTL_TTNN=device asks for the installed ttnn, but `import ttnn` finds ttl-jit's: install "
        f"ttnn, or put it before {_os.path.dirname(_os.path.dirname(__file__))} on sys.path; "
        "ttl-jit's is ttl.ttnn")

from . import _load  # noqa: E402
from _ttjit import finish_import as _finish_import
from _ttjit import public as _public
from _ttjit import (
    BufferType,
    CoreCoord,
    DataType,
    Layout,
    MemoryConfig,
    TensorMemoryLayout,
)

from . import (
    backend,
    binary,
    caches,
    compute_config,
    connections,
    conversion,
    convolution,
    core,
    cores,
    creation,
    device,
    distribution,
    fabric,
    files,
    generic,
    indexing,
    matrices,
    memory,
    mesh,
    normalization,
    program,
    reductions,
    semaphores,
    shapes,
    trace,
    transformer,
    types,
    unary,
)
from .activations import UnaryOpType, UnaryWithParam
from .caches import experimental, kv_cache
from .cores import CoreGrid, CoreRange, CoreRangeSet
from .device import Device
from .distribution import (
    ConcatMesh2dToTensor,
    ConcatMeshToTensor,
    MeshComposerConfig,
    MeshMapperConfig,
    ReplicateTensorToMesh,
    ShardTensor2dMesh,
    ShardTensorToMesh,
)
from .fabric import FabricConfig, FabricReliabilityMode, FabricRouterConfig, Topology
from .memory import (
    DRAM_MEMORY_CONFIG,
    L1_BLOCK_SHARDED_MEMORY_CONFIG,
    L1_HEIGHT_SHARDED_MEMORY_CONFIG,
    L1_MEMORY_CONFIG,
    L1_WIDTH_SHARDED_MEMORY_CONFIG,
    NdShardSpec,
    ShardDistributionStrategy,
    ShardOrientation,
    ShardShapeAlignment,
    ShardSpec,
    ShardStrategy,
    TensorSpec,
)
from .topology import MeshCoordinate, MeshShape, PlacementReplicate, PlacementShard
from .tensor import Tensor
from .types import (
    ROW_MAJOR_LAYOUT,
    TILE_LAYOUT,
    TILE_SIZE,
    Shape,
    StorageType,
    Tile,
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

MeshDevice = Device  # a mesh of one device is a device

# The classes, constants and modules of ttnn.
__all__ = (
    "BufferType ConcatMesh2dToTensor ConcatMeshToTensor CoreCoord CoreGrid CoreRange CoreRangeSet "
    "DRAM_MEMORY_CONFIG DataType Device FabricConfig FabricReliabilityMode FabricRouterConfig "
    "L1_BLOCK_SHARDED_MEMORY_CONFIG L1_HEIGHT_SHARDED_MEMORY_CONFIG L1_MEMORY_CONFIG "
    "L1_WIDTH_SHARDED_MEMORY_CONFIG Layout MemoryConfig MeshComposerConfig MeshCoordinate MeshDevice "
    "MeshMapperConfig MeshShape NdShardSpec PlacementReplicate PlacementShard ROW_MAJOR_LAYOUT "
    "ReplicateTensorToMesh Shape ShardDistributionStrategy ShardOrientation ShardTensor2dMesh ShardTensorToMesh "
    "ShardShapeAlignment ShardSpec ShardStrategy StorageType TILE_LAYOUT TILE_SIZE Tensor TensorMemoryLayout "
    "TensorSpec Tile Topology UnaryOpType UnaryWithParam bfloat16 bfloat4_b bfloat8_b core device "
    "experimental float16 float32 int32 kv_cache transformer types uint16 uint32 uint8"
).split()

# The modules whose functions compute with tensors; traces record their calls.
_OF_TENSORS = (binary, caches, conversion, convolution, creation, generic, indexing, matrices,
               normalization, reductions, shapes, unary)

# The modules whose functions compute new elements; ttnn.set_backend() chooses how.
_OF_ELEMENTS = (binary, convolution, indexing, matrices, normalization, reductions, unary)

# The functions of ttnn. public() removes their inner frames from tracebacks.
for _module in (*_OF_TENSORS, backend, compute_config, connections, cores, device, distribution, fabric, files, memory,
                mesh, program, semaphores, trace):
    for _name in _module.__all__:
        _value = getattr(_module, _name)
        if isinstance(_value, _kinds.FunctionType):
            _value = backend.selectable(_value) if _module in _OF_ELEMENTS else _value
            _value = _public(trace.recorded(_value) if _module in _OF_TENSORS else _value)
        globals()[_name] = _value
    __all__ += _module.__all__

# Functions of ttl.ccl. __getattr__() imports them on first use, because ttl.ccl imports this package.
_COLLECTIVES = ("all_broadcast all_gather all_reduce all_to_all_combine all_to_all_dispatch broadcast "
                "mesh_partition point_to_point reduce_scatter").split()
__all__ += _COLLECTIVES
__all__.sort()
_finish_import()


@_public
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'ttnn' has no attribute '{name}'")
    if name in _COLLECTIVES:
        import importlib

        globals()[name] = getattr(importlib.import_module("ttl.ccl"), name)
        return globals()[name]
    import difflib

    close = difflib.get_close_matches(name, __all__, 3)
    hint = f"did you mean {' or '.join(close)}?" if close else "docs/ttnn.md lists all names"
    raise AttributeError(f"ttnn has no '{name}' on the host; {hint}")
