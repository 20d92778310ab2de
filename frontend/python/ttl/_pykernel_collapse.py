# ===- _pykernel_collapse.py - tensors with more than two dimensions ----------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Operations of @pykernel_gen see each tensor as a matrix: the leading dimensions are merged into the
# rows. The launch gets the matrix. If the matrix does not share the memory of the program's tensor,
# its contents are copied back after the launch.
# ===--------------------------------------------------------------------------=== #

import importlib

import _ttjit
import numpy
from ttl._ttnn import types


def collapsed(call, entry):
    """Returns the matrix that stands for a tensor in this call."""
    value = entry.value
    *leading, columns = value.shape
    if len(leading) == 1:
        return value
    rows = 1
    for extent in leading:
        rows *= extent
    matrix = value.reshape(rows, columns)
    entry.value = matrix
    entry.argument = _ttjit.tensor_argument(matrix, *call.options.placement)
    call.collapsed.append((value, matrix))
    return matrix


def copy_back(call):
    """Copies each matrix that does not share the memory of its tensor back to this tensor."""
    for value, matrix in call.collapsed:
        if isinstance(value, numpy.ndarray):
            if not numpy.shares_memory(value, matrix):
                value[...] = matrix.reshape(value.shape)
        elif hasattr(value, "data_ptr"):
            if value.data_ptr() != matrix.data_ptr():
                value.copy_(matrix.reshape(value.shape))
        else:
            ttnn = importlib.import_module(types.__package__)
            ttnn.copy(matrix.reshape(tuple(value.shape)), value)
