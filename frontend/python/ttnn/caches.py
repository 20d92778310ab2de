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


def _inside(name, what, number, count, unit):
    """Returns the number of a row, batch or block. Raises a ValueError if the cache, which has `count` of
    them, does not have this one."""
    number = integer_of(number, f"ttnn.{name}(): {what}")
    if not 0 <= number < count:
        raise ValueError(f"ttnn.{name}(): {what} {number} is outside of the cache, which has {count} {unit}")
    return number


def _misfit(name, input, expected, cache):
    """Returns the error of an input whose shape does not fit the cache."""
    return ValueError(f"ttnn.{name}(): the input has shape {tuple(input.shape)}, expected {expected} for a "
                      f"cache of shape {tuple(cache.shape)}")


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
    position = _inside("update_cache", "update_index", update_index, length, "rows")
    if rows.shape[0] == 1 and rows.shape[2] >= batch + batch_offset:
        rows = rows.transpose(2, 1, 0, 3)
    rows = rows[batch_offset : batch_offset + batch]
    if rows.shape != (batch, heads, 1, width):
        count = batch + batch_offset
        raise _misfit("update_cache", input, f"({count}, {heads}, 1, {width}) or (1, {heads}, {count}, {width})", cache)
    bits[:, :, position] = rows[:, :, 0]
    cache.write_bits(bits)
    return cache


def fill_cache(cache, input, batch_index):
    """Writes the first rows of one batch of the cache. The input has shape (1, heads, rows, width).
    Returns the cache.

    Raises a TypeError for an argument that is no tensor, and a ValueError for a batch outside of
    the cache.

    Example:

        cache = ttnn.fill_cache(ttnn.zeros((2, 1, 64, 32)), ttnn.ones((1, 1, 32, 32)), 0)
    """
    bits, rows = _cache("fill_cache", cache, input)
    batches, heads, length, width = bits.shape
    batch = _inside("fill_cache", "batch_index", batch_index, batches, "batches")
    if rows.shape[:2] != (1, heads) or rows.shape[3] != width or rows.shape[2] > length:
        raise _misfit("fill_cache", input, f"(1, {heads}, rows, {width}) with at most {length} rows", cache)
    bits[batch, :, : rows.shape[2]] = rows[0]
    cache.write_bits(bits)
    return cache


def positions_of(name, positions, tensor, batch):
    """Returns one position for each batch, from a list or from a tensor."""
    if tensor is not None:
        positions = numbers_of(check_tensor(tensor, f"{name}(): positions")).ravel()
    positions = [int(each) for each in positions]
    if len(positions) != batch:
        raise ValueError(f"{name}(): {len(positions)} positions for {batch} batches: expected one for each batch")
    return positions


def unpaged(name, blocks, table):
    """Joins the blocks of a paged cache (blocks, heads, rows, width) to a cache (batch, heads, length,
    width). Row b of the table has the numbers of the blocks of batch b."""
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
        expected = f"(1, batches, heads, {width}) with at least {heads} heads"
        raise _misfit(name, input_tensor, expected, cache_tensor)
    table = None if page_table is None else numbers_of(check_tensor(page_table, "page_table"))
    positions = positions_of(f"ttnn.{name}", update_idxs, update_idxs_tensor, rows.shape[0])
    for batch, index in enumerate(positions):
        if index == -1:
            continue
        if table is None:
            position = _inside(name, "position", index, length, "rows")
            block = _inside(name, "batch", batch, bits.shape[0], "batches")
        else:
            position = _inside(name, "position", index, length * table.shape[1], "rows for each batch")
            block = int(table[batch, position // length])
            _inside(name, "page_table: block", block, bits.shape[0], "blocks")
        bits[block, :, position % length] = rows[batch, :heads]
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
