"""Finds the elements of tensors of the d2m dialect in the arrays of devices; reads affine maps and views."""

import itertools
import re

import ir_text
import numpy as np
from tile_values import UNWRITTEN


def affine(text):
    """Returns a function that computes an affine map from the indices, and the map's results as text."""
    names, symbols, results = re.match(r"(?:affine_map<)?\((.*?)\)(?:\[(.*?)\])? -> \((.*)\)>?$", text).groups()
    parts = ir_text.split(results)
    python = ", ".join(part.replace("floordiv", "//").replace("mod", "%") for part in parts)
    every = ", ".join(filter(None, [names, symbols]))
    return eval(f"lambda {every}: [{python}]"), [name.strip() for name in names.split(",")], parts


def default_layout(shape):
    """Returns the layout of a tensor that has none: all dimensions but the last are merged into rows."""
    align = "x".join(["1"] * (len(shape) - 2) + ["32"] * min(len(shape), 2))
    pairs = f"[[0, {len(shape) - 1}], [{len(shape) - 1}, {len(shape)}]]"
    return f"logical_shape = {'x'.join(map(str, shape))}, dim_alignments = {align}, intervals = {pairs}"


class Logical:
    """Computes where elements of a logical shape are: sections 1 and 2 of a metal_layout's description."""

    def __init__(self, kind, shape=None):
        text = kind.layout if "logical_shape" in kind.layout else default_layout(shape)
        self.shape = [int(n) for n in re.search(r"logical_shape = ([\dx]*)", text)[1].split("x")]
        align = [int(n) for n in re.search(r"dim_alignments = ([\dx]*)", text)[1].split("x")]
        pairs = [[int(a), int(b)] for a, b in re.findall(r"\[(-?\d+), (-?\d+)\]", text)]
        rank = len(self.shape)
        pairs = sorted([a % rank if a < 0 else a, b + rank if b < 0 else b] for a, b in pairs)
        pairs += [[d, d + 1] for d in range(pairs[-1][1] if pairs else 0, rank)]
        self.kind, self.strides = kind, []
        if rank == 1:
            pairs = [[0, 0], [0, 1]]
        for begin, end in pairs:
            stride, strides = 1, {}
            for dim in range(end - 1, begin - 1, -1):
                strides[dim] = stride
                stride = -(-self.shape[dim] * stride // align[dim]) * align[dim]
            self.strides.append(strides)

    def place(self, element):
        """Returns the index, in the device's array, of an element of the logical shape."""
        where = [sum(stride * element[dim] for dim, stride in strides.items()) for strides in self.strides]
        inner = [where[-2] % self.kind.tile[0], where[-1] % self.kind.tile[1]] if self.kind.tile else []
        if inner:
            where[-2:] = [where[-2] // self.kind.tile[0], where[-1] // self.kind.tile[1]]
        grid = [p // s for p, s in zip(where, self.kind.shard)]
        return tuple(grid + [p % s for p, s in zip(where, self.kind.shard)] + inner)


class View:
    """Reads and writes an array of the device at the indices that a function computes."""

    def __init__(self, base, kind, function):
        self.base, self.kind, self.function = base, kind, function

    def __getitem__(self, index):
        return self.base[tuple(self.function(*index[: len(self.kind.shape)])) + tuple(index[len(self.kind.shape) :])]

    def __setitem__(self, index, value):
        self.base[tuple(self.function(*index[: len(self.kind.shape)])) + tuple(index[len(self.kind.shape) :])] = value


class Composite:
    """Tensors that are joined along a dimension. Elements behind the last tensor have no value."""

    def __init__(self, parts, dim, sizes, kind):
        self.parts, self.dim, self.sizes, self.kind = parts, dim, sizes, kind

    def __getitem__(self, index):
        rank = len(self.kind.grid)
        inner = tuple(index[2 * rank :])
        place = [g * s + i for g, s, i in zip(index[:rank], self.kind.shard, index[rank : 2 * rank])]
        for number, (part, kind) in enumerate(self.parts):
            extents = [g * s for g, s in zip(kind.grid, kind.shard)]
            size = self.sizes[number] if self.sizes else extents[self.dim]
            if place[self.dim] >= size:
                place[self.dim] -= size
            elif all(p < e for p, e in zip(place, extents)):
                grid = tuple(p // s for p, s in zip(place, kind.shard))
                return part[grid + tuple(p % s for p, s in zip(place, kind.shard)) + inner]
            else:
                break
        return np.full(self.kind.tile, UNWRITTEN) if not inner else UNWRITTEN


def points(extents):
    return itertools.product(*(range(extent) for extent in extents))
