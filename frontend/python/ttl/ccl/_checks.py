# ===- _checks.py - the arguments of collectives ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import _ttjit
from ttl._ttnn import fabric, package
from ttl.ccl._groups import group_of

FabricConfig, Topology = fabric.FabricConfig, fabric.Topology
_RINGS = {FabricConfig.FABRIC_1D_RING: (0, 1), FabricConfig.FABRIC_2D_TORUS_XY: (0, 1),
          FabricConfig.FABRIC_2D_TORUS_X: (1,), FabricConfig.FABRIC_2D_TORUS_Y: (0,)}


def integer(name, value, what):
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}(): {what}={value!r}: expected an integer")
    return value.__index__()


def check_tensor(name, tensor, what="input_tensor"):
    if not isinstance(tensor, _ttjit.Tensor):
        raise TypeError(f"{name}(): {what}: expected a ttnn.Tensor of a mesh, found {type(tensor).__name__}")
    if tensor.device() is None:
        raise ValueError(f"{name}(): {what} is on the host: make it with device=mesh")
    if tensor.num_devices > 1 and tensor.tensor_topology().count < tensor.num_devices:
        raise ValueError(f"{name}(): {what} has parts on {tensor.tensor_topology().count} of "
                         f"{tensor.num_devices} devices: distribute it over all of them")


def mesh_of(tensor):
    return tuple(tensor.device().mesh) if tensor.num_devices > 1 else (1, 1)


def group(name, tensor, cluster_axis):
    """Returns the groups of devices of a collective."""
    mesh = mesh_of(tensor)
    if cluster_axis is None:
        return group_of(mesh, None)
    axis = integer(name, cluster_axis, "cluster_axis")
    if not 0 <= axis < len(mesh):
        raise ValueError(f"{name}(): cluster_axis={axis}: the mesh has {len(mesh)} axes, its shape is "
                         f"{tuple(mesh)}")
    return group_of(mesh, axis)


def dimension(name, tensor, dim, what="dim"):
    """Returns the number of a dimension, counted from 0."""
    rank = len(tensor.shape)
    number = integer(name, dim, what)
    if not -rank <= number < rank:
        raise ValueError(f"{name}(): {what}={number}: the tensor has {rank} dimensions, its shape is "
                         f"{list(tensor.shape)}")
    return number % rank


def divided(name, tensor, dim, size):
    """Returns the extent of each part of a dimension that is cut into `size` parts."""
    extent = tensor.shape[dim]
    if extent % size:
        raise ValueError(f"{name}(): dimension {dim} has extent {extent}, which {size} devices do not "
                         "divide: pad the tensor with ttnn.pad, or choose another dimension")
    return extent // size


def coordinate(name, mesh, value, what):
    """Returns the row-major number of a device of the mesh."""
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"{name}(): {what}={value!r}: expected a ttnn.MeshCoordinate")
    places = tuple(integer(name, each, what) for each in value)
    if len(places) != len(mesh) or any(not 0 <= at < extent for at, extent in zip(places, mesh)):
        raise ValueError(f"{name}(): {what}={places}: no device of the mesh {tuple(mesh)} has these "
                         "coordinates")
    number = 0
    for at, extent in zip(places, mesh):
        number = number * extent + at
    return number


def links(name, num_links):
    """Checks num_links. The number has no effect on the emulated fabric."""
    if num_links is not None and integer(name, num_links, "num_links") < 1:
        raise ValueError(f"{name}(): num_links={num_links}: expected at least 1")


def lanes(name, value):
    if value is not None and integer(name, value, "lanes") < 1:
        raise ValueError(f"{name}(): lanes={value}: expected at least 1")


def is_ring(name, topology, chosen):
    """Returns whether a group passes blocks on in a ring, as `topology` or else the fabric says."""
    if topology is not None and not isinstance(topology, Topology):
        raise TypeError(f"{name}(): topology={topology!r}: expected ttnn.Topology.Ring or "
                        "ttnn.Topology.Linear")
    if topology is not None:
        return topology is Topology.Ring
    lines = [axis for axis, extent in enumerate(chosen.mesh) if extent > 1]
    axis = chosen.axis if chosen.axis is not None else lines[0] if len(lines) == 1 else None
    return axis in _RINGS.get(fabric.current(), ())


def memory(name, tensor, value):
    """Returns the memory of a result: like the tensor's, unless another one is asked for."""
    if value is None:
        own = tensor.memory_config()
        return package.DRAM_MEMORY_CONFIG if own.is_sharded() else own
    if not isinstance(value, package.MemoryConfig):
        raise TypeError(f"{name}(): memory_config={value!r}: expected a ttnn.MemoryConfig")
    return value


def output(name, given, shape, like, what="output_tensor"):
    """Checks a tensor that a program gives for the result."""
    check_tensor(name, given, what)
    found = (list(given.shape), given.dtype, given.layout)
    if found != (list(shape), like.dtype, like.layout) or given.device() is not like.device():
        place = "" if given.device() is like.device() else ", and is not on the mesh of the input"
        raise ValueError(f"{name}(): {what} has shape {found[0]}, {found[1]}, {found[2]}{place}: expected "
                         f"{list(shape)}, {like.dtype}, {like.layout}, on the mesh of the input")
