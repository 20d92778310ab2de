# SPDX-License-Identifier: Apache-2.0
"""ttnn.Tensor and the ways into and out of it.

A tensor without device shares its memory with the numpy array or torch tensor it was
made from, if the element type is the same; a tensor on the device is a copy. Floats of
other types become float32 in numpy.
"""

import numbers
import sys

import numpy as np

import _ttjit
from _ttjit import public

from .types import (
    DRAM_MEMORY_CONFIG,
    TILE_LAYOUT,
    Layout,
    MemoryConfig,
    Shape,
    as_dtype,
    bfloat16,
    float32,
)


def _is_torch(data):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(data, torch.Tensor)


def _float32_values(data):
    if _is_torch(data):
        data = data.detach().cpu().to(sys.modules["torch"].float32).numpy()
    return np.asarray(data, dtype=np.float32)


def _storage(data, dtype):
    """A numpy array in the host storage of the dtype, and the dtype: the data's own if None."""
    if isinstance(data, np.ndarray) or _is_torch(data):
        try:
            array, own = _ttjit.storage_of(data)
        except ValueError:
            if dtype is None:
                raise
            own = None
        if dtype is None or dtype == own:
            return array, own
    if dtype is not None and _ttjit.is_integer(dtype):
        return _integers(data, dtype), dtype
    values = _float32_values(data)
    if dtype is None or dtype == float32:
        return values, float32
    return _ttjit.round_to(values, dtype), dtype


def _integers(data, dtype):
    """A numpy array of an integer DataType: floats are truncated, integers wrap."""
    if _is_torch(data):
        data = data.detach().cpu()
        data = (data.float() if data.is_floating_point() else data).numpy()
    with np.errstate(invalid="ignore"):
        return np.asarray(data).astype(dtype.name.lower())


def kind_of(value):
    """What messages call a value of a wrong type."""
    return "None" if value is None else type(value).__name__


def check_device(device):
    if device is not None and not isinstance(device, _ttjit.Device):
        raise TypeError(f"device={device!r}: expected what ttnn.open_device returns, or None")


def _check_placement(layout, memory_config, device):
    if not isinstance(layout, Layout):
        raise TypeError(f"layout={layout!r}: expected ttnn.TILE_LAYOUT or ttnn.ROW_MAJOR_LAYOUT")
    if not isinstance(memory_config, MemoryConfig):
        raise TypeError(f"memory_config={memory_config!r}: expected ttnn.DRAM_MEMORY_CONFIG")
    check_device(device)


