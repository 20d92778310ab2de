# SPDX-License-Identifier: Apache-2.0
"""ttnn.transformer: functions for attention."""

import numpy as np

from _ttjit import public

from .backend import selectable
from .caches import positions_of, unpaged
from .operands import check_tensor, compute, finish, integer_of

__all__ = [
    "paged_scaled_dot_product_attention_decode",
    "scaled_dot_product_attention",
    "scaled_dot_product_attention_decode",
]


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
    """Returns booleans (queries, keys): True where the query ignores the key."""
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


def _sink(sink, heads, scale, name):
    """Returns the scaled scores of the attention sinks, of shape (1, heads, 1, 1); None without
    sinks. The tensor has one value for each head, or one row for each head, whose first element
    counts."""
    if sink is None:
        return None
    column = sink.reshape(heads, -1)[:, :1] if sink.size and sink.size % heads == 0 else None
    if column is None or sink.ndim == 4 and sink.shape[-1] != 1:
        raise ValueError(f"{name}(): attention_sink has shape {sink.shape}: expected one value "
                         f"for each of the {heads} heads, as (1, {heads}, 1, 1)")
    return column[None, :, :, None] * scale


def _attention(q, k, v, mask, hidden, scale, sink):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) * scale
    scores = np.where(hidden, -np.inf, scores)
    if mask is not None:
        scores = scores + mask
    highest = np.max(scores, axis=-1, keepdims=True)
    highest = highest if sink is None else np.maximum(highest, sink)
    powers = np.exp(scores - highest)
    total = np.sum(powers, axis=-1, keepdims=True)
    total = total if sink is None else total + np.exp(sink - highest)
    return np.matmul(powers / total, v)


def _arrays(name, **given):
    return {key: compute(name, np.array, {key: check_tensor(value, f"{name}(): {key}")}, False)
            for key, value in given.items() if value is not None or key in "qkv"}


@public
@selectable
def scaled_dot_product_attention(input_tensor_q, input_tensor_k, input_tensor_v, *,
                                 attn_mask=None, is_causal=True, scale=None,
                                 sliding_window_size=None, attention_sink=None, **options):
    """Returns softmax(q @ transposed k * scale + mask) @ v for tensors (batch, heads, length,
    width). With is_causal, a query ignores later keys. With a sliding window of n, it ignores all
    but the last n keys, or without is_causal all keys further away than n // 2. The default of
    scale is 1 / sqrt(width). attention_sink has one more score for each head, which is scaled,
    too: it takes part in the softmax, but has no value."""
    name = "scaled_dot_product_attention"
    arrays = _arrays(name, q=input_tensor_q, k=input_tensor_k, v=input_tensor_v, mask=attn_mask,
                     sink=attention_sink)
    q, k, v = arrays["q"], arrays["k"], arrays["v"]
    _check_shapes(q, k, v)
    k, v = _repeated(k, q.shape[1], "k"), _repeated(v, q.shape[1], "v")
    scale = q.shape[3] ** -0.5 if scale is None else float(scale)
    sink = _sink(arrays.get("sink"), q.shape[1], scale, name)
    with np.errstate(all="ignore"):
        hidden = _hidden(q.shape[2], k.shape[2], is_causal, _window(sliding_window_size))
        result = _attention(q, k, v, arrays.get("mask"), hidden, scale, sink)
    return finish(name, input_tensor_q, result, options)


def _check_decoded(name, q, k, v):
    if q.ndim != 4 or k.ndim != 4 or v.ndim != 4 or q.shape[0] != 1 or (
            k.shape[:3] != v.shape[:3] or k.shape[0] != q.shape[1] or k.shape[3] != q.shape[3]):
        raise ValueError(f"{name}(): shapes {q.shape}, {k.shape} and {v.shape}: expected "
                         "(1, batch, heads, width) and twice (batch, heads, length, width)")


