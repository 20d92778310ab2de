# SPDX-License-Identifier: Apache-2.0
"""Attention, compared with numpy."""

import numpy as np
import pytest
import ttnn
from golden import DTYPES, assert_rounded, tensor_of

RNG = np.random.default_rng(10)
attention = ttnn.transformer.scaled_dot_product_attention


def expected(q, k, v, mask, scale):
    scores = np.einsum("bhid,bhjd->bhij", q, k) * scale + mask
    weights = np.exp(scores)
    return np.einsum("bhij,bhjd->bhid", weights / weights.sum(-1, keepdims=True), v)


@pytest.mark.parametrize("dtype", DTYPES)
def test_values(dtype):
    shapes = ((2, 4, 6, 8), (2, 4, 5, 8), (2, 4, 5, 3), (1, 1, 6, 5))
    (a, q), (b, k), (c, v), (m, mask) = (tensor_of(RNG.standard_normal(s), dtype) for s in shapes)
    assert_rounded(attention(a, b, c, is_causal=False), expected(q, k, v, 0, 8**-0.5))
    assert_rounded(attention(a, b, c, attn_mask=m, is_causal=False, scale=0.25),
                   expected(q, k, v, mask, 0.25))
    later = np.where(np.arange(5)[None] > np.arange(6)[:, None], -np.inf, 0)
    assert_rounded(attention(a, b, c), expected(q, k, v, later, 8**-0.5))


def test_keys_are_shared_by_heads():
    shapes = ((1, 4, 6, 8), (1, 2, 6, 8), (1, 2, 6, 8))
    (a, q), (b, k), (c, v) = (tensor_of(RNG.standard_normal(s)) for s in shapes)
    assert_rounded(attention(a, b, c, is_causal=False),
                   expected(q, k.repeat(2, 1), v.repeat(2, 1), 0, 8**-0.5))


@pytest.mark.parametrize(
    "shapes, message",
    [
        (((2, 3), (2, 3), (2, 3)), r"expected \(batch, heads, length, width\)"),
        (((1, 3, 4, 8), (1, 2, 4, 8), (1, 2, 4, 8)), "k has 2 heads, which do not divide the 3"),
        (((1, 2, 4, 8), (1, 2, 4, 7), (1, 2, 4, 8)), r"\(1, 2, 4, 7\)"),
    ],
)
def test_refusals(shapes, message):
    with pytest.raises(ValueError, match=message):
        attention(*(ttnn.ones(shape) for shape in shapes))
    with pytest.raises(TypeError, match="q: expected a ttnn.Tensor, found None"):
        attention(None, None, None)


@pytest.mark.parametrize("window", (1, 2, 3, 6))
@pytest.mark.parametrize("is_causal", (True, False))
def test_sliding_window(window, is_causal):
    (a, q), (b, k), (c, v) = (tensor_of(RNG.standard_normal((1, 2, 6, 8))) for _ in range(3))
    seen = [[i - window < j <= i if is_causal else abs(i - j) <= window // 2 for j in range(6)]
            for i in range(6)]
    assert_rounded(attention(a, b, c, is_causal=is_causal, sliding_window_size=window),
                   expected(q, k, v, np.where(seen, 0, -np.inf), 8**-0.5))


def test_no_sliding_window():
    tensor = ttnn.ones((1, 2, 6, 8))
    with pytest.raises(ValueError, match="sliding_window_size must be at least 1, found 0"):
        attention(tensor, tensor, tensor, sliding_window_size=0)


def test_options_of_a_device():
    (a, q), (b, k), (c, v) = (tensor_of(RNG.standard_normal((1, 2, 6, 8))) for _ in range(3))
    program = ttnn.SDPAProgramConfig(compute_with_storage_grid_size=(8, 8), q_chunk_size=32,
                                     k_chunk_size=32, exp_approx_mode=False)
    kernel = ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi4)
    out = ttnn.zeros((1, 2, 6, 8))
    result = attention(a, b, c, is_causal=False, program_config=program, output_tensor=out,
                       compute_kernel_config=kernel, memory_config=ttnn.DRAM_MEMORY_CONFIG)
    assert result is out
    assert_rounded(out, expected(q, k, v, 0, 8**-0.5))