@_ttjit.public_methods
class Tensor(_ttjit.Tensor):
    """Elements of one type with a layout and a memory; see ttnn.from_torch, ttnn.from_numpy."""

    # numpy must not take a tensor for a scalar: array + tensor is a TypeError.
    __array_ufunc__ = None

    def __init__(self, data, dtype=None, *, layout=None, device=None, memory_config=None):
        array, dtype = _storage(data, None if dtype is None else as_dtype(dtype))
        self._create(array.shape, array, dtype, layout, memory_config, device)

    def _create(self, shape, array, dtype, layout, memory_config, device):
        layout = TILE_LAYOUT if layout is None else layout
        memory_config = DRAM_MEMORY_CONFIG if memory_config is None else memory_config
        _check_placement(layout, memory_config, device)
        super().__init__(shape, array, dtype, layout, memory_config, device)

    @classmethod
    def zeros_on_device(cls, shape, dtype, layout, device, memory_config):
        self = cls.__new__(cls)
        self._create(shape, None, dtype, layout, memory_config, device)
        return self

    @property
    def shape(self):
        return Shape(super().shape)

    def to_numpy(self):
        """Integers of the tensor's type, else float32 values. The tensor's own memory if it is a
        host tensor of the same type."""
        return self.bits() if _ttjit.is_integer(self.dtype) else self.values()

    def to_torch(self):
        """A torch tensor of the same type. The tensor's own memory if it is a host tensor."""
        import torch

        bits = self.bits()
        if not bits.flags.writeable:
            bits = bits.copy()
        if self.dtype == bfloat16:
            return torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(bits)

    def __add__(self, other):
        return self._combine(np.add, self, other)

    def __radd__(self, other):
        return self._combine(np.add, other, self)

    def __sub__(self, other):
        return self._combine(np.subtract, self, other)

    def __rsub__(self, other):
        return self._combine(np.subtract, other, self)

    def __mul__(self, other):
        return self._combine(np.multiply, self, other)

    def __rmul__(self, other):
        return self._combine(np.multiply, other, self)

    def __matmul__(self, other):
        if isinstance(other, numbers.Real):
            return NotImplemented
        return self._combine(np.matmul, self, other)

    def _combine(self, function, left, right):
        """The function of float32 values or integers, converted to the operands' type."""
        tensors = [operand for operand in (left, right) if isinstance(operand, Tensor)]
        scalars = [operand for operand in (left, right) if isinstance(operand, numbers.Real)]
        if len(tensors) + len(scalars) != 2:
            if any(isinstance(x, np.ndarray) or _is_torch(x) for x in (left, right)):
                raise TypeError("a ttnn.Tensor combines with tensors and numbers; convert the "
                                "array with ttnn.from_numpy or ttnn.from_torch first")
            return NotImplemented
        if any(tensor.dtype != self.dtype for tensor in tensors):
            raise TypeError(f"operands of {tensors[0].dtype!r} and {tensors[1].dtype!r}: make both "
                            "the same type, for example ttnn.from_numpy(t.to_numpy(), dtype=...)")
        number = (lambda x: x) if _ttjit.is_integer(self.dtype) else np.float32
        values = [x.to_numpy() if isinstance(x, Tensor) else number(x) for x in (left, right)]
        with np.errstate(all="ignore"):
            result = function(*values)
        device = next((t.device() for t in tensors if t.device() is not None), None)
        return Tensor(result, self.dtype, layout=self.layout, device=device)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        known = ", ".join(entry for entry in dir(type(self)) if not entry.startswith("_"))
        raise AttributeError(f"ttnn.Tensor has no '{name}' on the host; it has: {known}")

    def __repr__(self):
        values = np.array2string(self.to_numpy(), separator=", ", threshold=64, edgeitems=3)
        return (f"ttnn.Tensor({values}, shape={self.shape}, dtype={self.dtype!r}, "
                f"layout={self.layout!r})")


@public
def from_numpy(array, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor of a numpy array (or anything that numpy.asarray takes), converted if dtype
    is given. Without device it shares the array's memory where no conversion is needed."""
    if _is_torch(array):
        raise TypeError("from_numpy got a torch tensor; use ttnn.from_torch")
    return Tensor(array, dtype, layout=layout, device=device, memory_config=memory_config)


@public
def from_torch(tensor, dtype=None, *, layout=None, device=None, memory_config=None):
    """A tensor of a torch tensor, converted if dtype is given. Without device it shares the
    torch tensor's memory where no conversion is needed, bfloat16 included."""
    if not _is_torch(tensor):
        raise TypeError(f"from_torch got {kind_of(tensor)}, expected a torch tensor; "
                        "for numpy arrays there is ttnn.from_numpy")
    return Tensor(tensor, dtype, layout=layout, device=device, memory_config=memory_config)


def _check_tensor(tensor):
    if not isinstance(tensor, Tensor):
        raise TypeError(f"got {kind_of(tensor)}, expected a ttnn.Tensor")


@public
def to_numpy(tensor):
    """The tensor's values as float32, without padding."""
    _check_tensor(tensor)
    return tensor.to_numpy()


@public
def to_torch(tensor, dtype=None):
    """The tensor's values as a torch tensor, without padding; of `dtype` if given."""
    _check_tensor(tensor)
    result = tensor.to_torch()
    return result if dtype is None else result.to(dtype)
