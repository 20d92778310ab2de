# SPDX-License-Identifier: Apache-2.0
"""How conv2d() is written in TTIR: each place in a window is a slice of the padded image, and the convolution is one
matrix product of these slices, side by side along the channels, with the weights."""

import math

from .compiled_text import NoCounterpart, boolean, integers, is_float, wide
from .convolution import geometry


def geometry_of(call):
    """Returns the Geometry of a call. Raises NoCounterpart for wrong numbers."""
    try:
        return geometry(**call.given)
    except (TypeError, ValueError) as error:
        raise NoCounterpart(str(error)) from None


def _reshape(text, value, shape):
    return value if value.shape == shape else text.op("reshape", [value], shape, shape=integers(shape))


def _slice(text, value, begins, ends, steps):
    shape = [len(range(*each)) for each in zip(begins, ends, steps)]
    if tuple(shape) == value.shape:
        return value
    return text.op("slice_static", [value], shape, begins=integers(begins), ends=integers(ends), step=integers(steps))


def _concat(text, values, shape, dim):
    return values[0] if len(values) == 1 else text.op("concat", values, shape, dim=f"{dim} : si32")


def _padded(text, x, margins):
    (top, bottom), (left, right) = margins
    if not any((top, bottom, left, right)):
        return x
    n, rows, columns, channels = x.shape
    return text.op("pad", [x], (n, rows + top + bottom, columns + left + right, channels),
                   padding=f"array<i32: 0, 0, {top}, {bottom}, {left}, {right}, 0, 0>", value="0.0 : f32")


def _places(text, g, x, channels):
    """Returns one slice of x for each place of the kernel: what all windows have there, in these channels."""
    found = []
    for row in range(g.kernel[0]):
        for column in range(g.kernel[1]):
            begins = [0, row * g.dilation[0], column * g.dilation[1], channels.start]
            ends = [x.shape[0], *(begin + (count - 1) * step + 1 for begin, count, step in
                                  zip(begins[1:3], g.extents, g.stride)), channels.stop]
            found.append(_slice(text, x, begins, ends, [1, *g.stride, 1]))
    return found


def _group(text, g, x, w, number):
    """Returns the result of one group of channels: a matrix (batch * rows * columns, out)."""
    inputs, outputs = g.weights[1], g.weights[0] // g.groups
    parts = _places(text, g, x, range(number * inputs, (number + 1) * inputs))
    inner = inputs * math.prod(g.kernel)
    rows = _concat(text, parts, (x.shape[0], *g.extents, inner), 3)
    rows = _reshape(text, rows, (x.shape[0] * math.prod(g.extents), inner))
    mine = _slice(text, w, [number * outputs, 0, 0, 0], [(number + 1) * outputs, *w.shape[1:]], [1] * 4)
    return text.op("matmul", [rows, _reshape(text, mine, (outputs, inner))], (rows.shape[0], outputs),
                   transpose_a=boolean(False), transpose_b=boolean(True))


def _checked(value, shape, what):
    if math.prod(value.shape) != math.prod(shape):
        raise NoCounterpart(f"the number of elements of {what} does not fit")
    return value


def convolution(call):
    """Returns the convolution plus the bias in f32, of shape (1, 1, batch * rows * columns, out)."""
    text, g = call.text, geometry_of(call)
    names = ["input_tensor", "weight_tensor", *(["bias_tensor"] if call["bias_tensor"] is not None else [])]
    x, w, *bias = call.wide(*names)
    if not all(is_float(each.element) for each in call.text.arguments):
        raise NoCounterpart("its kernel computes with floats only, and a tensor has integers")
    x = _padded(text, _reshape(text, _checked(x, g.image, "an image"), g.image), g.margins)
    w = _reshape(text, _checked(w, g.weights, "weights"), g.weights)
    w = text.op("permute", [w], [g.weights[dim] for dim in (0, 2, 3, 1)], permutation=wide([0, 2, 3, 1]))
    parts = [_group(text, g, x, w, number) for number in range(g.groups)]
    result = _concat(text, parts, (parts[0].shape[0], g.weights[0]), 1)
    result = _reshape(text, result, (1, 1, *result.shape))
    if bias:
        result = text.op("add", [result, _reshape(text, _checked(bias[0], g.weights[:1], "a bias"), g.weights[:1])])
    return result
