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
