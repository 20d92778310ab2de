# SPDX-License-Identifier: Apache-2.0
"""Descriptors of programs of Metalium kernels. They hold the values given to them; generic_op runs
them."""

import enum

from _ttjit import public_methods

from .compute_config import MathFidelity
from .cores import CoreRangeSet, as_core
from .operands import check_tensor
from .memory import BufferType
from .types import TILE_LAYOUT, Tile, float32, tile_bytes

__all__ = (
    "CBDescriptor CBFormatDescriptor ComputeConfigDescriptor DataMovementConfigDescriptor "
    "DataMovementProcessor KernelDescriptor LayerNormDefaultProgramConfig "
    "LayerNormShardedMultiCoreProgramConfig NOC NOC_MODE ProgramDescriptor ReaderConfigDescriptor "
    "RuntimeArgs SDPAProgramConfig SemaphoreDescriptor TensorAccessorArgs TileDescriptor WriterConfigDescriptor "
    "cb_descriptor_from_sharded_tensor"
).split()


class DataMovementProcessor(enum.Enum):
    """The processors that run data movement kernels."""

    RISCV_0 = 0
    RISCV_1 = 1


class NOC(enum.Enum):
    """The networks on chip."""

    NOC_0 = 0
    NOC_1 = 1
    RISCV_0_default = 2
    RISCV_1_default = 3


class NOC_MODE(enum.Enum):
    """Tells whether a data movement kernel has a network of its own."""

    DM_DEDICATED_NOC = 0
    DM_DYNAMIC_NOC = 1


class _Descriptor:
    """An object whose attributes have default values. Arguments set attributes, in the order of
    `_fields` or by name."""

    _fields = {}
    _aliases = {}  # other names of keywords

    def __init__(self, *arguments, **keywords):
        name = type(self).__name__
        for alias, field in self._aliases.items():
            if alias in keywords and field not in keywords:
                keywords[field] = keywords.pop(alias)
        if len(arguments) > len(self._fields):
            raise TypeError(f"{name}() can have at most {len(self._fields)} arguments, found "
                            f"{len(arguments)}")
        given = dict(zip(self._fields, arguments))
        unknown = (keywords.keys() - self._fields.keys()) | (keywords.keys() & given.keys())
        if unknown:
            raise TypeError(f"{name}(): '{sorted(unknown)[0]}' is unknown or was given twice; the "
                            f"arguments are: {', '.join(self._fields)}")
        for key, default in self._fields.items():
            fresh = list(default) if isinstance(default, tuple) else default
            setattr(self, key, {**given, **keywords}.get(key, fresh))

    def __repr__(self):
        values = ", ".join(f"{key}={getattr(self, key)!r}" for key in self._fields)
        return f"{type(self).__name__}({values})"


class SDPAProgramConfig(_Descriptor):
    """How a device computes attention. It has no effect on the host."""

    _fields = dict(compute_with_storage_grid_size=None, sub_core_grids=None, q_chunk_size=0,
                   k_chunk_size=0, exp_approx_mode=None, max_cores_per_head_batch=16)


class LayerNormDefaultProgramConfig(_Descriptor):
    """How a device normalises rows. It has no effect on the host."""

    _fields = dict(legacy_reduction=False, legacy_rsqrt=False, use_welford=False)


class LayerNormShardedMultiCoreProgramConfig(_Descriptor):
    """How a device normalises rows of a sharded tensor. It has no effect on the host."""

    _fields = dict(compute_with_storage_grid_size=None, subblock_w=1, block_h=1, block_w=1,
                   inplace=False, legacy_reduction=False, legacy_rsqrt=False, use_welford=False)


class TileDescriptor(_Descriptor):
    """The extents of a tile."""

    _fields = dict(height=32, width=32, transpose=False)


class CBFormatDescriptor(_Descriptor):
    """A circular buffer's number, element type and page size. `format` is another name of
    `data_format`."""

    _fields = dict(buffer_index=0, data_format=float32, page_size=0, tile=None)
    _aliases = dict(format="data_format")


class CBDescriptor(_Descriptor):
    """The L1 memory of circular buffers, one buffer for each of format_descriptors. They share it."""

    _fields = dict(total_size=0, core_ranges=None, format_descriptors=(),
                   remote_format_descriptors=(), buffer=None, address_offset=0,
                   global_circular_buffer=None)


class SemaphoreDescriptor(_Descriptor):
    """A semaphore on each core of a set."""

    _fields = dict(id=None, core_type=None, core_ranges=None, initial_value=0)


