# SPDX-License-Identifier: Apache-2.0
"""Programs of C++ kernels for several devices, and their connections to the fabric.

The emulated machine has LINKS links between two neighbours. A connection reserves one link for one
kernel.
"""

import itertools
import math

import _ttjit

from . import fabric
from .cores import as_core
from .device import Device
from .operands import integer_of
from .program import ProgramDescriptor
from .topology import MeshCoordinate

__all__ = (
    "FabricNodeId MeshCoordinateRange MeshProgramDescriptor get_eth_forwarding_direction "
    "get_forwarding_link_indices setup_routing_plane_connection"
).split()

LINKS = 4
EAST, WEST, NORTH, SOUTH = range(4)
_IN_ONE_DIMENSION = (fabric.FabricConfig.FABRIC_1D, fabric.FabricConfig.FABRIC_1D_RING,
                     fabric.FabricConfig.FABRIC_1D_NEIGHBOR_EXCHANGE)


# ===--------------------------------------------------------------------------=== #
# Programs


@_ttjit.public_methods
class MeshCoordinateRange:
    """The devices from one place of a mesh to another one, both of which belong to it."""

    def __init__(self, start, end=None):
        self.start = MeshCoordinate(*start)
        self.end = self.start if end is None else MeshCoordinate(*end)
        if len(self.start) != len(self.end) or any(a > b for a, b in zip(self.start, self.end)):
            raise ValueError(f"MeshCoordinateRange from {self.start!r} to {self.end!r}: expected as many "
                             "coordinates of the end as of the start, none of them smaller")

    def __iter__(self):
        """Yields the places of the devices, in row-major order."""
        axes = [range(first, last + 1) for first, last in zip(self.start, self.end)]
        return (MeshCoordinate(*place) for place in itertools.product(*axes))

    def __repr__(self):
        return f"MeshCoordinateRange({self.start!r}, {self.end!r})"


@_ttjit.public_methods
class MeshProgramDescriptor:
    """The programs of the devices of a mesh, written descriptor[range] = program. ttnn.generic_op runs
    them together."""

    def __init__(self):
        self._programs = []

    def __setitem__(self, devices, program):
        if not isinstance(devices, MeshCoordinateRange):
            raise TypeError(f"MeshProgramDescriptor[{devices!r}]: expected a ttnn.MeshCoordinateRange")
        if not isinstance(program, ProgramDescriptor):
            raise TypeError(f"MeshProgramDescriptor[{devices!r}] = {program!r}: expected a "
                            "ttnn.ProgramDescriptor")
        self._programs.append((devices, program))

    def programs_of_devices(self):
        """Returns (range, program) of each entry."""
        return list(self._programs)


# ===--------------------------------------------------------------------------=== #
# Devices of the fabric


@_ttjit.public_methods
class FabricNodeId:
    """A device as the fabric names it. The emulated machine has one mesh, with the number 0."""

    def __init__(self, mesh_id, chip_id):
        self.mesh_id, self.chip_id = integer_of(mesh_id, "mesh_id"), integer_of(chip_id, "chip_id")

    def __eq__(self, other):
        return isinstance(other, FabricNodeId) and repr(other) == repr(self)

    def __hash__(self):
        return hash((self.mesh_id, self.chip_id))

    def __repr__(self):
        return f"FabricNodeId(mesh_id={self.mesh_id}, chip_id={self.chip_id})"


def number_of(place, mesh):
    """Returns the row-major number of a place on a mesh of these extents."""
    if len(place) != len(mesh) or any(index >= extent for index, extent in zip(place, mesh)):
        raise ValueError(f"{place!r} is no place on a mesh of {'x'.join(map(str, mesh))} devices")
    number = 0
    for index, extent in zip(place, mesh):
        number = number * extent + index
    return number


def _get_fabric_node_id(device, coordinate):
    """Returns the fabric's name of a device of the mesh."""
    return FabricNodeId(0, number_of(MeshCoordinate(*coordinate), tuple(device.shape)))


Device.get_fabric_node_id = _get_fabric_node_id


def _check_nodes(*nodes):
    for node in nodes:
        if not isinstance(node, FabricNodeId):
            raise TypeError(f"{node!r}: expected a ttnn.FabricNodeId, from mesh.get_fabric_node_id()")


def _place(node, mesh):
    if node.mesh_id != 0 or not 0 <= node.chip_id < math.prod(mesh):
        raise ValueError(f"{node!r} is no device of the open mesh")
    place, rest = [], node.chip_id
    for extent in reversed(mesh):
        rest, index = divmod(rest, extent)
        place.insert(0, index)
    return tuple(place)


def _extents():
    mesh = fabric.open_mesh()
    if mesh is None:
        raise RuntimeError("no mesh is open: call ttnn.open_mesh_device before")
    return tuple(mesh.shape)


def _first_step(config, source, destination, mesh):
    """Returns (axis, step) of the first hop; None if no route leads there. Packets go along one axis
    after the other."""
    return _ttjit.first_hop(config.value, list(mesh), number_of(source, mesh), number_of(destination, mesh))


def _direction(axis, step, mesh):
    if axis == len(mesh) - 1:
        return EAST if step > 0 else WEST
    return 2 * (len(mesh) - 1 - axis) + (step > 0)  # NORTH or SOUTH; further axes have the next numbers


