# SPDX-License-Identifier: Apache-2.0
"""The class ttnn.Tensor. A tensor on the host shares its memory with the numpy array or torch
tensor from which it was made, if the element type is the same. A tensor on the device is a copy.
bfloat16 values become float32 in numpy, which has no such type."""

import numpy as np

import _ttjit

from . import backend, binary, matrices, normalization, reductions, shapes, spread, trace, unary
from .memory import DRAM_MEMORY_CONFIG, MemoryConfig, TensorSpec
from .operands import is_number, is_tensor
from .storage import is_torch, storage_of, to_storage
from .topology import replicated
from .types import (
    BLOCK_FLOATS,
    INTEGERS,
    ROW_MAJOR_LAYOUT,
    TILE_LAYOUT,
    TILE_SIZE,
    Layout,
    Shape,
    StorageType,
    Tile,
    as_dtype,
    bfloat16,
    element_bytes,
    uint16,
    uint32,
)


def check_device(device):
    if device is not None and not isinstance(device, _ttjit.Device):
        raise TypeError(f"device={device!r}: expected a device from ttnn.open_device, or None")


def _check_placement(layout, memory_config, device):
    if not isinstance(layout, Layout):
        raise TypeError(f"layout={layout!r}: expected ttnn.TILE_LAYOUT or ttnn.ROW_MAJOR_LAYOUT")
    if not isinstance(memory_config, MemoryConfig):
        raise TypeError(f"memory_config={memory_config!r}: expected ttnn.DRAM_MEMORY_CONFIG or "
                        "another ttnn.MemoryConfig")
    check_device(device)


# ===--------------------------------------------------------------------------=== #
# Operators
# ===--------------------------------------------------------------------------=== #


def _is_operand(value):
    if isinstance(value, np.ndarray) or is_torch(value):
        raise TypeError("a ttnn.Tensor can only be combined with tensors and numbers; convert "
                        "the array with ttnn.from_numpy or ttnn.from_torch first")
    return is_tensor(value) or is_number(value)


def _operator(function):
    function = trace.recorded(backend.selectable(function))

    def combine(self, other):
        return function(self, other) if _is_operand(other) else NotImplemented

    return _named(combine, function)


def _reflected(function):
    function = trace.recorded(backend.selectable(function))

    def combine(self, other):
        return function(other, self) if _is_operand(other) else NotImplemented

    return _named(combine, function)


def _named(method, function):
    method.__name__ = method.__qualname__ = function.__name__
    method.__doc__ = function.__doc__
    return method


_matmul, _neg, _abs = (trace.recorded(backend.selectable(each))
                       for each in (matrices.matmul, unary.neg, unary.abs))


def _product(self, other):
    return _matmul(self, other) if is_tensor(other) else NotImplemented


@_ttjit.public_methods
class _Operators:
    """Python's operators of a tensor. Each operator calls a function of ttnn."""

    __add__, __radd__ = _operator(binary.add), _reflected(binary.add)
    __sub__, __rsub__ = _operator(binary.subtract), _reflected(binary.subtract)
    __mul__, __rmul__ = _operator(binary.multiply), _reflected(binary.multiply)
    __truediv__, __rtruediv__ = _operator(binary.divide), _reflected(binary.divide)
    __floordiv__, __rfloordiv__ = _operator(binary.floor_div), _reflected(binary.floor_div)
    __mod__, __rmod__ = _operator(binary.remainder), _reflected(binary.remainder)
    __pow__, __rpow__ = _operator(binary.power), _reflected(binary.power)
    __eq__, __ne__ = _operator(binary.eq), _operator(binary.ne)
    __lt__, __le__ = _operator(binary.lt), _operator(binary.le)
    __gt__, __ge__ = _operator(binary.gt), _operator(binary.ge)
    __and__, __or__ = _operator(binary.bitwise_and), _operator(binary.bitwise_or)
    __xor__ = _operator(binary.bitwise_xor)
    __matmul__ = _product
    __hash__ = object.__hash__  # tensors as keys are compared by identity

    def __neg__(self):
        return _neg(self)

    def __pos__(self):
        return self

    def __abs__(self):
        return _abs(self)