class ReaderConfigDescriptor(_Descriptor):
    """The configuration of a data movement kernel that reads. It runs on RISCV_1."""


class WriterConfigDescriptor(_Descriptor):
    """The configuration of a data movement kernel that writes. It runs on RISCV_0."""


class DataMovementConfigDescriptor(_Descriptor):
    """The configuration of a data movement kernel on a given processor and network."""

    _fields = dict(processor=DataMovementProcessor.RISCV_0, noc=NOC.RISCV_0_default,
                   noc_mode=NOC_MODE.DM_DEDICATED_NOC)


class ComputeConfigDescriptor(_Descriptor):
    """The configuration of a compute kernel."""

    _fields = dict(math_fidelity=MathFidelity.HiFi4, fp32_dest_acc_en=False,
                   dst_full_sync_en=False, unpack_to_dest_mode=(), bfp8_pack_precise=False,
                   math_approx_mode=False)


class KernelDescriptor(_Descriptor):
    """A kernel in C++: its source, the cores that run it, and its arguments."""

    class SourceType(enum.Enum):
        """Tells whether kernel_source is the name of a file, or C++ code."""

        FILE_PATH = 0
        SOURCE_CODE = 1

    _fields = dict(kernel_source="", source_type=SourceType.FILE_PATH, core_ranges=None,
                   compile_time_args=(), named_compile_time_args=(), defines=(), runtime_args=(),
                   common_runtime_args=(), opt_level=None, config=None,
                   compiler_include_paths=())


class ProgramDescriptor(_Descriptor):
    """Kernels, semaphores and circular buffers that run together."""

    _fields = dict(kernels=(), semaphores=(), cbs=(), custom_program_hash=None)


for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, _Descriptor):
        public_methods(_class)


class _Row(dict):
    """The arguments of the cores of one column, by y."""


@public_methods
class RuntimeArgs:
    """The arguments of a kernel on each core, written args[x][y] = [...]."""

    def __init__(self):
        self._columns = {}

    def __getitem__(self, x):
        return self._columns.setdefault(x, _Row())

    def __setitem__(self, core, arguments):
        core = as_core(core, "core")
        self[core.x][core.y] = list(arguments)

    def __iter__(self):
        """Yields ((x, y), arguments) of each core."""
        return iter(((x, y), each) for x, row in self._columns.items() for y, each in row.items())

    def __len__(self):
        return sum(map(len, self._columns.values()))


def cb_descriptor_from_sharded_tensor(cb_index, tensor, *, address_offset=0, total_size=0,
                                      core_ranges=None):
    """Returns a circular buffer whose memory on each core is the core's shard of a tensor.

    Addresses and sizes are in bytes of L1. Raises a TypeError for an argument that is no tensor, and
    a ValueError for a tensor that is not sharded.

    Example:

        shard = ttnn.interleaved_to_sharded(on_device, sharded)
        buffer = ttnn.cb_descriptor_from_sharded_tensor(0, shard)
    """
    check_tensor(tensor, "cb_descriptor_from_sharded_tensor(): tensor")
    if not tensor.is_sharded():
        raise ValueError("cb_descriptor_from_sharded_tensor(): the tensor is not sharded")
    shards = tensor.memory_config().nd_shard_spec
    page = tile_bytes(tensor.dtype)
    size = total_size or tensor.shards_per_core * page * shards.numel() // 1024
    cores = CoreRangeSet(shards.grid if core_ranges is None else core_ranges)
    return CBDescriptor(size, cores, [CBFormatDescriptor(cb_index, tensor.dtype, page, Tile())],
                        buffer=tensor, address_offset=address_offset)


@public_methods
class TensorAccessorArgs:
    """The arguments of C++ kernels that read or write a tensor."""

    def __init__(self, tensor):
        self.tensor = check_tensor(tensor, "TensorAccessorArgs(): tensor")

    def get_compile_time_args(self):
        """Returns two words: 2 for DRAM or 0 for L1, and the bytes of a page."""
        tensor = self.tensor
        in_dram = tensor.memory_config().buffer_type == BufferType.DRAM
        if tensor.layout == TILE_LAYOUT:
            page = tile_bytes(tensor.dtype)
        else:
            shards = tensor.memory_config().nd_shard_spec
            row = tensor.shape if shards is None else shards.shard_shape
            page = (row[-1] if len(row) else 1) * tensor.element_size()
        return [2 if in_dram else 0, page]

    def get_common_runtime_args(self):
        """Returns no words: all arguments are compile-time arguments."""
        return []
