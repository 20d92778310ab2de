# SPDX-License-Identifier: Apache-2.0
"""Functions that write rows of a cache of keys or values: a tensor (batch, heads, length, width)."""

import types

import numpy as np

from _ttjit import public

from .operands import check_tensor, integer_of
from .storage import numbers_of, to_storage
from .trace import recorded

__all__ = ["fill_cache", "update_cache"]


def _cache(name, cache, given):
    check_tensor(cache, f"ttnn.{name}(): cache")
    check_tensor(given, f"ttnn.{name}(): input")
    if len(cache.shape) != 4 or len(given.shape) != 4:
        raise ValueError(f"ttnn.{name}(): shapes {tuple(cache.shape)} and {tuple(given.shape)}: "
                         "expected four dimensions each")
    return np.array(cache.bits()), to_storage(numbers_of(given), cache.dtype)


def _position(name, position, length):
    position = integer_of(position, f"ttnn.{name}(): position")
    if not 0 <= position < length:
        raise ValueError(f"ttnn.{name}(): position {position} is outside of the cache, which has "
                         f"{length} rows")
    return position


def update_cache(cache, input, update_index, batch_offset=0):
    """Writes row update_index of the cache, a tensor (batch, heads, length, width). The input has
    shape (batch, heads, 1, width), or (1, heads, batch, width). Returns the cache.

    Positions count rows. Raises a TypeError for an argument that is no tensor, and a ValueError for
    a position outside of the cache.

    Example:

        cache = ttnn.update_cache(ttnn.zeros((1, 1, 64, 32)), ttnn.ones((1, 1, 1, 32)), 5)
    """
    bits, rows = _cache("update_cache", cache, input)
    batch, heads, length, width = bits.shape
    position = _position("update_cache", update_index, length)
    if rows.shape[0] == 1 and rows.shape[2] >= batch + batch_offset:
        rows = rows.transpose(2, 1, 0, 3)
    rows = rows[batch_offset : batch_offset + batch]
    if rows.shape != (batch, heads, 1, width):
        raise ValueError(f"ttnn.update_cache(): the input has shape {tuple(input.shape)}, which "
                         f"does not fit a cache of shape {tuple(cache.shape)}")
    bits[:, :, position] = rows[:, :, 0]
    cache.write_bits(bits)
    return cache


def fill_cache(cache, input, batch_index):
    """Writes the first rows of one batch of the cache. The input has shape (1, heads, rows, width).
    Returns the cache.

    Positions count rows. Raises a TypeError for an argument that is no tensor, and a ValueError for
    a position outside of the cache.

    Example:

        cache = ttnn.fill_cache(ttnn.zeros((2, 1, 64, 32)), ttnn.ones((1, 1, 32, 32)), 0)
    """
    bits, rows = _cache("fill_cache", cache, input)
    batch = _position("fill_cache", batch_index, bits.shape[0])
    if rows.shape[:2] != (1, bits.shape[1]) or rows.shape[3] != bits.shape[3] or (
            rows.shape[2] > bits.shape[2]):
        raise ValueError(f"ttnn.fill_cache(): the input has shape {tuple(input.shape)}, which does "
                         f"not fit a cache of shape {tuple(cache.shape)}")
    bits[batch, :, : rows.shape[2]] = rows[0]
    cache.write_bits(bits)
    return cache


def positions_of(name, positions, tensor, batch):
    """Returns one position for each batch, from a list or from a tensor."""
    if tensor is not None:
        positions = numbers_of(check_tensor(tensor, f"{name}(): positions")).ravel()
    positions = [int(each) for each in positions]
    if len(positions) != batch:
        raise ValueError(f"{name}(): {len(positions)} positions for {batch} batches")
    return positions


def unpaged(name, blocks, table):
    """Returns a cache (batch, heads, length, width) from one in blocks (blocks, heads, rows,
    width) and a table of each batch's blocks."""
    table = numbers_of(check_tensor(table, f"{name}(): page table")).astype(np.int64)
    if table.ndim != 2 or blocks.ndim != 4:
        raise ValueError(f"{name}(): a page table of shape {table.shape} and blocks of shape "
                         f"{blocks.shape}: expected two and four dimensions")
    if table.size and not 0 <= table.min() <= table.max() < len(blocks):
        raise ValueError(f"{name}(): the page table names blocks {table.min()} to {table.max()}, "
                         f"but the cache has {len(blocks)}")
    found = np.moveaxis(blocks[table], 2, 1)
    return found.reshape(*found.shape[:2], -1, found.shape[-1])


@public
@recorded
def paged_update_cache(cache_tensor, input_tensor, *, update_idxs=(), update_idxs_tensor=None,
                       page_table=None, batch_offset=0, share_cache=None,
                       compute_kernel_config=None):
    """Writes one row for each batch: cache[b, :, position[b]] = input[0, b]. A position of -1
    writes nothing. With a page table (batch, blocks), the cache has blocks of rows instead of
    batches. Returns the cache."""
    name = "experimental.paged_update_cache"
    bits, rows = _cache(name, cache_tensor, input_tensor)
    rows, (_, heads, length, width) = rows[0], bits.shape
    if rows.shape[1] < heads or rows.shape[2] != width:
        raise ValueError(f"ttnn.{name}(): the input has shape {tuple(input_tensor.shape)}, which "
                         f"does not fit a cache of shape {tuple(cache_tensor.shape)}")
    table = None if page_table is None else numbers_of(check_tensor(page_table, "page_table"))
    positions = positions_of(f"ttnn.{name}", update_idxs, update_idxs_tensor, rows.shape[0])
    for batch, index in enumerate(positions):
        if index == -1:
            continue
        pages = bits.shape[0] if table is None else table.shape[1]
        position = _position(name, index, length if table is None else length * pages)
        block = batch if table is None else int(table[batch, position // length])
        bits[_position(name, block, bits.shape[0]), :, position % length] = rows[batch, :heads]
    cache_tensor.write_bits(bits)
    return cache_tensor


@public
@recorded
def update_cache_for_token_(cache, input, update_index, batch_offset=0):
    """Does the same as ttnn.update_cache."""
    return update_cache(cache, input, update_index, batch_offset)


@public
@recorded
def fill_cache_for_user_(cache, input, user):
    """Does the same as ttnn.fill_cache."""
    return fill_cache(cache, input, user)


def _module(name, **functions):
    module = types.ModuleType(f"{__package__}.{name}", f"ttnn.{name}: functions of caches.")
    vars(module).update(functions)
    return module


kv_cache = _module(
    "kv_cache",
    fill_cache_for_user_=fill_cache_for_user_,
    update_cache_for_token_=update_cache_for_token_,
)
experimental = _module("experimental", paged_update_cache=paged_update_cache)