# Functions whose first argument is a tensor. They are also methods of tensors.
_METHODS = {
    unary: "abs neg exp log sqrt rsqrt reciprocal square sin cos tanh sigmoid relu gelu silu sign "
    "floor ceil round clamp isnan",
    binary: "add subtract multiply divide pow maximum minimum eq ne lt le gt ge isclose",
    matrices: "matmul",
    normalization: "softmax",
    reductions: "sum mean max min prod var std argmax argmin",
    shapes: "reshape view squeeze unsqueeze transpose permute expand repeat repeat_interleave",
}


class _Functions:
    """Functions of ttnn that are methods of tensors."""


for _module, _names in _METHODS.items():
    for _name in _names.split():
        _function = getattr(_module, _name)
        _function = _function if _module is shapes else backend.selectable(_function)
        setattr(_Functions, _name, trace.recorded(_function))


# ===--------------------------------------------------------------------------=== #
# Tensors
# ===--------------------------------------------------------------------------=== #

_ttjit.public_methods(_Operators)
_ttjit.public_methods(_Functions)


@_ttjit.public_methods
class Tensor(_Operators, _Functions, _ttjit.Tensor):
    """A tensor: elements of one type with a layout and a memory. ttnn.from_torch and
    ttnn.from_numpy make tensors."""

    _topology = None  # how a mapper distributed the tensor; None: the same elements on all devices

    # numpy must not treat a tensor as a scalar: array + tensor must be a TypeError.
    __array_ufunc__ = None

    def __init__(self, data, dtype=None, layout=None, device=None, memory_config=None):
        array, dtype = storage_of(data, None if dtype is None else as_dtype(dtype))
        self._create(array.shape, array, dtype, layout, memory_config, device)

    def _create(self, shape, array, dtype, layout, memory_config, device):
        layout = TILE_LAYOUT if layout is None else layout
        memory_config = DRAM_MEMORY_CONFIG if memory_config is None else memory_config
        _check_placement(layout, memory_config, device)
        super().__init__(shape, array, dtype, layout, memory_config, device)

    @classmethod
    def from_storage(cls, shape, array, dtype, layout=None, memory_config=None, device=None):
        """Returns a tensor of an array in the host format of the dtype. If the array is None, the
        elements are zeros."""
        self = cls.__new__(cls)
        self._create(shape, array, dtype, layout, memory_config, device)
        return self

    def similar(self, array, dtype, layout, memory_config):
        """Returns a tensor of an array in the host format of the dtype, on the device or host of
        this tensor."""
        return Tensor.from_storage(array.shape, array, dtype, layout, memory_config, self.device())

    def part(self, number):
        """Returns the part of the tensor that device `number` of its mesh has. The part shares the
        tensor's memory."""
        part = Tensor.__new__(Tensor)
        _ttjit.Tensor.__init__(part, self, number)
        return part

    def tensor_topology(self):
        """Returns how the tensor is distributed over its mesh, as a TensorTopology."""
        return self._topology or replicated(self.device().mesh if self.device() else (1, 1))

    def with_topology(self, topology):
        """Sets how the tensor is distributed over its mesh; returns the tensor."""
        self._topology = topology
        return self

    # Properties

    @property
    def shape(self):
        return Shape(super().shape)

    @property
    def padded_shape(self):
        """Returns the shape. In tile layout, the last two extents are rounded up to whole
        tiles. A row-major tensor without dimensions has shape [1]."""
        if self.layout == ROW_MAJOR_LAYOUT:
            return self.shape or Shape((1,))
        shape = (1,) * (2 - len(self.shape)) + tuple(self.shape)
        return Shape(shape[:-2] + tuple(-(-n // TILE_SIZE) * TILE_SIZE for n in shape[-2:]))

    @property
    def tile(self):
        return Tile()

    def get_tile(self):
        return self.tile

    @property
    def spec(self):
        return TensorSpec(self.shape, self.dtype, self.layout, memory_config=self.memory_config())

    def storage_type(self):
        """Returns ttnn.StorageType.DEVICE or ttnn.StorageType.HOST."""
        return StorageType.HOST if self.device() is None else StorageType.DEVICE

    def get_dtype(self):
        return self.dtype

    def get_layout(self):
        return self.layout

    def is_sharded(self):
        return self.memory_config().is_sharded()

    def element_size(self):
        """Returns the size of one element in bytes."""
        return element_bytes(self.dtype)

    def volume(self):
        """Returns the number of elements."""
        return self.shape.volume()

    def logical_volume(self):
        """Returns the number of elements."""
        return self.shape.volume()

    def numel(self):
        """Returns the number of elements."""
        return self.shape.volume()

    # Reading a tensor

    def to_numpy(self):
        """Returns the values as float32 or as integers. For a host tensor of float32 or of
        integers, this is the tensor's own memory."""
        return self.bits() if self.dtype in INTEGERS else self.values()

    def to_torch(self, dtype=None):
        """Returns a torch tensor of the same type. For a host tensor, it shares the tensor's
        memory."""
        import torch

        bits = self.bits()
        if not bits.flags.writeable:
            bits = bits.copy()
        if self.dtype == bfloat16:
            result = torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16)
        elif self.dtype in (uint16, uint32):  # torch does not have these types
            result = torch.from_numpy(bits.astype(np.int32 if self.dtype == uint16 else np.int64))
        else:
            result = torch.from_numpy(bits)
        return result if dtype is None else result.to(torch_type(dtype))

    def to_list(self):
        """Returns the values as nested lists."""
        return self.to_numpy().tolist()

    def item(self):
        """Returns the value of a tensor with one element."""
        if self.volume() != 1:
            raise ValueError("item(): expected a tensor with one element, found shape "
                             f"{self.shape}")
        return self.to_numpy().item()

    def __array__(self, dtype=None, copy=None):
        values = self.to_numpy()
        return values.copy() if dtype is None else values.astype(dtype)

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __bool__(self):
        if self.volume() != 1:
            raise ValueError(f"a tensor of shape {self.shape} is neither true nor false; test `is "
                             "not None`, or test one element")
        return bool(self.item())

    def __len__(self):
        if not self.shape:
            raise TypeError("len(): the tensor has no dimensions")
        return self.shape[0]

    def __iter__(self):
        return (self[position] for position in range(len(self)))

    # Elements

    @spread.over_devices
    def __getitem__(self, index):
        """Returns the elements that an index of numpy selects, as a new tensor."""
        found = np.array(self.bits()[index], order="C")
        # Block floats are rounded again, because they share their exponent with other elements now.
        if self.dtype in BLOCK_FLOATS:
            found = to_storage(found, self.dtype)
        memory = None if self.is_sharded() else self.memory_config()
        return self.similar(found, self.dtype, self.layout, memory)

    @spread.over_devices
    def __setitem__(self, index, value):
        bits = np.array(self.bits())
        source = np.asarray(value.to_numpy() if is_tensor(value) else value)
        bits[index] = to_storage(source, self.dtype)
        self.write_bits(bits)

    # Placement

    @spread.over_devices
    def cpu(self, blocking=True, cq_id=None):
        """Returns the tensor on the host, or the tensor itself if it is on the host already."""
        if self.device() is None:
            return self
        array = np.array(self.bits())
        return Tensor.from_storage(self.shape, array, self.dtype, self.layout,
                                   self.memory_config())

    @spread.over_devices
    def to(self, *arguments, **keywords):
        """Returns the tensor on a device, in another memory, or in another layout. The calls are
        to(device), to(device, memory_config) and to(layout)."""
        named = {_to_name(value): value for value in arguments if value is not None}
        named.update((key.replace("mem_config", "memory_config"), value)
                     for key, value in keywords.items() if key not in ("cq_id", "blocking"))
        unknown = named.keys() - {"device", "layout", "memory_config"}
        if unknown:
            raise TypeError(f"Tensor.to(): {unknown.pop()} is not a device, a layout or a "
                            "MemoryConfig")
        memory = named.get("memory_config") or self.memory_config()
        device = named.get("device") or self.device()
        layout = named.get("layout") or self.layout
        return Tensor.from_storage(self.shape, np.array(self.bits()), self.dtype, layout, memory,
                                   device)

    def deallocate(self, force=True):
        """Frees the memory of a tensor on the device. Every later use of the tensor is an
        error. While a trace is captured, nothing is freed, because the trace uses the tensor
        again."""
        if not trace.is_capturing():
            self.deallocate_pages()

    # Python's special methods

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        import difflib

        known = [entry for entry in dir(type(self)) if not entry.startswith("_")]
        close = difflib.get_close_matches(name, known, 3)
        hint = f"did you mean {' or '.join(map(repr, close))}?" if close else (
            "docs/ttnn.md lists all names")
        raise AttributeError(f"ttnn.Tensor has no '{name}' on the host; {hint}")

    def __repr__(self):
        if not self.is_allocated():
            return f"ttnn.Tensor(deallocated, shape={super().shape}, dtype={self.dtype!r})"
        facts = f"shape={self.shape}, dtype={self.dtype!r}, layout={self.layout!r}"
        if self.num_devices == 1:
            return f"ttnn.Tensor({_shown(self)}, {facts})"
        topology = self.tensor_topology()
        places = [tuple(place) for place in topology.mesh_coords()]
        parts = "".join(f"\n  device {place}: {_shown(self.part(number))}"
                        for number, place in enumerate(places))
        return f"ttnn.Tensor({facts}, {topology!r}{parts})"


class PartsOnHost(Tensor):
    """A tensor of a mesh whose parts are on the host, one for each device. ttnn.from_device makes it, and
    ttnn.to_device accepts it. It has no elements of its own, so that no kernel reads one of its parts as
    if that were the whole tensor."""

    def __init__(self, parts, topology):
        first = parts[0]
        self._create(first.shape, first.bits(), first.dtype, first.layout, first.memory_config(), None)
        self.deallocate_pages()
        self._parts, self._topology = list(parts), topology

    num_devices = property(lambda self: len(self._parts))

    def part(self, number):
        return self._parts[number]

    def device(self):
        return None

    def is_allocated(self):
        return self._parts[0].is_allocated()

    def deallocate(self, force=True):
        for part in self._parts:
            part.deallocate(force)

    def bits(self):
        """Raises a ValueError, because each part has elements of its own."""
        raise ValueError(f"a tensor of shape {tuple(self.shape)} has {self.num_devices} parts on the host with "
                         "different elements: join them with ttnn.to_torch(tensor, mesh_composer=...), or take one of "
                         "ttnn.get_device_tensors(tensor)")

    values = bits


spread.PartsOnHost = PartsOnHost


def _shown(tensor):
    return np.array2string(tensor.to_numpy(), separator=", ", threshold=64, edgeitems=3)


def torch_type(dtype):
    """Returns the torch dtype for a dtype of torch or ttnn."""
    import torch

    if isinstance(dtype, torch.dtype):
        return dtype
    found = getattr(torch, as_dtype(dtype).name.lower(), None)
    if found is None:
        raise TypeError(f"torch has no type for dtype={dtype!r}")
    return found


def _to_name(value):
    for kind, name in ((_ttjit.Device, "device"), (Layout, "layout"),
                       (MemoryConfig, "memory_config")):
        if isinstance(value, kind):
            return name
    return repr(value)
