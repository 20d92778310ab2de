# SPDX-License-Identifier: Apache-2.0
"""Functions that binary operations and matmul apply to their operands or to their result."""

import enum

import numpy as np

from _ttjit import public_methods

from .unary import FUNCTIONS

UnaryOpType = enum.Enum(
    "UnaryOpType", {name.upper(): name for name in sorted(FUNCTIONS)}, module=__name__
)
UnaryOpType.__doc__ = "A function of one tensor, as a value for activations=."


@public_methods
class UnaryWithParam:
    """A function of one tensor together with its parameters, for activations=."""

    def __init__(self, op_type, *parameters):
        if not isinstance(op_type, UnaryOpType):
            raise TypeError(f"UnaryWithParam({op_type!r}): expected a ttnn.UnaryOpType")
        if len(parameters) == 1 and isinstance(parameters[0], (list, tuple)):
            parameters = tuple(parameters[0])
        self.op_type, self.parameters = op_type, parameters

    def __repr__(self):
        return f"UnaryWithParam({', '.join(map(repr, (self.op_type, *self.parameters)))})"


def _function(activation):
    """Returns (function, parameters) for a name, a UnaryOpType or a UnaryWithParam."""
    parameters = ()
    if isinstance(activation, UnaryWithParam):
        activation, parameters = activation.op_type, activation.parameters
    name = activation.value if isinstance(activation, UnaryOpType) else activation
    name = name.lower() if isinstance(name, str) else None
    if name not in FUNCTIONS:
        raise ValueError(f"activation {activation!r}: expected a ttnn.UnaryOpType, a "
                         "ttnn.UnaryWithParam or a name such as 'relu'")
    return FUNCTIONS[name], parameters


def activate(array, activations):
    """Returns the array after one activation, or after a list of activations."""
    if activations is None:
        return array
    is_list = isinstance(activations, (list, tuple))
    with np.errstate(all="ignore"):
        for activation in activations if is_list else [activations]:
            function, parameters = _function(activation)
            array = function(array, *parameters)
    return array
