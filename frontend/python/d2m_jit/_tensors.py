# ===- _tensors.py - tensors on the device ------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A tensor is a torch tensor of whole tiles with a layout. On a card, calls build a module, and to_host()
# runs the module and begins a new one. Here each call runs at once, but to_host() still begins a new
# module: a tensor of an older module that was not given to to_host() is stale, as on a card.
# ===--------------------------------------------------------------------------=== #

import types

from d2m_jit import _printing
from d2m_jit._layout import bfloat16, float16, float32, uint32


class _Module:
    """The number of the open module."""

    number = 0

    @classmethod
    def reset(cls):
        """Begins a new module."""
        cls.number += 1


def torch():
    """Returns the package torch, which holds the data of tensors."""
    try:
        import torch
    except ImportError:
        raise ImportError("d2m_jit keeps its tensors in torch: install torch") from None
    return torch


def torch_type(dtype):
    """Returns the torch dtype for a DataType."""
    names = {float32: "float32", float16: "float16", bfloat16: "bfloat16", uint32: "int32"}
    return getattr(torch(), names[dtype])


class LazyTensor:
    """A tensor on the device. `layout` is its layout. If `is_view` is true, the tensor is a view (_views.py),
    which only kernels and to_layout() take. to_host() returns its values."""

    def __init__(self, layout, data, is_view=False):
        self.layout, self.data, self.is_view = layout, data, is_view
        self.module = _Module.number
        self.is_materialised = False

    def to_host(self):
        return to_host(self)[0]

    def logical(self):
        """Returns a copy of the values without padding."""
        parts = tuple(slice(extent) for extent in self.layout.logical_shape)
        return self.data[parts].clone()

    def check(self):
        """Raises a RuntimeError if the tensor is stale."""
        if self.module != _Module.number and not self.is_materialised:
            raise RuntimeError(
                "Stale tensor: a call of to_host() ended the module that has it, without returning it; "
                "pass every tensor that you need to one call: to_host(a, b)"
            )

    @property
    def value(self):
        """Returns an object whose type.shape is the device shape: the blocks along each dimension, then
        the extents of a block."""
        shape = [*self.layout.blocked_grid_shape, *self.layout.block_shape]
        return types.SimpleNamespace(type=types.SimpleNamespace(shape=shape))

    def __repr__(self):
        return f"<LazyTensor shape={self.layout.logical_shape} dtype={self.layout.dtype}>"


def require(tensor, name):
    """Raises an error if an argument is no tensor on the device, or a stale one. `name` is the function."""
    if not isinstance(tensor, LazyTensor):
        raise TypeError(f"{name} takes a tensor that to_layout() returned, found {type(tensor).__name__}")
    tensor.check()


def to_host(*tensors):
    """Returns the values of tensors as torch tensors, and begins a new module."""
    if not tensors:
        raise ValueError("to_host() takes at least one tensor")
    for tensor in tensors:
        require(tensor, "to_host()")
        if tensor.is_view:
            raise ValueError("to_host() cannot return a view: materialise it, to_layout(v, v.layout)")
    for tensor in tensors:
        tensor.is_materialised = True
    _printing.show()
    _Module.reset()
    return tuple(tensor.logical() for tensor in tensors)