def _unseen(name, length, batch, is_causal, cur_pos, cur_pos_tensor, window):
    """Returns booleans (batch, 1, 1, length): True where the batch ignores the key."""
    if not is_causal:
        return np.zeros((batch, 1, 1, length), bool)
    last = np.array(positions_of(name, cur_pos, cur_pos_tensor, batch))[:, None]
    if last.size and last.max() >= length:
        raise ValueError(f"{name}(): position {last.max()} is outside of the cache, which has "
                         f"{length} rows")
    keys = np.arange(length)
    hidden = keys > last
    if window is not None:
        hidden |= keys <= last - window
    return hidden[:, None, None, :]


def _decode(name, q, k, v, *, attn_mask, is_causal, cur_pos, cur_pos_tensor, attention_sink,
            scale, sliding_window_size):
    _check_decoded(name, q, k, v)
    batch, heads, width = q.shape[1:]
    extra = _arrays(name, mask=attn_mask, sink=attention_sink)
    k, v = _repeated(k, heads, "k"), _repeated(v, heads, "v")
    scale = width**-0.5 if scale is None else float(scale)
    sink = _sink(extra.get("sink"), heads, scale, name)
    mask = extra.get("mask")
    if mask is not None and mask.shape[1] == 1 and mask.shape[2] == heads:
        mask = np.swapaxes(mask, 1, 2)  # one row for each head
    hidden = _unseen(name, k.shape[2], batch, is_causal, cur_pos, cur_pos_tensor,
                     _window(sliding_window_size))
    with np.errstate(all="ignore"):
        result = _attention(q[0][:, :, None], k, v, mask, hidden, scale, sink)
    # A batch at position -1 takes no part.
    result[np.all(hidden, axis=(1, 2, 3))] = 0
    return result[:, :, 0][None]


@public
def scaled_dot_product_attention_decode(input_tensor_q, input_tensor_k, input_tensor_v, *,
                                        is_causal=True, attn_mask=None, cur_pos=(),
                                        cur_pos_tensor=None, attention_sink=None, scale=None,
                                        sliding_window_size=None, **options):
    """Returns the attention of one query of each batch to a cache of keys and values: q has shape
    (1, batch, heads, width), k and v have shape (batch, heads, length, width). With is_causal,
    batch b sees the keys up to its position cur_pos[b]; at position -1 its result is 0. Else
    attn_mask says which keys it sees. The other arguments are those of
    scaled_dot_product_attention."""
    name = "scaled_dot_product_attention_decode"
    arrays = _arrays(name, q=input_tensor_q, k=input_tensor_k, v=input_tensor_v)
    result = _decode(name, *arrays.values(), attn_mask=attn_mask, is_causal=is_causal,
                     cur_pos=cur_pos, cur_pos_tensor=cur_pos_tensor, scale=scale,
                     attention_sink=attention_sink, sliding_window_size=sliding_window_size)
    return finish(name, input_tensor_q, result, options)


@public
def paged_scaled_dot_product_attention_decode(input_tensor_q, input_tensor_k, input_tensor_v,
                                              page_table_tensor, *, is_causal=True,
                                              attn_mask=None, cur_pos=(), cur_pos_tensor=None,
                                              attention_sink=None, scale=None,
                                              sliding_window_size=None, **options):
    """Does the same as scaled_dot_product_attention_decode with caches (blocks, heads, rows,
    width). The page table (batch, pages) has the numbers of each batch's blocks."""
    name = "paged_scaled_dot_product_attention_decode"
    arrays = _arrays(name, q=input_tensor_q, k=input_tensor_k, v=input_tensor_v)
    k, v = (unpaged(name, arrays[key], page_table_tensor) for key in "kv")
    result = _decode(name, arrays["q"], k, v, attn_mask=attn_mask, is_causal=is_causal,
                     cur_pos=cur_pos, cur_pos_tensor=cur_pos_tensor, scale=scale,
                     attention_sink=attention_sink, sliding_window_size=sliding_window_size)
    return finish(name, input_tensor_q, result, options)
