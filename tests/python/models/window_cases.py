# ===- window_cases.py - random convolutions and pools of ttir ----------------=== #
# SPDX-License-Identifier: Apache-2.0

# Orders of an image's dimensions: where batch, rows, columns and channels are.
ORDERS = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 2, 1))


def _pair_text(rng, pair):
    if pair[0] == pair[1] and rng.integers(2):
        return f"{pair[0]} : i32"
    return f"array<i32: {pair[0]}, {pair[1]}>"


def _padding_text(rng, padding):
    """Returns a text for the padding, which is (top, left, bottom, right)."""
    if len(set(padding)) == 1 and rng.integers(2):
        return f"{padding[0]} : i32"
    if padding[:2] == padding[2:] and rng.integers(2):
        return f"array<i32: {padding[0]}, {padding[1]}>"
    return f"array<i32: {', '.join(map(str, padding))}>"


def _numbers(rng, *, kernel, low, high):
    """Returns random attributes that convolutions and pools share, as values and as text."""
    def pair(least, most):
        return [int(rng.integers(least, most + 1)) for _ in range(2)]

    attributes = {"stride": pair(1, 3), "dilation": pair(1, 2), "padding": pair(low, high) + pair(low, high)}
    if rng.integers(3) == 0:
        attributes["padding"][2:] = attributes["padding"][:2]
    texts = [f"{name} = {_pair_text(rng, attributes[name])}" for name in ("stride", "dilation")]
    texts.append(f"padding = {_padding_text(rng, attributes['padding'])}")
    attributes["kernel"] = kernel or pair(1, 3)
    return attributes, texts


def _fits(image, attributes):
    top, left, bottom, right = attributes["padding"]
    spans = [d * (k - 1) + 1 for d, k in zip(attributes["dilation"], attributes["kernel"])]
    return spans[0] <= image[1] + top + bottom and spans[1] <= image[2] + left + right


def add_pool(maker, name, number):
    kind = maker.kind(number)
    if len(kind.shape) != 4 or kind.element == "i1":
        return False
    if name != "max_pool2d" and kind.element not in ("f32", "bf16", "f16", "f64"):
        return False
    if name == "global_avg_pool2d":
        return maker._op(name, [number], (kind.shape[0], 1, 1, kind.shape[3]), kind.element)
    attributes, texts = _numbers(maker.rng, kernel=None, low=0, high=1)
    if not _fits(kind.shape, attributes):
        return False
    attributes["ceil_mode"] = bool(maker.rng.integers(2))
    texts += [f"kernel = {_pair_text(maker.rng, attributes['kernel'])}",
              f"ceil_mode = {str(attributes['ceil_mode']).lower()}"]
    if name == "avg_pool2d":
        attributes["count_include_pad"] = bool(maker.rng.integers(2))
        if not attributes["count_include_pad"] or maker.rng.integers(2):
            texts.append(f"count_include_pad = {str(attributes['count_include_pad']).lower()}")
    counts = [pool_count(kind.shape, attributes, dim) for dim in (0, 1)]
    return maker._op(name, [number], (kind.shape[0], *counts, kind.shape[3]), kind.element, attributes,
                     ", ".join(texts))


def pool_count(image, attributes, dim):
    """Returns the number of windows along rows or columns, counted one by one."""
    before, behind = attributes["padding"][dim], attributes["padding"][dim + 2]
    span = attributes["dilation"][dim] * (attributes["kernel"][dim] - 1) + 1
    size, stride, count = image[dim + 1] + before + behind, attributes["stride"][dim], 0
    while count * stride + span <= size:
        count += 1
    last = (count - 1) * stride + span
    if attributes["ceil_mode"] and last < size and count * stride < image[dim + 1] + before:
        count += 1
    return count


def add_convolution(maker, name, number, constant):
    """Adds a convolution. `constant(shape, element type)` adds a constant to the module."""
    kind, rng = maker.kind(number), maker.rng
    if len(kind.shape) != 4 or kind.element == "i1":
        return False
    order = ORDERS[int(rng.integers(len(ORDERS)))]
    image = [kind.shape[dim] for dim in order]
    kernel = [int(rng.integers(1, 4)) for _ in range(2)]
    groups = int(rng.choice([g for g in range(1, image[3] + 1) if image[3] % g == 0]))
    outputs = groups * int(rng.integers(1, 3))
    attributes, texts = _numbers(rng, kernel=kernel, low=0, high=2)
    transposed = name == "conv_transpose2d"
    if image[3] * outputs * image[1] * image[2] > 20000 or not (transposed or _fits(image, attributes)):
        return False
    attributes.update(order=order, groups=groups)
    texts.append(f"groups = {groups} : i32")
    if order != ORDERS[0] or rng.integers(2):
        texts += [f"{key}_dim = {dim} : i64" for key, dim in zip(("batch", "height", "width", "channel"), order)]
    counts = [(image[d + 1] + attributes["padding"][d] + attributes["padding"][d + 2]
               - attributes["dilation"][d] * (kernel[d] - 1) - 1) // attributes["stride"][d] + 1 for d in (0, 1)]
    if transposed:
        attributes["output_padding"] = [int(rng.integers(0, 2)) for _ in range(2)]
        texts.append(f"output_padding = {_pair_text(rng, attributes['output_padding'])}")
        counts = [(image[d + 1] - 1) * attributes["stride"][d] - attributes["padding"][d]
                  - attributes["padding"][d + 2] + attributes["dilation"][d] * (kernel[d] - 1)
                  + attributes["output_padding"][d] + 1 for d in (0, 1)]
    if min(counts) < 1 or counts[0] * counts[1] * outputs * image[0] > 20000:
        return False
    return _add(maker, name, number, constant, (image, counts, outputs), attributes, texts)


def _add(maker, name, number, constant, sizes, attributes, texts):
    """Adds the op and its constants. The bias has its elements in the channels' dimension."""
    (image, counts, outputs), groups = sizes, attributes["groups"]
    order, kind = attributes["order"], maker.kind(number)
    weights = [image[3], outputs // groups] if name == "conv_transpose2d" else [outputs, image[3] // groups]
    operands = [number, constant((*weights, *attributes["kernel"]), kind.element)]
    result, bias = [0] * 4, [1] * 4
    for dim, extent in zip(order, (image[0], *counts, outputs)):
        result[dim] = extent
    bias[order[3]] = outputs
    if maker.rng.integers(2):
        operands.append(constant(tuple(bias), kind.element))
    return maker._op(name, operands, result, kind.element, attributes, ", ".join(texts))
