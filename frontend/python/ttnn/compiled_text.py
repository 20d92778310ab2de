# SPDX-License-Identifier: Apache-2.0
"""Writes a function of TTIR, the computation of one call, as text. Values are numbered in the order
in which they are made."""

import collections
import struct

import numpy as np

from .types import bfloat16, float16, float32, int32, uint32

# The element types that kernels compute with.
ELEMENTS = {float32: "f32", bfloat16: "bf16", float16: "f16", int32: "si32", uint32: "ui32"}


class NoCounterpart(Exception):
    """Raised for a call that TTIR cannot express. The message is the reason."""


# A value of the function: its number (%0, %1, ...), its shape and its element type, as in ELEMENTS.
Value = collections.namedtuple("Value", "number shape element")


def broadcast_shape(*shapes):
    """Returns the shape to which shapes are broadcast."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise NoCounterpart("the shapes cannot be broadcast") from None


def is_float(element):
    return element in ("f32", "bf16", "f16")


def _type(value):
    return f"tensor<{''.join(f'{extent}x' for extent in value.shape)}{value.element}>"


def integers(numbers):
    """Returns a list of integers as an array attribute of i32."""
    return f"[{', '.join(f'{number} : i32' for number in numbers)}]"


def wide(numbers):
    """Returns a list of integers as a dense array attribute of i64."""
    return f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"


def _bits(number):
    """Returns a number as an attribute of f32, by its bits in hexadecimal, which MLIR reads exactly."""
    return f"0x{struct.unpack('<I', struct.pack('<f', np.float32(number)))[0]:08X} : f32"


def boolean(value):
    return "true" if value else "false"


class Text:
    """A function under construction."""

    def __init__(self, name):
        self.name, self.tensors = name, []
        self._arguments, self._lines, self._count = [], [], 0

    def _new(self, shape, element):
        self._count += 1
        return Value(self._count - 1, tuple(map(int, shape)), element)

    @property
    def arguments(self):
        """The arguments of the function, one value for each tensor."""
        return list(self._arguments)

    def argument(self, tensor):
        """Returns the argument for a tensor. The same tensor has one argument."""
        for known, value in zip(self.tensors, self._arguments):
            if known is tensor:
                return value
        if self._lines:
            raise AssertionError("arguments come before ops")
        self.tensors.append(tensor)
        self._arguments.append(self._new(tensor.shape, ELEMENTS[tensor.dtype]))
        return self._arguments[-1]

    def op(self, name, operands, extents=None, element=None, **attributes):
        """Adds an op and returns its result. Without `extents` it has the shape to which the operands are
        broadcast; without `element` it has the element type of the first operand."""
        if extents is None:
            extents = broadcast_shape(*(each.shape for each in operands))
        made = self._new(extents, element or operands[0].element)
        given = ", ".join(f"{key} = {value}" for key, value in attributes.items() if value is not None)
        types = ", ".join(map(_type, operands))
        names = ", ".join(f"%{each.number}" for each in operands)
        self._lines.append(f'  %{made.number} = "ttir.{name}"({names}){f" <{{{given}}}>" if given else ""} : '
                           f"({types}) -> {_type(made)}")
        return made

    def number(self, value, element):
        """Returns a constant without dimensions, which ops broadcast to the shape of their other operands."""
        written = _bits(value) if is_float(element) else f"{int(value)} : i32"
        return self.op("full", [], (), element, shape="array<i32>", fill_value=written)

    def cast(self, value, element):
        return value if value.element == element else self.op("typecast", [value], element=element)

    def finish(self, result):
        """Returns the text of the function, which returns `result`."""
        arguments = ", ".join(f"%{each.number}: {_type(each)}" for each in self._arguments)
        lines = [f"func.func @{self.name}({arguments}) -> {_type(result)} {{", *self._lines,
                 f"  return %{result.number} : {_type(result)}", "}"]
        return "\n".join(lines) + "\n"
