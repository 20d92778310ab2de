# SPDX-License-Identifier: Apache-2.0
"""Shapes of meshes, and how a tensor is distributed over a mesh."""

import itertools
import math
import operator

import _ttjit

from .operands import integer_of
from .storage import kind_of


def _extents(values, name):
    """Returns the numbers of MeshShape(2, 4), MeshShape((2, 4)) or MeshShape([2, 4])."""
    items = values[0] if len(values) == 1 and hasattr(values[0], "__iter__") else values
    try:
        return tuple(operator.index(item) for item in items)
    except TypeError:
        raise TypeError(f"{name}{tuple(values)!r}: expected integers") from None


class _Numbers(tuple):
    """A tuple of numbers, one for each axis of a mesh."""

    __slots__ = ()

    def __repr__(self):
        return f"{type(self).__name__}({list(self)})"

    def dims(self):
        """Returns the number of axes."""
        return len(self)


@_ttjit.public_methods
class MeshShape(_Numbers):
    """The extents of a mesh: MeshShape(rows, columns)."""

    __slots__ = ()

    def __new__(cls, *extents):
        found = _extents(extents, "MeshShape")
        if not found or min(found) < 1:
            raise ValueError(f"MeshShape{found!r}: expected extents of at least 1")
        return super().__new__(cls, found)

    def mesh_size(self):
        """Returns the number of devices."""
        return math.prod(self)


@_ttjit.public_methods
class MeshCoordinate(_Numbers):
    """The place of a device in a mesh: MeshCoordinate(row, column)."""

    __slots__ = ()

    def __new__(cls, *coordinates):
        found = _extents(coordinates, "MeshCoordinate")
        if not found or min(found) < 0:
            raise ValueError(f"MeshCoordinate{found!r}: expected coordinates of at least 0")
        return super().__new__(cls, found)


def as_shape(value, name="mesh_shape"):
    """Returns the MeshShape of a shape, a tuple or a list."""
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"{name}={value!r}: expected a ttnn.MeshShape, found {kind_of(value)}")
    return value if isinstance(value, MeshShape) else MeshShape(*value)


def text_of(shape):
    return "x".join(map(str, shape))


# ===--------------------------------------------------------------------------=== #
# Placements


@_ttjit.public_methods
class PlacementShard:
    """The placement of a mesh axis along which dimension `dim` of the tensor is cut into parts."""

    def __init__(self, dim):
        self.dim = integer_of(dim, "dim")

    def __eq__(self, other):
        return isinstance(other, PlacementShard) and other.dim == self.dim

    def __hash__(self):
        return hash((PlacementShard, self.dim))

    def __repr__(self):
        return f"PlacementShard({self.dim})"


class PlacementReplicate:
    """The placement of a mesh axis along which all devices have the same elements."""

    def __eq__(self, other):
        return isinstance(other, PlacementReplicate)

    def __hash__(self):
        return hash(PlacementReplicate)

    def __repr__(self):
        return "PlacementReplicate()"


class TensorTopology:
    """How a tensor is distributed over its mesh: tensor.tensor_topology(). `count` is the number of
    devices that have a part, the first ones in row-major order."""

    def __init__(self, mesh, shape, placements, count):
        self.mesh, self.shape, self.count = mesh, shape, count
        self._placements = list(placements)

    def placements(self):
        """Returns the placement for each axis of the distribution shape."""
        return list(self._placements)

    def distribution_shape(self):
        return self.shape

    def mesh_coords(self):
        """Returns the coordinates of the devices that have a part."""
        every = itertools.product(*map(range, self.mesh))
        return [MeshCoordinate(*each) for each in itertools.islice(every, self.count)]

    def __repr__(self):
        return f"TensorTopology({self.shape!r}, {self._placements})"


def replicated(mesh):
    """Returns the topology of a tensor with the same elements on all devices."""
    shape = MeshShape(*mesh)
    return TensorTopology(shape, shape, [PlacementReplicate() for _ in shape], math.prod(shape))
