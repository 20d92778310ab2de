# SPDX-License-Identifier: Apache-2.0
"""Modules of TOSA: convolutions of all kinds, and ops that look elements up, compared with plain loops."""

import itertools

import numpy as np
import pytest
import ttl
from test_tosa import ZERO, array, floats, kind, run, shape, whole


def constant(name, numbers, element):
    numbers = list(numbers)
    return (f'  %{name} = "tosa.const"() <{{values = dense<{numbers}> : tensor<{len(numbers)}x{element}>}}> : () -> '
            f"tensor<{len(numbers)}x{element}>\n")


# ===--------------------------------------------------------------------------=== #
# Convolutions


@pytest.mark.parametrize("stride, pad", [
    ((1, 1), (0, 0, 0, 0)), ((2, 2), (0, 0, 0, 0)), ((3, 1), (-1, 2, 0, -1)), ((2, 3), (1, -2, -1, 0))])
def test_transposed_convolutions(stride, pad):
    image, weight, bias = floats(2, 5, 4, 3), floats(4, 3, 2, 3, seed=1), floats(4, seed=2)
    rows, columns = ((image.shape[d + 1] - 1) * stride[d] + pad[2 * d] + pad[2 * d + 1] + weight.shape[d + 1]
                     for d in (0, 1))
    wanted = np.zeros((2, rows, columns, 4)) + bias
    for n, y, x, r, c in itertools.product(range(2), range(5), range(4), range(3), range(2)):
        row, column = y * stride[0] + pad[0] + r, x * stride[1] + pad[2] + c
        if 0 <= row < rows and 0 <= column < columns:
            wanted[n, row, column] += weight[:, r, c].astype(np.float64) @ image[n, y, x]
    attributes = f"{{{{out_pad = {array(pad)}, stride = {array(stride)}, acc_type = f32}}}}"
    found = run(f"tosa.transpose_conv2d {{}}, %zero, %zero {attributes}", [image, weight, bias], kind(wanted, "f32"),
                before=ZERO, operands=["tensor<1xf32>"] * 2)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("pad, stride, dilation", [
    ((0, 0, 0, 0, 0, 0), (1, 1, 1), (1, 1, 1)), ((1, 1, 1, 1, 0, 1), (2, 2, 1), (1, 1, 2))])