def get_eth_forwarding_direction(src_fabric_node_id, dst_fabric_node_id):
    """Returns the number of the direction in which packets leave a device for another one; None if the
    fabric has no route.

    Raises a RuntimeError if no mesh is open.

    Example:

        ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_2D)
        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
        here, there = (mesh.get_fabric_node_id(ttnn.MeshCoordinate(0, i)) for i in range(2))
        print(ttnn.get_eth_forwarding_direction(here, there))
        ttnn.close_mesh_device(mesh)
        ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)
    """
    _check_nodes(src_fabric_node_id, dst_fabric_node_id)
    mesh = _extents()
    source, destination = _place(src_fabric_node_id, mesh), _place(dst_fabric_node_id, mesh)
    step = _first_step(fabric.current(), source, destination, mesh)
    return None if step is None else _direction(*step, mesh)


def get_forwarding_link_indices(src_fabric_node_id, dst_fabric_node_id):
    """Returns the numbers of the links over which packets can leave a device for another one.

    Raises a RuntimeError if no mesh is open.

    Example:

        ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_2D)
        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
        here, there = (mesh.get_fabric_node_id(ttnn.MeshCoordinate(0, i)) for i in range(2))
        print(ttnn.get_forwarding_link_indices(here, there))
        ttnn.close_mesh_device(mesh)
        ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)
    """
    direction = get_eth_forwarding_direction(src_fabric_node_id, dst_fabric_node_id)
    return [] if direction is None else list(range(LINKS))


# ===--------------------------------------------------------------------------=== #
# Connections


def _devices_over(source, destination, mesh, config):
    """Returns the numbers of the devices that packets reach over the link to `destination`. With a
    fabric of one dimension these are the devices at 1, 2, ... hops, else all whose route begins there."""
    axis, step = _first_step(config, source, destination, mesh)
    if config not in _IN_ONE_DIMENSION:
        places = itertools.product(*map(range, mesh))
        return [number_of(place, mesh) for place in places
                if _first_step(config, source, place, mesh) == (axis, step)]
    found, extent, is_closed = [], mesh[axis], _ttjit.is_closed(config.value, list(mesh), axis)
    most = 1 if config is fabric.FabricConfig.FABRIC_1D_NEIGHBOR_EXCHANGE else extent - 1
    for hops in range(1, most + 1):
        index = source[axis] + hops * step
        if not is_closed and not 0 <= index < extent:
            break
        found.append(number_of((*source[:axis], index % extent, *source[axis + 1:]), mesh))
    return found


def _take_link(program, direction, link, kernel_index, core):
    """Reserves a link for a kernel of a core. If `link` is None, it is the first one that is free."""
    taken = program.__dict__.setdefault("taken_links", {})
    if link is None:
        link = next((each for each in range(LINKS) if (direction, each) not in taken), None)
    if link is None:
        raise ValueError(f"setup_routing_plane_connection(): there is no free link: all {LINKS} links in direction "
                         f"{direction} have a connection")
    if not 0 <= link < LINKS:
        raise ValueError(f"setup_routing_plane_connection(): link {link} does not exist: the emulated machine has "
                         f"links 0 to {LINKS - 1} in each direction")
    owner = taken.setdefault((direction, link), (kernel_index, core))
    if owner != (kernel_index, core):
        raise ValueError(f"setup_routing_plane_connection(): link {link} in direction {direction} already "
                         f"belongs to kernels[{owner[0]}] of core {owner[1]}: a link has one connection")


def setup_routing_plane_connection(src_fabric_node_id, dst_nodes, connection_link_indices,
                                   program_descriptor, kernel_index, worker_core):
    """Connects a kernel of a core to the fabric, and returns the arguments from which
    RoutingPlaneConnectionManager::build_from_args makes the connections, one for each device of
    dst_nodes. connection_link_indices has the number of a link for each device; if it is empty,
    free links are taken.

    Raises a RuntimeError if no mesh is open, and a ValueError for a device to which there is no route,
    for two connections in one direction, and for a link that another kernel has.

    Example:

        ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_2D)
        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
        here, there = (mesh.get_fabric_node_id(ttnn.MeshCoordinate(0, i)) for i in range(2))
        core, sender = ttnn.CoreCoord(0, 0), ttnn.KernelDescriptor(kernel_source="send.cpp")
        program = ttnn.ProgramDescriptor(kernels=[sender])
        print(ttnn.setup_routing_plane_connection(here, [there], [0], program, 0, core))
        ttnn.close_mesh_device(mesh)
        ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)
    """
    name = "setup_routing_plane_connection()"
    _check_nodes(src_fabric_node_id, *dst_nodes)
    mesh, config = _extents(), fabric.current()
    source = _place(src_fabric_node_id, mesh)
    core = as_core(worker_core, "worker_core")
    links = list(connection_link_indices) or [None] * len(dst_nodes)
    if len(links) != len(dst_nodes):
        raise ValueError(f"{name}: expected a link for each of the {len(dst_nodes)} devices, found {len(links)}")
    words, known = [], set()
    for node, link in zip(dst_nodes, links):
        direction = get_eth_forwarding_direction(src_fabric_node_id, node)
        if direction is None:
            raise ValueError(f"{name}: {config.name} has no route from {src_fabric_node_id!r} to {node!r}")
        if direction in known:
            raise ValueError(f"{name}: two connections have direction {direction}: one reaches all devices there")
        known.add(direction)
        _take_link(program_descriptor, direction, link, kernel_index, (core.x, core.y))
        devices = _devices_over(source, _place(node, mesh), mesh, config)
        words += [direction, len(devices), *devices]
    if config in _IN_ONE_DIMENSION:
        return words
    kernel = program_descriptor.kernels[kernel_index]
    kernel.defines = {**dict(kernel.defines), "FABRIC_2D": "1"}
    words += [mesh[-1], src_fabric_node_id.chip_id, 0, *[0, 0] * len(dst_nodes)]
    return words + [word for node in dst_nodes for word in (node.chip_id, node.mesh_id)]
