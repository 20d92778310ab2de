# ===- _pykernel_collapse.py - tensors with more than two dimensions -------------------===
# SPDX-License-Identifier: Apache-2.0
#
# Kernels of the oldest spelling see each tensor as a matrix: the leading dimensions are merged into
# the rows. The launch gets the matrix. If it does not share the memory of the program's tensor, its
# contents are copied back.
# ===----------------------------------------------------------------------------===//

import _ttjit
from ttl import _capture


def collapsed(call, entry):
    """Returns the matrix that stands for a tensor in this call."""
    value = entry.value
    shape = tuple(value.shape)
    if len(shape) == 2:
        return value
    if not hasattr(value, "__array__") and not hasattr(value, "reshape"):
        _capture.fail(f"tensors with {len(shape)} dimensions must be arrays of numpy or torch, found "
                      f"{type(value).__name__} '{entry.name}'")
    rows = 1
    for extent in shape[:-1]:
        rows *= extent
    matrix = value.reshape(rows, shape[-1])
    entry.value = matrix
    entry.argument = _ttjit.tensor_argument(matrix, *call.options.placement)
    call.collapsed.append((value, matrix))
    return matrix


def copy_back(call):
    """Copies matrices back that are copies of the program's tensors."""
    for value, matrix in call.collapsed:
        if not _is_shared(value, matrix):
            value[...] = matrix.reshape(value.shape)


def _is_shared(value, matrix):
    if hasattr(value, "data_ptr"):
        return value.data_ptr() == matrix.data_ptr()
    return value.__array_interface__["data"] == matrix.__array_interface__["data"]