def test_convolutions_of_volumes(pad, stride, dilation):
    image, weight, bias = floats(1, 4, 5, 6, 3), floats(4, 2, 3, 2, 3, seed=1), floats(4, seed=2)
    wide = np.pad(image.astype(np.float64), ((0, 0), pad[:2], pad[2:4], pad[4:], (0, 0)))
    counts = [(wide.shape[d + 1] - (weight.shape[d + 1] - 1) * dilation[d] - 1) // stride[d] + 1 for d in range(3)]
    wanted = np.zeros((1, *counts, 4)) + bias
    for place in itertools.product(*map(range, counts)):
        for k in itertools.product(range(2), range(3), range(2)):
            at = tuple(p * s + q * d for p, s, q, d in zip(place, stride, k, dilation))
            wanted[(0, *place)] += weight[(slice(None), *k)].astype(np.float64) @ wide[(0, *at)]
    attributes = (f"{{{{pad = {array(pad)}, stride = {array(stride)}, dilation = {array(dilation)}, "
                  "acc_type = f32}}")
    found = run(f"tosa.conv3d {{}}, %zero, %zero {attributes}", [image, weight, bias], kind(wanted, "f32"),
                before=ZERO, operands=["tensor<1xf32>"] * 2)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


# ===--------------------------------------------------------------------------=== #
# resize


def resized(image, scale, offset, border, is_nearest):
    """Computes resize by the loops of TOSA's specification, with floats or with integers."""
    n, rows, columns, channels = image.shape
    up, down = scale[::2], scale[1::2]
    extents = [((size - 1) * up[d] - offset[d] + border[d]) // down[d] + 1 for d, size in enumerate((rows, columns))]
    result = np.zeros((n, *extents, channels), np.float64 if image.dtype.kind == "f" else np.int64)
    for place in np.ndindex(*extents):
        first, second, rest = [], [], []
        for d, last in enumerate((rows - 1, columns - 1)):
            at = place[d] * down[d] + offset[d]
            before = at // up[d]
            rest.append(at - before * up[d])
            first.append(min(max(before, 0), last))
            second.append(min(max(before + 1, 0), last))
        if is_nearest:
            y, x = (b if 2 * r >= u else a for a, b, r, u in zip(first, second, rest, up))
            result[:, place[0], place[1]] = image[:, y, x]
            continue
        total = 0
        for corner in itertools.product((0, 1), repeat=2):
            y, x = (second[d] if corner[d] else first[d] for d in (0, 1))
            weights = [rest[d] if corner[d] else up[d] - rest[d] for d in (0, 1)]
            total = total + image[:, y, x].astype(result.dtype) * weights[0] * weights[1]
        result[:, place[0], place[1]] = total / (up[0] * up[1]) if image.dtype.kind == "f" else total
    return result


@pytest.mark.parametrize("scale, offset, border", [
    ((4, 2, 4, 2), (0, 0), (0, 0)), ((4, 2, 4, 2), (-1, -1), (1, 1)), ((2, 4, 6, 2), (0, 1), (0, -3)),
    ((16, 6, 5, 5), (0, 0), (2, 0))])
@pytest.mark.parametrize("mode", ["NEAREST_NEIGHBOR", "BILINEAR"])
@pytest.mark.parametrize("make", [floats, whole])
def test_resize(scale, offset, border, mode, make):
    image = make(2, 5, 4, 3)
    if make is whole:
        image = image.astype(np.int8)
    wanted = resized(image, scale, offset, border, mode.startswith("NEAREST"))
    element = "f32" if make is floats else "i8" if mode.startswith("NEAREST") else "i32"
    found = run(f"tosa.resize {{}}, %s, %o, %b {{{{mode = {mode}}}}}", [image], kind(wanted, element),
                before=shape("s", scale) + shape("o", offset) + shape("b", border),
                operands=["!tosa.shape<4>", "!tosa.shape<2>", "!tosa.shape<2>"])
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


# ===--------------------------------------------------------------------------=== #
# rescale, table, scatter, shifts


def rescaled(x, multiplier, shift, points, double, low, high):
    """Computes rescale by the loops of TOSA's specification, element by element."""
    result = np.empty(x.shape, np.int64)
    for place in np.ndindex(*x.shape):
        channel = place[-1] if len(shift) > 1 else 0
        value = int(x[place]) - points[0]
        half = 1 << (shift[channel] - 1)
        if double and shift[channel] > 31:
            half += (1 << 30) if value >= 0 else -(1 << 30)
        result[place] = min(max(((value * multiplier[channel] + half) >> shift[channel]) + points[1], low), high)
    return result


@pytest.mark.parametrize("mode", ["SINGLE_ROUND", "DOUBLE_ROUND"])
@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("unsigned", [False, True])
def test_rescale(mode, per_channel, unsigned):
    x = (whole(4, 33, 3) * 70007) if not unsigned else np.abs(whole(4, 33, 3) * 13).astype(np.uint8)
    multiplier, shift = ([1 << 30, 1518500250, 1073741825], [40, 34, 30]) if per_channel else ([1347440720], [38])
    points = (0, -3) if not unsigned else (7, 200)
    bits = [p if p < 128 else p - 256 for p in points]
    source = "i32" if not unsigned else "i8"
    wanted = rescaled(x, multiplier, shift, points, mode == "DOUBLE_ROUND", *((0, 255) if unsigned else (-128, 127)))
    before = (constant("m", multiplier, "i32") + constant("s", shift, "i8") + constant("a", bits[:1], source) +
              constant("b", bits[1:], "i8"))
    flag = str(unsigned).lower()
    op = (f"tosa.rescale {{}}, %m, %s, %a, %b {{{{scale32 = true, rounding_mode = {mode}, per_channel = "
          f"{str(per_channel).lower()}, input_unsigned = {flag}, output_unsigned = {flag}}}}}")
    n = len(shift)
    found = run(op, [x.view(np.int8) if unsigned else x], "tensor<4x33x3xi8>", before=before,
                operands=[f"tensor<{n}xi32>", f"tensor<{n}xi8>", f"tensor<1x{source}>", "tensor<1xi8>"])
    assert np.array_equal(found.view(np.uint8) if unsigned else found, wanted)


def test_tables():
    numbers = np.random.default_rng(0).integers(-128, 128, 256)
    x = np.arange(-128, 128).astype(np.int8).reshape(8, 32)
    found = run("tosa.table {}, %t", [x], kind(x), before=constant("t", numbers, "i8"), operands=["tensor<256xi8>"])
    assert np.array_equal(found, numbers[x.astype(int) + 128])


def test_tables_between_numbers():
    numbers = np.cumsum(np.random.default_rng(0).integers(-90, 91, 513))
    x = np.random.default_rng(1).integers(-2**15, 2**15, (5, 40)).astype(np.int16)
    wide = x.astype(int)
    base, following = numbers[(wide >> 7) + 256], numbers[(wide >> 7) + 257]
    text = f"""func.func @main(%x: tensor<5x40xi16>) -> tensor<5x40xi32> {{
{constant("t", numbers, "i16")}  %0 = tosa.table %x, %t : (tensor<5x40xi16>, tensor<513xi16>) -> tensor<5x40xi32>
  return %0 : tensor<5x40xi32>
}}
"""
    assert np.array_equal(ttl.load_mlir(text).main(x), (base << 7) + (following - base) * (wide & 127))


@pytest.mark.parametrize("channels", [1, 7])
def test_scatter(channels):
    values, updates = floats(3, 10, channels), floats(3, 4, channels, seed=1)
    indices = np.array([[0, 9, 3, 5], [1, 2, 3, 4], [9, 8, 7, 0]], np.int32)
    wanted = values.copy()
    for n, w in np.ndindex(3, 4):
        wanted[n, indices[n, w]] = updates[n, w]
    assert np.array_equal(run("tosa.scatter {}", [values, indices, updates], kind(values)), wanted)


def test_shifts_that_round():
    a, b = whole(4, 33), np.abs(whole(4, 33, seed=1))
    found = run("tosa.arithmetic_right_shift {} {{round = true}}", [a, b], kind(a))
    assert np.array_equal(found, (a >> b) + np.where(b > 0, (a >> np.maximum(b - 1, 0)) & 1, 0))


def test_a_rescale_without_a_shift():
    text = f"""func.func @main(%x: tensor<4xi32>) -> tensor<4xi8> {{
{constant("m", [1], "i32")}{constant("s", [0], "i8")}{constant("a", [0], "i32")}{constant("b", [0], "i8")}\
  %0 = tosa.rescale %x, %m, %s, %a, %b {{scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false,
       input_unsigned = false, output_unsigned = false}}
       : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}}
"""
    with pytest.raises(ttl.CompileError, match="has a shift of 0; expected shifts from 1 to 62") as error:
        ttl.load_mlir(text)
    assert error.value.line == 6


def test_a_rescale_whose_numbers_are_no_constants():
    text = """func.func @main(%x: tensor<4xi32>, %m: tensor<1xi32>, %s: tensor<1xi8>) -> tensor<4xi8> {
  %a = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %b = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %a, %b {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false,
       input_unsigned = false, output_unsigned = false}
       : (tensor<4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
"""
    with pytest.raises(ttl.CompileError) as error:
        ttl.load_mlir(text)
    assert "needs a constant as operand 1" in str(error.value) and error.value.line == 4
