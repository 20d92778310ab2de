"""The part of the d2m evaluator for single tiles: memrefs of tiles, subviews, DST registers, semaphores.

A subview holds an array of tile numbers, so that each op that makes a view is a numpy operation on these numbers.
"""

import math
import re
import threading

import ir_text
import numpy as np
from tile_values import UNWRITTEN, is_unwritten

TIMEOUT = 60  # seconds that a core waits for a semaphore that another core sets


def sizes_of(op):
    return [int(n) for n in op.attrs["operandSegmentSizes"].split(":")[1].rstrip(">").split(",")]


def numbers_in(text):
    """Returns the numbers in a text such as `array<i64: 1, 2>`."""
    return [int(n) for n in re.findall(r"-?\d+", text.split(":", 1)[1])] if ":" in text else []


class Part:
    """Some tiles of a block. Programs read and write it like a block."""

    def __init__(self, owner, numbers, kind):
        self.owner, self.numbers, self.kind = owner, numbers, kind

    def tiles(self):
        """Returns all tiles of the block that this is a part of, in one row."""
        owner = self.owner
        if owner.array is None:
            owner.array = np.full(owner.kind.shape + owner.kind.tile, UNWRITTEN)
        return owner.array.reshape([-1, *owner.kind.tile])

    @property
    def array(self):
        if self.owner.array is None:
            return None
        found = self.tiles()[self.numbers.reshape(-1)].reshape([*self.numbers.shape, *self.kind.tile])
        return None if is_unwritten(found) else found

    @array.setter
    def array(self, values):
        self.tiles()[self.numbers.reshape(-1)] = values.reshape([-1, *self.kind.tile])


def part_of(value):
    if isinstance(value, Part):
        return value
    if value.array is not None:
        value.array = np.array(value.array)  # copied: stores must not change other users of the array
    return Part(value, np.arange(math.prod(value.kind.shape)).reshape(value.kind.shape), value.kind)


class Semaphore:
    """A semaphore: each core has its own counter."""

    def __init__(self, start):
        self.start, self.counts, self.changed = start, {}, threading.Condition()

    def update(self, cores, function):
        with self.changed:
            for core in cores:
                self.counts[core] = function(self.counts.get(core, self.start))
            self.changed.notify_all()

    def wait(self, core, value):
        with self.changed:
            if not self.changed.wait_for(lambda: self.counts.get(core, self.start) == value, timeout=TIMEOUT):
                raise TimeoutError(f"waited {TIMEOUT} s for a semaphore to become {value}")


class Tiles:
    """The ops that a core runs on single tiles. `values` maps names of values to their values."""

    accumulates = False

    def tile_at(self, memref, index):
        part = part_of(memref)
        return part.tiles()[part.numbers[tuple(index)]]

    def op_memref_load(self, op):
        memref, *index = self.inputs(op)
        self.values[op.results[0]] = self.tile_at(memref, index)

    def op_affine_load(self, op):
        memref, *operands = self.inputs(op)
        self.values[op.results[0]] = self.tile_at(memref, self.affine(op.attrs["map"])(*operands))

    def store_tile(self, tile, memref, index):
        part = part_of(memref)
        place = part.numbers[tuple(index)]
        before = part.tiles()[place]
        registers = "dst" in part.owner.kind.text
        if self.accumulates and not registers and not is_unwritten(before):
            tile = before + tile
        part.tiles()[place] = tile if registers or is_unwritten(tile) else part.owner.kind.rounded(tile)

    def op_memref_store(self, op):
        tile, memref, *index = self.inputs(op)
        self.store_tile(tile, memref, index)

    def op_affine_store(self, op):
        tile, memref, *operands = self.inputs(op)
        self.store_tile(tile, memref, self.affine(op.attrs["map"])(*operands))

    def op_d2m_set_l1_accumulate(self, op):
        self.accumulates = bool(self.values[op.operands[0]])

    #
    # Parts
    #

    def op_memref_subview(self, op):
        source, *dynamic = self.inputs(op)
        part, dynamic = part_of(source), list(dynamic)
        lists = []
        for name in ("static_offsets", "static_sizes", "static_strides"):
            fixed = numbers_in(op.attrs[name])
            lists.append([dynamic.pop(0) if n == -(2**63) else n for n in fixed])
        ranges = tuple(slice(o, o + (s - 1) * t + 1, t) for o, s, t in zip(*lists))
        kind = self.type(op.result_types[0])
        self.values[op.results[0]] = Part(part.owner, part.numbers[ranges].reshape(kind.shape), kind)

    def reshape(self, op):
        part, kind = part_of(self.values[op.operands[0]]), self.type(op.result_types[0])
        self.values[op.results[0]] = Part(part.owner, part.numbers.reshape(kind.shape), kind)

    op_memref_collapse_shape = op_memref_expand_shape = op_memref_cast = reshape

    def op_d2m_local_copy(self, op):
        source, target = (part_of(value) for value in self.inputs(op))
        read, write = (self.affine(text) for text in ir_text.split(op.attrs["indexing_maps"][1:-1]))
        for point in np.ndindex(*target.kind.shape):
            target.tiles()[target.numbers[tuple(write(*point))]] = source.tiles()[source.numbers[tuple(read(*point))]]
        if op.results:
            self.values[op.results[0]] = target

    def op_memref_copy(self, op):
        source, target = (part_of(value) for value in self.inputs(op))
        for point in np.ndindex(*target.kind.shape):
            target.tiles()[target.numbers[point]] = source.tiles()[source.numbers[point]]

    #
    # Semaphores
    #

    def cores_of(self, op):
        sizes = sizes_of(op)
        numbers = self.inputs(op)[2:]
        corner, shape = numbers[: sizes[2]], numbers[sizes[2] : sizes[2] + sizes[3]]
        if not corner:
            return [tuple(self.core)]
        inside = [(corner[0] + y, corner[1] + x) for y, x in np.ndindex(*(shape or [1, 1]))]
        return inside if not shape else {*inside, tuple(self.core)}

    def op_d2m_semaphore_set(self, op):
        semaphore, value, *_ = self.inputs(op)
        semaphore.update(self.cores_of(op), lambda _: value)

    def op_d2m_semaphore_inc(self, op):
        semaphore, value, *_ = self.inputs(op)
        semaphore.update(self.cores_of(op), lambda count: count + value)

    def op_d2m_semaphore_wait(self, op):
        semaphore, value, *reset = self.inputs(op)
        semaphore.wait(tuple(self.core), value)
        if reset:
            semaphore.update([tuple(self.core)], lambda _: reset[0])
