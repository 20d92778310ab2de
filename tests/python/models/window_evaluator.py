# ===- window_evaluator.py - the meaning of ttir's convolutions and pools -----=== #
# SPDX-License-Identifier: Apache-2.0
#
# Plain loops over the results: each window is cut out of the image by its indices. They share no code
# with the compiler, which makes slices, products and sums of whole images instead.
# ===--------------------------------------------------------------------------=== #

import numpy as np

NAMES = ("conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d", "global_avg_pool2d")


def _places(attributes, dim, window):
    """Returns the image's rows (or columns) that a window covers. Indices outside the image are padding."""
    first = window * attributes["stride"][dim] - attributes["padding"][dim]
    return [first + i * attributes["dilation"][dim] for i in range(attributes["kernel"][dim])]


def convolution(op, x, w, bias):
    """Returns a convolution. x and the result are (batch, rows, columns, channels); `bias` is a vector or 0."""
    a, groups = op.attributes, op.attributes["groups"]
    outputs, inputs = w.shape[0] // groups, w.shape[1]
    top, left, bottom, right = a["padding"]
    counts = [(x.shape[d + 1] + low + high - a["dilation"][d] * (w.shape[d + 2] - 1) - 1) // a["stride"][d] + 1
              for d, low, high in ((0, top, bottom), (1, left, right))]
    found = np.zeros((x.shape[0], *counts, w.shape[0]), x.dtype)
    for row, column in np.ndindex(*counts):
        for i, r in enumerate(_places(a, 0, row)):
            for j, c in enumerate(_places(a, 1, column)):
                if not (0 <= r < x.shape[1] and 0 <= c < x.shape[2]):
                    continue
                for group in range(groups):
                    to = slice(group * outputs, (group + 1) * outputs)
                    part = x[:, r, c, group * inputs:(group + 1) * inputs] @ w[to, :, i, j].T
                    found[:, row, column, to] = found[:, row, column, to] + part
    return found + bias


def transposed_convolution(op, x, w, bias):
    """Adds each element's products to the rows and columns that the convolution's window would have read."""
    a, groups = op.attributes, op.attributes["groups"]
    inputs, outputs = w.shape[0] // groups, w.shape[1]
    counts = [(x.shape[d + 1] - 1) * a["stride"][d] - a["padding"][d] - a["padding"][d + 2]
              + a["dilation"][d] * (w.shape[d + 2] - 1) + a["output_padding"][d] + 1 for d in (0, 1)]
    found = np.zeros((x.shape[0], *counts, outputs * groups), x.dtype)
    for row, column in np.ndindex(*x.shape[1:3]):
        for i, r in enumerate(_places(a, 0, row)):
            for j, c in enumerate(_places(a, 1, column)):
                if not (0 <= r < counts[0] and 0 <= c < counts[1]):
                    continue
                for group in range(groups):
                    of = slice(group * inputs, (group + 1) * inputs)
                    to = slice(group * outputs, (group + 1) * outputs)
                    found[:, r, c, to] = found[:, r, c, to] + x[:, row, column, of] @ w[of, :, i, j]
    return found + bias


def pool(op, x, result, greater):
    """Returns the pooled image. `greater(a, b)` is the function that max pooling uses."""
    a = op.attributes
    found = np.empty(result.shape, x.dtype)
    rows, columns = x.shape[1] + a["padding"][2], x.shape[2] + a["padding"][3]
    for row, column in np.ndindex(*result.shape[1:3]):
        places = [(r, c) for r in _places(a, 0, row) for c in _places(a, 1, column) if r < rows and c < columns]
        inside = [(r, c) for r, c in places if 0 <= r < x.shape[1] and 0 <= c < x.shape[2]]
        for n, channel in np.ndindex(x.shape[0], x.shape[3]):
            numbers = [x[n, r, c, channel] for r, c in inside]
            if op.name == "max_pool2d":
                value = _lowest(result.element)
                for number in numbers:
                    value = greater(value, number)
            else:
                count = len(places) if a["count_include_pad"] else len(inside)
                value = sum(numbers) / count if count else np.nan
            found[n, row, column, channel] = value
    return found


def _lowest(element):
    bits = element.lstrip("su")
    if not bits.startswith("i"):
        return -np.inf
    return 0 if element.startswith("u") else -2 ** (int(bits[1:]) - 1)


def evaluate(op, arrays, result, greater):
    x = arrays[0]
    if op.name == "global_avg_pool2d":
        return x.mean((1, 2), keepdims=True)
    if op.name in ("max_pool2d", "avg_pool2d"):
        return pool(op, x, result, greater)
    function = convolution if op.name == "conv2d" else transposed_convolution
    order = op.attributes["order"]
    found = function(op, x.transpose(order), arrays[1], arrays[2].reshape(-1) if len(arrays) > 2 else 0)
    return found.transpose(np.argsort(order))
