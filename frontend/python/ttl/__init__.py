# ===- __init__.py - the ttl package: the TT-Lang language --------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The package has current and older names for the same objects.
# ===--------------------------------------------------------------------------=== #

"""The TT-Lang language: kernels for Tensix devices, written in Python and run on the host."""

import importlib as _importlib

from ttl._ttnn import package as ttnn  # loads _ttjit
from _ttjit import public as _public

from ttl import _api, _source
from ttl import block, math, unsafe
from ttl._accessors import IndexType, Stream, TensorAccessor, is_tiled
from ttl._annotations import (
    CopyTransferHandler,
    ReadyReceive,
    ReceiveRequest,
    TensorBlock,
    constexpr,
    runtime,
)
from ttl._backing import make_tensor_backed_dfb
from ttl._buffers import (
    DFB,
    CircularBuffer,
    DataflowBuffer,
    DFBAddressScope,
    make_circular_buffer_like,
    make_dataflow_buffer_like,
    make_dfb,
    make_dfb_allocation_group,
)
from ttl._devices import MeshProgramPlacement
from ttl._domains import DeviceDomain, DeviceRange, DeviceRef
from ttl._errors import (
    CompileError,
    DataRaceError,
    DeadlockError,
    MeshAccessError,
    OutOfBoundsError,
    ProtocolError,
    ResourceError,
    RuntimeFault,
    TTLangCompileError,
    UninitializedReadError,
)
from ttl._external_arguments import (
    DFBAccess,
    DFBEffect,
    DispatchCondition,
    ScalarType,
    dfb_descriptor,
    get_dfb_id,
    raw_addr,
    uint32,
)
from ttl._grid import core, grid_size, node
from ttl._host import host_function
from ttl._launch import LastRun, last_run
from ttl._compiled import CompiledKernel, LoweredKernel, load
from ttl._mlir import MlirKernel, compile_mlir, execute
from ttl._operation import atom, kernel, operation
from ttl._operation import cache_info as _cache_info
from ttl._options import options
from ttl._partial import partial
from ttl._pipes import Pipe, PipeMapping, PipeNet, Semaphore
from ttl._resets import DFBReconfiguration, DFBReset
from ttl._selectors import PIPE_SOURCE_KERNEL, Kernel, KernelKind
from ttl._sram import SRAMStorage
from ttl._threads import Program, compute, datamovement
from ttl._transfer_graphs import TransferEdge, TransferGraph
from ttl._warnings import (
    CardWarning,
    EmissionWarning,
    EngineWarning,
    KernelWarning,
    LimitWarning,
    NumericsWarning,
    OptionWarning,
    ReleaseWarning,
    TransferWarning,
    UnusedBlockWarning,
)
from ttl._version import VERSION as __version__
from ttl._numerics import numerics
from ttl._version import build_info, require

TILE_SHAPE = (32, 32)
core_dim = core

# Functions of blocks are also available as ttl.exp(...) and so on, unless the package uses the
# name for something else.
for _name, _function in _api.TABLE.items():
    globals().setdefault(_name, _function)
del _name, _function

# Names of modules that are slow to import and that few programs need.
_RARE = dict.fromkeys(
    "CoreRuntimeArgs KernelDefine KernelRuntimeResources ProgramRuntimeResources".split(),
    "ttl._runtime_resources")
_RARE.update(dict.fromkeys("Model ModelFunction load_mlir".split(), "ttl._models"))
_RARE["tune"] = "ttl_jit.tune"
_RARE["Schedule"] = "ttl._schedules"
_MODULES = ["ccl", "dist"]
# Modules that exist only because programs for other versions of TT-Lang import them.
_OTHER_MODULES = "compiler_options config dataflow_buffer diagnostics dtype_utils operators".split()


@_public
def __getattr__(name):
    if name in _MODULES or name in _OTHER_MODULES:
        return _importlib.import_module(f"ttl.{name}")
    if name == "CompilerOptions":
        return __getattr__("compiler_options").CompilerOptions
    if name in _RARE:
        return getattr(_importlib.import_module(_RARE[name]), name)
    raise AttributeError(f"module 'ttl' has no attribute '{name}'{_suggestion(name)}")


def _suggestion(name):
    """Returns the end of the message about an unknown name: the name that it may mean."""
    from ttl import _habits  # only errors need it

    if _habits.advice(name):
        return _habits.advice(name)
    known = [each for each in (*globals(), *_MODULES, *_OTHER_MODULES, *_RARE) if not each.startswith("_")]
    similar = None if name.startswith("_") else _source.similar(name, known)
    return f"; did you mean '{similar}'?" if similar else ""


def __dir__():
    return sorted({*globals(), *_MODULES, *_RARE} - {*_OTHER_MODULES})


def load_ipython_extension(ipython):
    """Adds the magic %ttl to IPython: `%load_ext ttl`. A command that does not exist is an error of
    the magic.

    Example, in a notebook:

        %load_ext ttl
        %ttl ir dst
    """
    # Imported here, not at the top of this file, because that package imports this one.
    _importlib.import_module("ttl_jit.repl._magics").load(ipython)


_importlib.import_module("ttl._time").follow()
