# ===- _layout.py - how a tensor lies on the device ---------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A layout describes a tensor, without its data: the logical shape, the element type, the block that a
# kernel moves at once, and the grid of nodes that own the blocks.
# ===--------------------------------------------------------------------------=== #

import enum
import math

TILE = 32


class DataType(enum.Enum):
    Float32 = "f32"
    Float16 = "f16"
    BFloat16 = "bf16"
    UInt32 = "u32"

    def __str__(self):
        return self.value


class MemorySpace(enum.Enum):
    DeviceDRAM = "dram"
    DeviceL1 = "l1"


float32, float16 = DataType.Float32, DataType.Float16
bfloat16, uint32 = DataType.BFloat16, DataType.UInt32

_NAMES = {
    "torch.float32": float32, "float32": float32, "fp32": float32, "f32": float32,
    "torch.float16": float16, "float16": float16, "fp16": float16, "f16": float16,
    "torch.bfloat16": bfloat16, "bfloat16": bfloat16, "bf16": bfloat16,
    "torch.uint32": uint32, "uint32": uint32, "u32": uint32,
}
_SPACES = {"l1": MemorySpace.DeviceL1, "sram": MemorySpace.DeviceL1, "dram": MemorySpace.DeviceDRAM}


def data_type(dtype):
    """Returns the DataType that a torch dtype or a name stands for."""
    found = dtype if isinstance(dtype, DataType) else _NAMES.get(str(dtype))
    if found is None:
        raise TypeError(f"unsupported dtype {dtype}: use one of {', '.join(sorted(_NAMES))}")
    return found


def memory_space(space):
    """Returns the MemorySpace that a name stands for."""
    found = _SPACES.get(space, space)
    if not isinstance(found, MemorySpace):
        raise TypeError(f"unsupported mem_space {space!r}: use 'l1' or 'dram'")
    return found


class Layout:
    """The shape, element type, blocks and grid of a tensor. `block_shape` is in tiles, or in elements
    with tiled=False; `blocked_grid_shape` is the number of blocks along each dimension."""

    def __init__(self, shape, dtype, block_shape, grid_shape=None, tiled=True, collapse=True,
                 mem_space="l1"):
        self.logical_shape = list(shape)
        self.dtype = data_type(dtype)
        self.block_shape = list(block_shape)
        self.tiled, self.collapse = tiled, collapse
        self.mem_space = memory_space(mem_space)
        self.blocked_grid_shape = self._blocks()
        self.grid_shape = list(self.blocked_grid_shape if grid_shape is None else grid_shape)

    def _blocks(self):
        if len(self.block_shape) != len(self.logical_shape):
            raise ValueError(f"block_shape {self.block_shape} must have one extent for each dimension of "
                             f"shape {self.logical_shape}")
        extents = [-(-extent // self.unit) for extent in self.logical_shape]
        for extent, block in zip(extents, self.block_shape):
            if block < 1 or extent % block:
                raise ValueError(f"block_shape {self.block_shape} must divide the tensor's {extents} "
                                 f"{'tiles' if self.tiled else 'elements'}")
        return [extent // block for extent, block in zip(extents, self.block_shape)]

    @property
    def unit(self):
        """Returns how many elements a unit of block_shape has along one dimension: a tile has 32."""
        return TILE if self.tiled else 1

    @property
    def padded_shape(self):
        """Returns the shape in memory: extents are padded to whole tiles if the layout is tiled."""
        return [-(-extent // self.unit) * self.unit for extent in self.logical_shape]

    def replace(self, **fields):
        """Returns a layout with other values of these fields."""
        own = {"shape": self.logical_shape, "dtype": self.dtype, "block_shape": self.block_shape,
               "grid_shape": self.grid_shape, "tiled": self.tiled, "collapse": self.collapse,
               "mem_space": self.mem_space}
        return Layout(**{**own, **fields})

    def key(self):
        """Returns the part of the layout on which a translated kernel depends."""
        return (*self.logical_shape, self.dtype, *self.block_shape, self.tiled)


def reduction_layout(layout, dim, allow_cross_tile=False):
    """Returns the layout of the result of a reduction that keeps the dimension."""
    rank = len(layout.logical_shape)
    if not -rank <= dim < rank:
        raise ValueError(f"reduce dim must be from {-rank} to {rank - 1}, found {dim}")
    if layout.grid_shape[dim] > 1 and not allow_cross_tile:
        raise ValueError(
            f"dimension {dim} lies on {layout.grid_shape[dim]} cores, and a reduction needs one that "
            "fits on one core; allow_cross_tile=True is for kernels that combine the parts themselves"
        )
    fields = {}
    for name in ("logical_shape", "block_shape", "grid_shape"):
        extents = list(getattr(layout, name))
        extents[dim] = 1
        fields["shape" if name == "logical_shape" else name] = extents
    return layout.replace(**fields)


def reshaped(layout, shape):
    """Returns (shape, layout) of a reshaped tensor. One extent of the shape may be -1."""
    shape = list(shape[0]) if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else list(shape)
    count = math.prod(layout.logical_shape)
    if shape.count(-1) > 1:
        raise ValueError(f"reshape: only one dimension may be -1, found {tuple(shape)}")
    if any(extent < -1 for extent in shape):
        raise ValueError(f"reshape: extents must be at least -1, found {tuple(shape)}")
    if -1 in shape:
        known = math.prod(extent for extent in shape if extent != -1)
        shape[shape.index(-1)] = count // known if known else 0
    if math.prod(shape) != count:
        raise ValueError(f"reshape: the element count must stay the same, found {layout.logical_shape} "
                         f"with {count} elements and {tuple(shape)} with {math.prod(shape)}")
    return shape, layout.replace(shape=shape, **_blocks_of(layout, shape))


def _blocks_of(layout, shape):
    """Returns block_shape and grid_shape for another shape: the layout's own if they divide it, else 1 everywhere."""
    own = {"block_shape": layout.block_shape, "grid_shape": layout.grid_shape}
    if len(shape) == len(layout.block_shape):
        extents = zip(shape, layout.block_shape, layout.grid_shape)
        if all(extent % (block * nodes * layout.unit) == 0 for extent, block, nodes in extents):
            return own
    return {name: [1] * len(shape) for name in own}
