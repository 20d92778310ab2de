# ===- _groups.py - the devices that take part in a collective ----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A collective works in groups of devices: all devices of the mesh in row-major order, or, with
# cluster_axis, the lines of devices along one axis. Device `number` has position
# number // stride % size in its group.
# ===--------------------------------------------------------------------------=== #

import functools
import math

from ttl._domains import DeviceDomain
from ttl._transfer_graphs import TransferGraph


def position(group, number):
    """Returns the position of a device in its group. Kernels call it."""
    return number // group.stride % group.size


class Group:
    """The groups of a mesh. All have `size` devices."""

    def __init__(self, mesh, axis):
        self.mesh, self.axis = mesh, axis
        self.domain = DeviceDomain(mesh)
        self.devices = [self.domain.device_at(number) for number in range(math.prod(mesh))]
        self.size = math.prod(mesh) if axis is None else mesh[axis]
        self.stride = 1 if axis is None else math.prod(mesh[axis + 1:])

    def at(self, number, place):
        """Returns the number of the device at position `place` in the group of device `number`."""
        return number + (place - position(self, number)) * self.stride

    def graph(self, targets):
        """Returns the graph with an edge from each device to the devices at targets(position) in its
        group, row-major. Returns None if there is no edge."""
        edges = [(self.devices[number], self.devices[self.at(number, target)])
                 for number in range(len(self.devices)) for target in targets(position(self, number))]
        return TransferGraph.edges(self.domain, edges) if edges else None

    @functools.cached_property
    def ring(self):
        """The graph from each device to the next one, and from the last one to the first."""
        return self.graph(lambda here: [(here + 1) % self.size])

    @functools.cached_property
    def onward(self):
        """The graph from each device to the next one."""
        return self.graph(lambda here: [here + 1] * (here < self.size - 1))

    @functools.cached_property
    def back(self):
        """The graph from each device to the one before."""
        return self.graph(lambda here: [here - 1] * (here > 0))

    def from_one(self, root):
        """Returns the graph from the device at one position to all others of its group."""
        others = [each for each in range(self.size) if each != root]
        return self.graph(lambda here: others * (here == root))

    @functools.cached_property
    def all_pairs(self):
        """The graph from each device to all others of its group."""
        every = range(self.size)
        return self.graph(lambda here: [each for each in every if each != here])

    def between(self, source, destination):
        """Returns the graph with one edge between two devices, by their numbers."""
        edge = (self.devices[source], self.devices[destination])
        return TransferGraph.edges(self.domain, [edge])


@functools.lru_cache(maxsize=64)
def group_of(mesh, axis):
    """Returns the groups along an axis of a mesh. If the axis is None or has all devices, the only group
    is the whole mesh."""
    whole = axis is None or mesh[axis] == math.prod(mesh)
    return Group(mesh, None if whole else axis)
