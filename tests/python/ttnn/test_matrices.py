# SPDX-License-Identifier: Apache-2.0
"""Products of matrices, softmax and normalisation, compared with numpy."""

import numpy as np
import pytest
import ttnn
from golden import DTYPES, assert_rounded, tensor_of

RNG = np.random.default_rng(6)


def random(*shape):
    return RNG.standard_normal(shape)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shapes",
    [((33, 40), (40, 7)), ((2, 33, 40), (40, 7)), ((2, 1, 5, 6), (3, 6, 4)), ((6,), (6, 4)),
     ((5, 6), (6,))],
)
def test_matmul(shapes, dtype):
    (a, x), (b, y) = (tensor_of(random(*shape), dtype) for shape in shapes)
    result = ttnn.matmul(a, b)
    assert result.dtype is dtype
    assert_rounded(result, x @ y)
    np.testing.assert_array_equal((a @ b).to_numpy(), result.to_numpy())


def test_transposed_operands():
    (a, x), (b, y) = tensor_of(random(2, 6, 5)), tensor_of(random(4, 6))
    assert_rounded(ttnn.matmul(a, b, transpose_a=True, transpose_b=True),
                   np.swapaxes(x, -1, -2) @ y.T)


@pytest.mark.parametrize("dtype", DTYPES)
def test_linear(dtype):
    (a, x), (b, y), (c, z) = (tensor_of(random(*s), dtype) for s in ((33, 40), (40, 7), (1, 7)))
    assert_rounded(ttnn.linear(a, b, bias=c), x @ y + z)
    assert_rounded(ttnn.linear(a, b, bias=c, activation="relu"), np.maximum(x @ y + z, 0))
    assert_rounded(ttnn.linear(a, b, activation=ttnn.UnaryOpType.RELU), np.maximum(x @ y, 0))
    config = ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi4)
    assert_rounded(ttnn.linear(a, b, compute_kernel_config=config, core_grid=ttnn.CoreGrid(8, 8),
                               memory_config=ttnn.DRAM_MEMORY_CONFIG, dtype=ttnn.float32), x @ y)


def test_addmm_and_outer():
    (a, x), (b, y), (c, z) = (tensor_of(random(*s)) for s in ((5, 6), (6, 4), (5, 4)))
    assert_rounded(ttnn.addmm(c, a, b, alpha=0.5, beta=2.0), 2 * z + 0.5 * (x @ y))
    (p, u), (q, v) = tensor_of(random(1, 1, 1, 5)), tensor_of(random(1, 1, 3, 1))
    assert_rounded(ttnn.outer(p, q), np.outer(u, v).reshape(1, 1, 5, 3))


@pytest.mark.parametrize(
    "shapes, message",
    [
        (((5, 6), (5, 6)), r"\(5, 6\) and \(5, 6\) do not fit"),
        (((2, 5, 6), (3, 6, 4)), "cannot be broadcast"),
        (((), (6,)), "do not fit"),
    ],
)
def test_shapes_that_do_not_fit(shapes, message):
    with pytest.raises(ValueError, match=message):
        ttnn.matmul(*(ttnn.ones(shape) for shape in shapes))
    with pytest.raises(TypeError, match="input_tensor_b: expected a ttnn.Tensor, found int"):
        ttnn.matmul(ttnn.ones((2, 2)), 3)


def softmax(x, axis):
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dim", [-1, 0, 1])
def test_softmax(dim, dtype):
    tensor, values = tensor_of(random(3, 33, 40), dtype)
    assert_rounded(ttnn.softmax(tensor, dim=dim), softmax(values, dim))
    assert_rounded(ttnn.log_softmax(tensor, dim), np.log(softmax(values, dim)))
    assert ttnn.softmax_in_place(tensor, dim=dim, numeric_stable=True) is tensor
    assert_rounded(tensor, softmax(values, dim))


def test_softmax_of_large_values():
    result = ttnn.softmax(ttnn.full((4, 8), 3e38)).to_numpy()
    np.testing.assert_array_equal(result, np.full((4, 8), 0.125, np.float32))


@pytest.mark.parametrize("dtype", DTYPES)
def test_layer_norm(dtype):
    (a, x), (w, u), (b, v) = (tensor_of(random(*s), dtype) for s in ((3, 33, 40), (40,), (1, 40)))
    exact = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * u + v
    result = ttnn.layer_norm(a, epsilon=1e-5, weight=w, bias=b).to_numpy()
    # The bound is absolute: a sum of two terms with opposite signs loses digits.
    bound = 2.0**-22 if dtype is ttnn.float32 else 2.0**-6
    np.testing.assert_allclose(result, exact, rtol=bound, atol=bound)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rms_norm(dtype):
    (a, x), (w, u), (r, y) = (tensor_of(random(*s), dtype) for s in ((33, 40), (1, 40), (33, 40)))
    assert_rounded(ttnn.rms_norm(a, weight=w, epsilon=1e-6),
                   x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * u)
    z = x + y
    assert_rounded(ttnn.rms_norm(a, residual_input_tensor=r, epsilon=0.0),
                   z / np.sqrt((z * z).mean(-1, keepdims=True)))
    with pytest.raises(ValueError, match=r"weight has shape \(3,\), expected 40 elements"):
        ttnn.rms_norm(a, weight=ttnn.ones((3,)))


def test_options_of_normalizations():
    (a, x), (w, weight), (b, bias), (r, rest) = (
        tensor_of(random(*shape)) for shape in ((1, 1, 8, 8), (8,), (1, 1, 1, 8), (1, 1, 8, 8)))
    kernel = ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi4,
                                              fp32_dest_acc_en=True)
    programs = [None, ttnn.LayerNormDefaultProgramConfig(),
                ttnn.LayerNormShardedMultiCoreProgramConfig(
                    compute_with_storage_grid_size=(1, 1), subblock_w=1, block_h=1, block_w=1,
                    inplace=False)]
    y = x + rest
    centred = y - y.mean(-1, keepdims=True)
    layer = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * weight + bias
    rms = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * weight
    for program in programs:
        options = dict(program_config=program, compute_kernel_config=kernel,
                       memory_config=ttnn.DRAM_MEMORY_CONFIG)
        result = ttnn.layer_norm(a, weight=w, bias=b, epsilon=1e-5, residual_input_tensor=r,
                                 **options)
        np.testing.assert_allclose(result.to_numpy(), layer, rtol=2.0**-20, atol=2.0**-20)
        assert_rounded(ttnn.rms_norm(a, weight=w, epsilon=1e-6, **options), rms)
    groups = x.reshape(1, 8, 2, 4)
    centred = groups - groups.mean((1, 3), keepdims=True)
    grouped = centred / np.sqrt((centred**2).mean((1, 3), keepdims=True) + 1e-5)
    result = ttnn.group_norm(a, num_groups=2, epsilon=1e-5, input_mask=None, inplace=False,
                             core_grid=ttnn.CoreGrid(y=1, x=1), num_out_blocks=1,
                             output_layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG,
                             compute_kernel_config=kernel)
    np.testing.assert_allclose(result.to_numpy(), grouped.reshape(x.shape), rtol=2.0**-20,
                               atol=2.0**-20)
    with pytest.raises(TypeError, match=r"layer_norm\(\) has no option 'eps'"):
        ttnn.layer_norm(a, eps=1e-5)
