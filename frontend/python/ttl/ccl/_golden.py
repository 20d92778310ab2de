# ===- _golden.py - collectives on the host: --ccl=host -----------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Computes in numpy what the kernels of the collectives compute. Each function gets and returns one array
# for each device, in row-major order, in the host format of the type. Sums have the order and the
# roundings of the kernels.
# ===--------------------------------------------------------------------------=== #

import functools

import numpy as np

from ttl._ttnn import package
from ttl.ccl._blocks import TILE, blocks_of
from ttl.ccl._groups import position

_storage, _Tensor = package.storage.to_storage, package.Tensor
_INTEGERS = package.types.INTEGERS


def by_device(group, function):
    """Returns function(position, the device numbers of the group in order) for each device."""
    results = []
    for number in range(len(group.devices)):
        members = [group.at(number, each) for each in range(group.size)]
        results.append(function(position(group, number), members))
    return results


def gather(group, arrays, dim):
    return by_device(group, lambda _, members: np.concatenate([arrays[each] for each in members], dim))


def spread(group, arrays, root):
    return by_device(group, lambda _, members: arrays[members[root]])


def own_part(group, arrays, dim):
    """Cuts the array of each device along `dim` and returns the part at the device's position."""
    return by_device(group, lambda here, members: np.split(
        arrays[members[here]], group.size, dim)[here])


def exchange(group, arrays, cut, join):
    def parts(here, members):
        return [np.split(arrays[each], group.size, cut)[here] for each in members]

    return by_device(group, lambda here, members: np.concatenate(parts(here, members), join))


# ===--------------------------------------------------------------------------=== #
# Sums


def _values(array, dtype):
    """Returns the numbers of an array in the host format."""
    if dtype in _INTEGERS:
        return array
    return _Tensor.from_storage(array.shape, array, dtype, package.TILE_LAYOUT).values()


def _chain(arrays, dtype):
    """Adds arrays in order; each addition is rounded to the type."""
    def add(a, b):
        total = _values(a, dtype) + _values(b, dtype)
        return total if dtype in _INTEGERS else _storage(total, dtype)

    with np.errstate(all="ignore"):
        return functools.reduce(add, arrays)


def _round(arrays, last):
    """Returns the arrays of a group in the order of a ring that ends at position `last`."""
    return [arrays[(last + each) % len(arrays)] for each in range(1, len(arrays) + 1)]


def reduce_scatter(group, arrays, dim, dtype, is_ring):
    def total(here, members):
        parts = [np.split(arrays[each], group.size, dim)[here] for each in members]
        if is_ring:
            return _chain(_round(parts, here), dtype)
        left, right = parts[: here + 1], parts[here + 1:][::-1]
        sides = [_chain(side, dtype) for side in (left, right) if side]
        return _chain(sides, dtype)

    return by_device(group, total)


def _block_numbers(shape):
    """Returns the number of the block that has each element of a tiled tensor."""
    blocks = blocks_of(tuple(shape), None)
    units = (1,) * (len(blocks.counts) - len(shape)) + tuple(shape)
    scale = (1,) * (len(units) - 2) + (TILE, TILE)
    found = 0
    for axis, extent in enumerate(units):
        along = np.arange(extent) // (blocks.sizes[axis] * scale[axis]) * blocks.strides[axis]
        found = found + along.reshape([-1 if each == axis else 1 for each in range(len(units))])
    return found.reshape(shape)


def all_reduce(group, arrays, dtype, is_ring):
    ends = _block_numbers(arrays[0].shape) % group.size

    def total(_, members):
        given = [arrays[each] for each in members]
        if not is_ring:
            return _chain(given, dtype)
        return np.choose(ends, [_chain(_round(given, last), dtype) for last in range(group.size)])

    return by_device(group, total)


# ===--------------------------------------------------------------------------=== #
# Tokens and experts


def _shares(array, size, inner):
    """Returns the rows of a joined array that belong to the device at each position."""
    runs = array.reshape(-1, size, inner, array.shape[-1])
    return [runs[:, place].reshape(-1, array.shape[-1]) for place in range(size)]


def dispatch(group, arrays, chosen, homes, outs, inner):
    """Returns the tokens of each device. Where a device gets none, it keeps the elements of `outs`."""
    results = []
    for number, out in enumerate(outs):
        members = [group.at(number, place) for place in range(group.size)]
        width = out.shape[-1]
        runs = np.stack([arrays[each].reshape(-1, inner, width) for each in members], 1).reshape(-1, width)
        is_wanted = (homes[chosen[number].astype(int), number] > 0).any(1)
        results.append(np.where(is_wanted[:, None], runs, out.reshape(-1, width)).reshape(out.shape))
    return results


def _sources(homes, own, device, is_reduced):
    """Returns for each token and slot which part of the device's results belongs there, counted from 1;
    0 if none does."""
    parts = homes[own.astype(int), device].astype(int)
    if not is_reduced:
        return parts
    order = np.where(parts > 0, parts, homes.shape[0] + 1)
    is_first = np.arange(parts.shape[1]) == order.argmin(1)[:, None]
    return (is_first & (parts > 0)).astype(int)


def combine(group, arrays, chosen, homes, outs, inner, is_reduced):
    """Returns the results of the tokens. Slots of experts that the group lacks keep those of `outs`."""
    results = []
    for number, out in enumerate(outs):
        here, found = position(group, number), out.copy()
        own = _shares(chosen[number], group.size, inner)[here]
        slots = found.reshape(own.shape[1], len(own), -1)
        for device in (group.at(number, place) for place in range(group.size)):
            parts = _sources(homes, own, device, is_reduced)
            for part in range(1, parts.max() + 1):
                rows = _shares(arrays[device][part - 1].reshape(-1, out.shape[-1]), group.size, inner)[here]
                token, slot = np.nonzero(parts == part)
                slots[slot, token] = rows[token]
        results.append(found)
    return results
