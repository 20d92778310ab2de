# SPDX-License-Identifier: Apache-2.0
"""conv2d and group_norm, compared with plain loops."""

import itertools

import numpy as np
import pytest
import ttnn

RNG = np.random.default_rng(7)


def integers(*shape):
    return RNG.integers(-4, 5, shape).astype(np.float32)


def golden(x, w, stride, padding, dilation, groups):
    """Computes a convolution: x is (batch, rows, columns, channels), w (out, in / groups, rows, columns)."""
    (top, bottom), (left, right) = padding
    x = np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)))
    n, height, width, _ = x.shape
    out, inputs, kh, kw = w.shape
    rows = (height - dilation[0] * (kh - 1) - 1) // stride[0] + 1
    columns = (width - dilation[1] * (kw - 1) - 1) // stride[1] + 1
    y = np.zeros((n, rows, columns, out))
    for b, r, c, o in itertools.product(range(n), range(rows), range(columns), range(out)):
        first = o // (out // groups) * inputs
        for i, j, k in itertools.product(range(inputs), range(kh), range(kw)):
            place = r * stride[0] + j * dilation[0], c * stride[1] + k * dilation[1]
            y[b, r, c, o] += x[(b, *place, first + i)] * w[o, i, j, k]
    return y


CASES = [
    dict(),
    dict(stride=(2, 1), padding=(1, 2)),
    dict(dilation=(2, 1), padding=(1, 0, 2, 1)),
    dict(groups=2, kernel_size=(1, 3)),
    dict(groups=4, stride=2, padding=1),
]


@pytest.mark.parametrize("case", CASES)
def test_conv2d(case):
    device = ttnn.open_device(device_id=0)
    groups, kernel = case.get("groups", 1), case.get("kernel_size", (3, 2))
    x, w, bias = integers(2, 7, 6, 4), integers(8, 4 // groups, *kernel), integers(8)
    given = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1), **case, "kernel_size": kernel}
    y, (rows, columns), (weights, kept) = ttnn.conv2d(
        input_tensor=ttnn.from_numpy(x.reshape(1, 1, -1, 4), device=device),
        weight_tensor=ttnn.from_numpy(w), bias_tensor=ttnn.from_numpy(bias.reshape(1, 1, 1, 8)),
        in_channels=4, out_channels=8, device=device, batch_size=2, input_height=7, input_width=6,
        return_output_dim=True, return_weights_and_bias=True,
        conv_config=ttnn.Conv2dConfig(activation="relu"), **given)
    pair = lambda v: v if isinstance(v, tuple) else (v, v)  # noqa: E731
    padding = pair(given["padding"])
    margins = (padding[:2], padding[2:]) if len(padding) == 4 else tuple((p, p) for p in padding)
    expected = golden(x, w, pair(given["stride"]), margins, given["dilation"], groups) + bias
    assert (rows, columns) == expected.shape[1:3] and tuple(y.shape) == (1, 1, 2 * rows * columns, 8)
    assert np.array_equal(ttnn.to_numpy(y).reshape(expected.shape), np.maximum(expected, 0))
    assert tuple(weights.shape) == w.shape and kept is not None


CALL = dict(in_channels=4, out_channels=2, batch_size=1, input_height=3, input_width=3, kernel_size=3)


def test_results_of_conv2d():
    x, w = ttnn.from_numpy(integers(1, 3, 3, 4)), ttnn.from_numpy(integers(2, 4, 3, 3))
    y = ttnn.conv2d(input_tensor=x, weight_tensor=w, **CALL)
    assert isinstance(y, ttnn.Tensor) and tuple(y.shape) == (1, 1, 1, 2)
    again, extents = ttnn.conv2d(input_tensor=x, weight_tensor=w, return_output_dim=True, **CALL)
    assert extents == [1, 1] and np.array_equal(ttnn.to_numpy(again), ttnn.to_numpy(y))


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(groups=3), "groups=3 does not divide 4 and 2 channels"),
        (dict(kernel_size=4), "weight_tensor has shape"),
        (dict(stride=0), "stride=0: expected a number or two numbers, at least 1"),
        (dict(batch_size=2), "input_tensor has shape"),
        (dict(dilation=2), "the kernel does not fit the 3 rows of the input"),
        (dict(unknown=2), "has no option 'unknown'"),
    ],
)
def test_refusals_of_conv2d(change, message):
    x, w = ttnn.from_numpy(integers(1, 3, 3, 4)), ttnn.from_numpy(integers(2, 4, 3, 3))
    with pytest.raises((ValueError, TypeError)) as caught:
        ttnn.conv2d(input_tensor=x, weight_tensor=w, **{**CALL, **change})
    assert message in str(caught.value)


@pytest.mark.parametrize("groups", [1, 2, 8])
@pytest.mark.parametrize("inplace", [None, False, True])
def test_group_norm(groups, inplace):
    x = RNG.standard_normal((2, 1, 12, 8)).astype(np.float32)
    weight, bias = integers(8), integers(8)
    expected = np.zeros(x.shape)
    for n, g in itertools.product(range(2), range(groups)):
        part = x[n, 0, :, g * 8 // groups : (g + 1) * 8 // groups].astype(float)
        scaled = (part - part.mean()) / np.sqrt(part.var() + 1e-5)
        expected[n, 0, :, g * 8 // groups : (g + 1) * 8 // groups] = scaled
    tensor = ttnn.from_numpy(x.copy())
    y = ttnn.group_norm(tensor, num_groups=groups, epsilon=1e-5, weight=ttnn.from_numpy(weight),
                        bias=ttnn.from_numpy(bias.reshape(1, 1, 1, 8)), inplace=inplace,
                        core_grid=ttnn.CoreGrid(y=1, x=1), input_mask=None)
    assert np.allclose(ttnn.to_numpy(y), expected * weight + bias, atol=1e-5)
    assert (y is tensor) is bool(inplace)


def test_refusals_of_group_norm():
    with pytest.raises(ValueError, match="num_groups=3 does not divide 8 channels"):
        ttnn.group_norm(ttnn.ones((1, 1, 4, 8)), num_groups=3)
    with pytest.raises(ValueError, match=r"expected \(batch, 1, positions, channels\)"):
        ttnn.group_norm(ttnn.ones((4, 8)), num_groups=2)
