# ===- _transfer_graphs.py - transfers between the devices of a domain --------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A transfer graph is a list of edges between devices. Like a domain, it never changes, and kernels know
# it when they are compiled.
# ===--------------------------------------------------------------------------=== #

import _ttjit
from ttl._domains import (
    DeviceDomain,
    DevicePoint,
    DeviceRange,
    DeviceRef,
    coordinate_of,
    integer,
    row_major,
)


@_ttjit.public_methods
class TransferEdge:
    """A transfer from one device to another: `source` and `destination`.

    Raises an error only where a graph uses it.

    Example:

        edge = ttl.TransferEdge(ttl.DeviceRef((0, 0)), ttl.DeviceRef((0, 1)))
    """

    def __init__(self, source, destination):
        self.source, self.destination = source, destination

    def __eq__(self, other):
        return (isinstance(other, TransferEdge) and other.source == self.source
                and other.destination == self.destination)

    def __hash__(self):
        return hash((self.source, self.destination))

    def __repr__(self):
        return f"TransferEdge({self.source!r}, {self.destination!r})"


class _Axes:
    """The component of a domain along which a relation goes; the others keep their coordinates."""

    def __init__(self, domain, component):
        if not isinstance(domain, DeviceDomain):
            raise TypeError(f"a transfer graph needs a ttl.DeviceDomain, found {domain!r}")
        if component is None:
            if domain.component_count != 1:
                raise ValueError("structured transfers over product domains require an explicit component: "
                                 f"write component= with one of {', '.join(map(repr, domain.component_names))}")
            component = domain.component_names[0]
        self.domain, self.index = domain, domain.component_index(component)
        self.extent = domain.components[self.index].extent

    def axis(self, number):
        integer(number, "axis")
        if not 0 <= number < len(self.extent):
            raise ValueError(f"axis {number} does not exist: the component has rank "
                             f"{len(self.extent)}")
        return number

    def place(self, value, what):
        """Returns the coordinate of the component that a root or source names."""
        if isinstance(value, DeviceRef):
            if len(value.coordinates) != 1:
                raise ValueError(f"the {what} has {len(value.coordinates)} coordinates: expected one, of component "
                                 f"{self.domain.component_names[self.index]!r}")
            value = value.coordinates[0]
        if isinstance(value, DevicePoint):
            value = value.reference.coordinates[self.index]
        coordinate = coordinate_of(value, f"the {what}")
        if len(coordinate) != len(self.extent):
            raise ValueError(f"the {what} has rank {len(coordinate)}, expected {len(self.extent)}")
        for axis, (index, extent) in enumerate(zip(coordinate, self.extent)):
            if index >= extent:
                raise ValueError(f"the {what} axis {axis} requires 0 <= coord < {extent}, got {index}")
        return coordinate

    def moved(self, coordinate, offset, wrap):
        """Returns the coordinate plus the offset; None if it leaves the component."""
        sums = [index + step for index, step in zip(coordinate, offset)]
        if wrap:
            return tuple(value % extent for value, extent in zip(sums, self.extent))
        inside = all(0 <= value < extent for value, extent in zip(sums, self.extent))
        return tuple(sums) if inside else None

    def edges(self, relation):
        """Returns the edges of a relation from a coordinate to a list of coordinates of the component,
        in row-major order of the sources."""
        edges = []
        for device in self.domain.iter_device_refs():
            for target in relation(device.coordinates[self.index]):
                places = list(device.coordinates)
                places[self.index] = target
                other = DeviceRef(*places)
                if other != device:
                    edges.append(TransferEdge(device, other))
        return list(dict.fromkeys(edges))


