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


def with_sink(q, k, v, hidden, sink, scale):
    """The expected attention: the softmax has one more score for each head, which has no value in v."""
    scores = np.einsum("bhid,bhjd->bhij", q, k)
    scores = np.where(hidden, -np.inf, scores)
    column = np.broadcast_to(sink.reshape(1, -1, 1, 1), (*scores.shape[:3], 1))
    weights = np.exp(np.concatenate((scores, column), -1) * scale)
    weights /= weights.sum(-1, keepdims=True)
    return np.einsum("bhij,bhjd->bhid", weights[..., :-1], v)


def test_attention_sink():
    (a, q), (b, k), (c, v) = (tensor_of(RNG.standard_normal((2, 2, 6, 8))) for _ in range(3))
    s, sink = tensor_of(RNG.standard_normal((1, 2, 1, 1)))
    later = np.arange(6)[None] > np.arange(6)[:, None]
    assert_rounded(attention(a, b, c, attention_sink=s, scale=0.5),
                   with_sink(q, k, v, later, sink, 0.5))
    with pytest.raises(ValueError, match=r"attention_sink has shape \(1, 3, 1, 1\).*2 heads"):
        attention(a, b, c, attention_sink=ttnn.ones((1, 3, 1, 1)))
    with pytest.raises(ValueError, match=r"attention_sink has shape \(1, 2, 6, 6\)"):
        attention(a, b, c, attention_sink=ttnn.ones((1, 2, 6, 6)))


def cache(batches=3):
    (a, q) = tensor_of(RNG.standard_normal((1, batches, 4, 8)))
    (b, k), (c, v) = (tensor_of(RNG.standard_normal((batches, 2, 6, 8))) for _ in range(2))
    return a, b, c, q[0][:, :, None], k.repeat(2, 1), v.repeat(2, 1)


decode = ttnn.transformer.scaled_dot_product_attention_decode


def decoded(q, k, v, seen, scale=8**-0.5):
    mask = np.where(np.array(seen)[:, None, None], 0, -np.inf)
    return expected(q, k, v, mask, scale)[:, :, 0][None]


def test_decode():
    a, b, c, q, k, v = cache()
    seen = [[i <= p for i in range(6)] for p in (0, 3, 5)]
    assert_rounded(decode(a, b, c, cur_pos=[0, 3, 5]), decoded(q, k, v, seen))
    positions = ttnn.from_numpy(np.array([0, 3, 5], np.int32))
    assert_rounded(decode(a, b, c, cur_pos_tensor=positions, scale=0.5),
                   decoded(q, k, v, seen, 0.5))
    window = [[p - 2 < i <= p for i in range(6)] for p in (0, 3, 5)]
    assert_rounded(decode(a, b, c, cur_pos=[0, 3, 5], sliding_window_size=2),
                   decoded(q, k, v, window))


def test_decode_of_an_absent_batch():
    a, b, c, q, k, v = cache(2)
    result = decode(a, b, c, cur_pos=[-1, 5]).to_numpy()
    assert not result[0, 0].any() and result[0, 1].any()


def test_decode_with_a_mask_and_a_sink():
    a, b, c, q, k, v = cache(2)
    m, mask = tensor_of(RNG.standard_normal((2, 1, 4, 6)))
    assert_rounded(decode(a, b, c, is_causal=False, attn_mask=m),
                   expected(q, k, v, np.swapaxes(mask, 1, 2), 8**-0.5)[:, :, 0][None])
    padded = np.zeros((4, 32))
    padded[:, 0] = RNG.standard_normal(4).round(1)
    s, sink = tensor_of(padded)
    assert_rounded(decode(a, b, c, cur_pos=[5, 5], attention_sink=s, scale=1.0),
                   with_sink(q, k, v, False, sink[:, 0], 1.0)[:, :, 0][None])


def test_decode_of_a_paged_cache():
    a, b, c, _, k, v = cache(2)
    table = np.array([[3, 0], [1, 2]], np.int32)

    def blocks(cache):
        found = np.zeros((4, 2, 3, 8))
        for batch in range(2):
            for page in range(2):
                found[table[batch, page]] = cache[batch, ::2, page * 3 : page * 3 + 3]
        return tensor_of(found)[0]

    paged = ttnn.transformer.paged_scaled_dot_product_attention_decode
    pages = ttnn.from_numpy(table)
    result = paged(a, blocks(k), blocks(v), pages, cur_pos=[2, 4])
    assert_rounded(result, decode(a, b, c, cur_pos=[2, 4]).to_numpy())
    with pytest.raises(ValueError, match="the page table names blocks 0 to 3, but the cache has 3"):
        paged(a, ttnn.ones((3, 2, 3, 8)), ttnn.ones((3, 2, 3, 8)), pages, cur_pos=[2, 4])


@pytest.mark.parametrize(
    "shapes, positions, message",
    [
        (((1, 2, 4, 8), (3, 2, 6, 8), (3, 2, 6, 8)), [0, 0], r"expected \(1, batch, heads, width"),
        (((1, 2, 4, 8), (2, 2, 6, 8), (2, 2, 6, 8)), [0], "1 positions for 2 batches"),
        (((1, 2, 4, 8), (2, 2, 6, 8), (2, 2, 6, 8)), [0, 6], "position 6 is outside of the cache"),
    ],
)
def test_decode_refusals(shapes, positions, message):
    with pytest.raises(ValueError, match=message):
        decode(*(ttnn.ones(shape) for shape in shapes), cur_pos=positions)
