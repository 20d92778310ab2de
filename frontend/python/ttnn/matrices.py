# SPDX-License-Identifier: Apache-2.0
"""Products of matrices. They are computed in double precision and rounded once."""

import numpy as np

from .activations import activate
from .operands import check_tensor, compute, finish

__all__ = ["addmm", "linear", "matmul", "outer"]


def _transposed(array, wanted, name):
    if wanted and array.ndim < 2:
        raise ValueError(f"{name}=True: expected a matrix, found {array.ndim} dimensions")
    return np.swapaxes(array, -1, -2) if wanted else array


def _check_shapes(name, a, b):
    rows = b.shape[-2] if b.ndim > 1 else b.shape[-1] if b.ndim else 0
    if not a.ndim or not b.ndim or a.shape[-1] != rows:
        raise ValueError(f"ttnn.{name}(): shapes {a.shape} and {b.shape} do not fit: the columns "
                         "of the first and the rows of the second must be equal")
    try:
        np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise ValueError(f"ttnn.{name}(): shapes {a.shape} and {b.shape}: the dimensions before "
                         "the matrices cannot be broadcast") from None


def _product(name, a, b, bias, transpose_a, transpose_b, options):
    options = dict(options)
    activation = options.pop("activation", None)
    check_tensor(a, f"ttnn.{name}(): input_tensor_a")
    check_tensor(b, f"ttnn.{name}(): input_tensor_b")

    def function(x, y, *added):
        x = _transposed(x, transpose_a, "transpose_a")
        y = _transposed(y, transpose_b, "transpose_b")
        _check_shapes(name, x, y)
        return activate(np.add(np.matmul(x, y), *added) if added else np.matmul(x, y), activation)

    return finish(name, a, _compute(name, function, a, b, bias), options)


def _compute(name, function, a, b, bias):
    """Applies `function`, a product of matrices. compute() would require that all operands can be
    broadcast to one shape, which matrices need not; so each operand is passed to it alone."""
    arrays = [compute(name, lambda x: x, {"input_tensor": each}, True)
              for each in (a, b, bias) if each is not None]
    with np.errstate(all="ignore"):
        return function(*arrays)


def matmul(input_tensor_a, input_tensor_b, transpose_a=False, transpose_b=False, **options):
    """Returns a @ b. Dimensions before the last two are broadcast. activation= names a function
    that is applied to the result.

    The shapes count elements. Raises a TypeError for an argument that is no tensor, and a ValueError
    for inner extents that differ.

    Example:

        y = ttnn.matmul(x, x, transpose_b=True)
    """
    return _product("matmul", input_tensor_a, input_tensor_b, None, transpose_a, transpose_b,
                    options)


def linear(input_tensor_a, input_tensor_b, bias=None, transpose_a=False, transpose_b=False,
           **options):
    """Returns activation(a @ b + bias).

    The shapes count elements. Raises a TypeError for an argument that is no tensor, and a ValueError
    for inner extents that differ.

    Example:

        y = ttnn.linear(x, ttnn.ones((64, 32)), activation="relu")
    """
    if bias is not None:
        check_tensor(bias, "ttnn.linear(): bias")
    return _product("linear", input_tensor_a, input_tensor_b, bias, transpose_a, transpose_b,
                    options)


def addmm(input_tensor, mat1_tensor, mat2_tensor, alpha=1.0, beta=1.0, **options):
    """Returns beta * input + alpha * (mat1 @ mat2).

    The shapes count elements. Raises a TypeError for an argument that is no tensor, and a ValueError
    for inner extents that differ.

    Example:

        y = ttnn.addmm(ttnn.ones((32, 32)), x, ttnn.transpose(x, 0, 1), beta=0.5)
    """
    check_tensor(mat1_tensor, "ttnn.addmm(): mat1_tensor")
    check_tensor(mat2_tensor, "ttnn.addmm(): mat2_tensor")
    check_tensor(input_tensor, "ttnn.addmm(): input_tensor")

    def function(x, y, added):
        _check_shapes("addmm", x, y)
        return beta * added + alpha * np.matmul(x, y)

    array = _compute("addmm", function, mat1_tensor, mat2_tensor, input_tensor)
    return finish("addmm", input_tensor, array, options)


def outer(input_tensor_a, input_tensor_b, **options):
    """Returns the products of each element of a with each element of b. Each of a and b must have
    only one dimension longer than 1.

    The shapes count elements. Raises a TypeError for an argument that is no tensor.

    Example:

        y = ttnn.outer(ttnn.ones((32,)), ttnn.ones((64,)))
    """
    check_tensor(input_tensor_a, "ttnn.outer(): input_tensor_a")
    check_tensor(input_tensor_b, "ttnn.outer(): input_tensor_b")
    array = _compute("outer", lambda x, y: np.outer(x, y), input_tensor_a, input_tensor_b, None)
    rank = max(len(input_tensor_a.shape), len(input_tensor_b.shape), 2)
    return finish("outer", input_tensor_a, array.reshape((1,) * (rank - 2) + array.shape), options)