@_ttjit.public_methods
class TransferGraph:
    """An ordered list of transfers between the devices of a domain. A ttl.PipeNet(graph=...) has the
    pipes of all edges.

    Raises a TypeError or a ValueError for devices that are not in the domain.

    Example:

        devices = ttl.DeviceDomain((4,))
        ring = ttl.TransferGraph.axis_neighbor(devices, wrap=True)
        assert len(list(ring.iter_edges())) == 4
    """

    def __init__(self, domain, *, edges):
        if not isinstance(domain, DeviceDomain):
            raise TypeError(f"a transfer graph needs a ttl.DeviceDomain, found {domain!r}")
        found = [self._edge(domain, each) for each in edges]
        if not found:
            raise ValueError("TransferGraph.edges requires at least one edge")
        if len(set(found)) < len(found):
            raise ValueError("TransferGraph edges must be unique")
        self.domain, self._edges, self.is_explicit = domain, tuple(found), True

    @classmethod
    def _structured(cls, domain, edges):
        graph = cls.__new__(cls)
        graph.domain, graph._edges, graph.is_explicit = domain, tuple(edges), False
        return graph

    @classmethod
    def edges(cls, domain, edges):
        """Returns the graph of these edges, in this order: pairs of devices, or TransferEdge."""
        return cls(domain, edges=edges)

    @staticmethod
    def _edge(domain, edge):
        if isinstance(edge, TransferEdge):
            edge = (edge.source, edge.destination)
        if not isinstance(edge, (tuple, list)) or len(edge) != 2:
            raise TypeError(f"an edge must be a pair of devices, found {edge!r}")
        source, destination = edge
        if isinstance(destination, DeviceRange):
            domain.resolve_device_range(destination)
            raise ValueError("an edge to a DeviceRange is not supported: write one edge for each device of "
                             "the range")
        return TransferEdge(domain.device_ref(source), domain.device_ref(destination))

    @classmethod
    def axis_neighbor(cls, domain, *, component=None, axis=0, offset=1, wrap=False):
        """Returns the graph from each device to the one `offset` further on an axis."""
        axes = _Axes(domain, component)
        if integer(offset, "offset") <= 0:
            raise ValueError(f"the offset must be positive, found {offset}")
        step = [0] * len(axes.extent)
        step[axes.axis(axis)] = offset
        return cls._stencil(axes, [tuple(step)], wrap)

    @classmethod
    def stencil(cls, domain, *, offsets, component=None, wrap=False):
        """Returns the graph from each device to those at the given distances."""
        axes, found = _Axes(domain, component), []
        for number, offset in enumerate(offsets):
            if not isinstance(offset, (tuple, list)):
                raise TypeError(f"stencil offset {number} must be an integer sequence, found {offset!r}")
            found.append(tuple(integer(each, f"stencil offset {number} component") for each in offset))
            if len(offset) != len(axes.extent):
                raise ValueError(f"stencil offset {number} has rank {len(offset)}, expected "
                                 f"{len(axes.extent)}")
            if not any(offset):
                raise ValueError("stencil offsets must not contain the zero offset")
        if not found:
            raise ValueError("stencil requires at least one offset")
        if len(set(found)) < len(found):
            raise ValueError("stencil offsets must be unique")
        return cls._stencil(axes, found, wrap)

    @classmethod
    def _stencil(cls, axes, offsets, wrap):
        def targets(coordinate):
            moved = [axes.moved(coordinate, offset, wrap) for offset in offsets]
            return [each for each in moved if each is not None]

        return cls._structured(axes.domain, axes.edges(targets))

    @classmethod
    def gather(cls, domain, root, *, component=None):
        """Returns the graph from every other device to the root."""
        axes = _Axes(domain, component)
        place = axes.place(root, "root")
        return cls._structured(axes.domain, axes.edges(lambda coordinate: [place]))

    @classmethod
    def scatter(cls, domain, source, *, component=None):
        """Returns the graph from the source to every other device."""
        axes = _Axes(domain, component)
        place, every = axes.place(source, "source"), list(row_major(axes.extent))
        edges = axes.edges(lambda coordinate: every if coordinate == place else [])
        return cls._structured(axes.domain, edges)

    @classmethod
    def all_to_all(cls, domain, *, component=None):
        """Returns the graph from every device to every other one."""
        axes = _Axes(domain, component)
        every = list(row_major(axes.extent))
        return cls._structured(axes.domain, axes.edges(lambda coordinate: every))

    @property
    def is_structured(self):
        return not self.is_explicit

    @property
    def explicit_edge_count(self):
        """The number of the edges that the program listed; None for a structured graph."""
        return len(self._edges) if self.is_explicit else None

    @property
    def transfer_edges(self):
        """The edges that the program listed, as a tuple; empty for a structured graph."""
        return self._edges if self.is_explicit else ()

    def iter_edges(self):
        """Returns the edges in their order."""
        return iter(self._edges)

    def key(self):
        return (self.domain, self._edges)

    def __repr__(self):
        return f"<transfer graph of {self.domain!r} with {len(self._edges)} edges>"


