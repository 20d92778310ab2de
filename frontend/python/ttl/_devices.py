# ===- _devices.py - the devices on which a call of an operation runs ---------=== #
# SPDX-License-Identifier: Apache-2.0
#
# An operation runs on the mesh of its tensors. A device domain must have the extents of the mesh. Without
# a domain every device runs the operation for itself.
# ===--------------------------------------------------------------------------=== #

import itertools
import math

import _ttjit
from ttl import _domains, _errors, _location
from ttl._ttnn import fabric


def checked_domain(domain):
    """Returns the value of device_domain=."""
    if domain is not None and not isinstance(domain, _domains.DeviceDomain):
        raise TypeError(f"device_domain must be a ttl.DeviceDomain, found {type(domain).__name__}")
    return domain


# ===--------------------------------------------------------------------------=== #
# Placements


def _corner(value, number):
    items = value if isinstance(value, (tuple, list)) else (value,)
    if not items or any(isinstance(each, bool) or not isinstance(each, int) for each in items):
        raise TypeError(f"placement {number} must have integer coordinates, found {value!r}")
    if min(items) < 0:
        raise ValueError(f"placement {number} must not be negative, found {value!r}")
    return tuple(items)


@_ttjit.public_methods
class MeshProgramPlacement:
    """The devices from `start` to `end`, both included, that run an operation.

    Raises a ValueError for corners of different ranks, or a start behind the end.

    Example:

        first = ttl.MeshProgramPlacement((0, 0), (0, 1))
    """

    def __init__(self, start, end=None):
        self.start = _corner(start, 0)
        self.end = self.start if end is None else _corner(end, 0)
        if len(self.start) != len(self.end):
            raise ValueError(f"the corners of a placement must have one rank, found {self.start} and "
                             f"{self.end}")
        if any(first > last for first, last in zip(self.start, self.end)):
            raise ValueError(f"the start of a placement must not exceed its end, found {self.start} and "
                             f"{self.end}")

    def devices(self):
        spans = (range(first, last + 1) for first, last in zip(self.start, self.end))
        return set(itertools.product(*spans))

    def __repr__(self):
        return f"MeshProgramPlacement({self.start}, {self.end})"


def checked_placements(values):
    """Returns the value of mesh_program_placements= as a list of MeshProgramPlacement; None if there is
    none."""
    if values is None:
        return None
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"mesh_program_placements must be a list or a tuple, found {values!r}")
    if not values:
        raise ValueError("mesh_program_placements must not be empty")
    found = [each if isinstance(each, MeshProgramPlacement) else
             MeshProgramPlacement(_corner(each, number)) for number, each in enumerate(values)]
    rank = len(found[0].start)
    for number, each in enumerate(found):
        if len(each.start) != rank:
            raise ValueError(f"placement {number} has rank {len(each.start)}, expected rank {rank}")
    for one, other in itertools.combinations(range(len(found)), 2):
        if found[one].devices() & found[other].devices():
            raise ValueError(f"mesh_program_placements indices {one} and {other} must not overlap")
    return found


def _check_placements(placements, mesh):
    for number, each in enumerate(placements):
        if len(each.start) != len(mesh):
            raise ValueError(f"placement {number} has rank {len(each.start)}, expected rank {len(mesh)}")
        if any(last >= extent for last, extent in zip(each.end, mesh)):
            raise ValueError(f"placement {number} is {each!r}, outside the mesh {tuple(mesh)}")


def placed(placements, mesh):
    """Returns a tuple with 1 for each device that runs the program, and 0 for the others, in row-major order;
    None if all run it."""
    if placements is None:
        return None
    chosen = set().union(*(each.devices() for each in placements))
    found = tuple(int(device in chosen) for device in itertools.product(*map(range, mesh)))
    return None if all(found) else found


# ===--------------------------------------------------------------------------=== #
# The mesh of a call


def _mesh_of(entry):
    """Returns the extents of the mesh of a tensor; None for a tensor of one device."""
    return tuple(entry.argument.device().mesh) if entry.argument.num_devices > 1 else None


def _check_domain(domain, entry, name):
    extents, mesh = domain.flattened_extent, _mesh_of(entry)
    if mesh is None and len(domain) == 1:
        return
    if mesh is None:
        raise ValueError(f"operation {name}() has device_domain={domain!r}, but argument '{entry.name}' is "
                         "no tensor of a mesh: make it with device=mesh")
    if extents != mesh:
        raise ValueError(f"operation {name}(): device_domain={domain!r} does not match the mesh "
                         f"{tuple(mesh)} of argument '{entry.name}'")


def _mesh_without_tensors(domain, name):
    """Returns the extents of the mesh that runs an operation without tensors; None for one device."""
    extents, opened = domain.flattened_extent, fabric.open_mesh()
    if opened is not None and tuple(opened.shape) != extents:
        raise ValueError(f"operation {name}(): device_domain={domain!r} does not match the open mesh "
                         f"{tuple(opened.shape)}")
    return extents if len(domain) > 1 else None


def _check_whole(entry, name):
    topology = entry.value.tensor_topology()
    if topology.count < entry.argument.num_devices:
        raise ValueError(f"operation {name}(): argument '{entry.name}' has parts on {topology.count} of "
                         f"{entry.argument.num_devices} devices: distribute it over all of them")


def _check_grid(operation, grid, mesh):
    if len(grid) != 2:
        code = operation.function.__code__
        raise _errors.CompileError(
            f"operation {operation.function.__name__}() runs on a mesh of {tuple(mesh)} devices with the "
            f"grid {tuple(grid)}: on several devices a grid must have two dimensions, those of one device; a "
            "grid that begins with the extents of the mesh works only where the operation is called",
            _location.start_of(code))


def key(call):
    """Returns the part of a compiled kernel's key that describes its devices. The fabric is in it, because
    the routes depend on the fabric."""
    config = fabric.current() if call.devices > 1 else None
    return (call.devices, call.mesh, call.options.domain, call.placed, config)


def of_call(operation, grid, tensors):
    """Returns the number of devices that run a call, and the extents of their mesh."""
    name, options = operation.function.__name__, operation.options
    mesh = next(filter(None, map(_mesh_of, tensors)), None)
    if options.domain is not None:
        for entry in tensors:
            _check_domain(options.domain, entry, name)
        mesh = mesh if tensors else _mesh_without_tensors(options.domain, name)
    if options.placements is not None:
        _check_placements(options.placements, mesh or (1, 1))
    if mesh is None:
        return 1, (1, 1)
    for entry in tensors:
        if _mesh_of(entry) != mesh:
            raise ValueError(f"operation {name}(): argument '{entry.name}' is not on the mesh "
                             f"{tuple(mesh)} of the other arguments: make it with device=mesh")
        _check_whole(entry, name)
    _check_grid(operation, grid, mesh)
    return math.prod(mesh), mesh
