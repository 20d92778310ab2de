# SPDX-License-Identifier: Apache-2.0
"""ttnn.transformer: a function for attention."""

import numpy as np

from _ttjit import public

from .operands import check_tensor, compute, finish, integer_of

__all__ = ["scaled_dot_product_attention"]


def _repeated(heads, wanted, name):
    """Repeats the heads of keys or values, so that each head of the queries has one."""
    if wanted % heads.shape[1]:
        raise ValueError(f"scaled_dot_product_attention(): {name} has {heads.shape[1]} heads, "
                         f"which do not divide the {wanted} heads of the queries")
    return np.repeat(heads, wanted // heads.shape[1], axis=1)


def _check_shapes(q, k, v):
    shapes = (q.shape, k.shape, v.shape)
    fits = all(len(shape) == 4 for shape in shapes) and q.shape[0] == k.shape[0] == v.shape[0]
    if not fits or q.shape[3] != k.shape[3] or k.shape[1:3] != v.shape[1:3]:
        raise ValueError(f"scaled_dot_product_attention(): shapes {q.shape}, {k.shape} and "
                         f"{v.shape}: expected (batch, heads, length, width)")


def _hidden(queries, keys, is_causal, window):
    """Returns which keys each query ignores."""
    distance = np.arange(queries)[:, None] - np.arange(keys)
    hidden = distance < 0 if is_causal else np.zeros((queries, keys), bool)
    if window is None:
        return hidden
    return hidden | (distance >= window if is_causal else abs(distance) > window // 2)


def _window(size):
    if size is None:
        return None
    size = integer_of(size, "scaled_dot_product_attention(): sliding_window_size")
    if size < 1:
        raise ValueError("scaled_dot_product_attention(): sliding_window_size must be at least 1, "
                         f"found {size}")
    return size


def _attention(q, k, v, mask, hidden, scale):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) * scale
    scores = np.where(hidden, -np.inf, scores)
    if mask is not None:
        scores = scores + mask
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return np.matmul(powers / np.sum(powers, axis=-1, keepdims=True), v)


@public
def scaled_dot_product_attention(input_tensor_q, input_tensor_k, input_tensor_v, *,
                                 attn_mask=None, is_causal=True, scale=None,
                                 sliding_window_size=None, **options):
    """Returns softmax(q @ transposed k * scale + mask) @ v for tensors (batch, heads, length,
    width). With is_causal, a query ignores later keys. With a sliding window of n, it ignores all
    but the last n keys, or without is_causal all keys further away than n // 2. The default of
    scale is 1 / sqrt(width)."""
    name = "scaled_dot_product_attention"
    given = {"q": input_tensor_q, "k": input_tensor_k, "v": input_tensor_v}
    if attn_mask is not None:
        given["mask"] = attn_mask
    arrays = {key: compute(name, np.array, {key: check_tensor(value, f"{name}(): {key}")}, False)
              for key, value in given.items()}
    q, k, v = arrays["q"], arrays["k"], arrays["v"]
    _check_shapes(q, k, v)
    k, v = _repeated(k, q.shape[1], "k"), _repeated(v, q.shape[1], "v")
    scale = q.shape[3] ** -0.5 if scale is None else float(scale)
    with np.errstate(all="ignore"):
        hidden = _hidden(q.shape[2], k.shape[2], is_causal, _window(sliding_window_size))
        result = _attention(q, k, v, arrays.get("mask"), hidden, scale)
    return finish(name, input_tensor_q, result, options)
