# ===- _mesh_grids.py - grids whose first axes are those of a mesh ------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# With @ttl.operation(grid=(2, 2, 8, 8)) and tensors of a mesh, the last two axes of the grid are the
# nodes of a device, and the axes before are those of the mesh. The kernel sees whole tensors. It runs
# as if one device had the nodes of all devices: the parts of a tensor are joined before the launch, and
# afterwards each device gets its part back. A copy of elements that another device holds is a fault,
# which the pass ttl-check-mesh-access adds.
# ===--------------------------------------------------------------------------=== #

import math

import _ttjit
import numpy
from ttl import _errors, _location, _partial
from ttl._ttnn import package

NODE_AXES = 2  # the axes of a grid that count the nodes of one device


class Whole(package.Tensor):
    """The joined parts of a tensor of a mesh, on the host. `mesh_shards` are its dimensions that are cut
    over devices: (dimension, axis of the grid, extent of a part in the indices of slices)."""

    mesh_shards = ()

    def __getitem__(self, index):
        raise _failure("Cross-device access: an element of a tensor of a mesh was read outside any scheduled "
                       "kernel, where no device can be named that holds it: read it before the operation, or copy "
                       "a slice in a kernel function")


def shards_of(value):
    """Returns how a mesh grid cuts a tensor of a call."""
    return value.mesh_shards if type(value) is Whole else ()


def _failure(message):
    return _errors.MeshAccessError(message, _location.program_location())


# ===--------------------------------------------------------------------------=== #
# How a tensor is cut


class _Cut:
    """A dimension of a tensor that is cut over an axis of its distribution."""

    def __init__(self, dim, axis, grid_axis):
        self.dim, self.axis, self.grid_axis = dim, axis, grid_axis


class _Distribution:
    """How the argument `name`, a tensor of a mesh, is distributed over the mesh axes of a grid."""

    def __init__(self, name, tensor, grid):
        self.name, self.tensor = name, tensor
        found = tensor.tensor_topology()
        self.devices = tuple(found.distribution_shape())
        if math.prod(self.devices) != tensor.num_devices:
            raise _failure(f"Mesh mismatch: argument '{name}' has parts on {math.prod(self.devices)} of "
                           f"{tensor.num_devices} devices: distribute it over all of them")
        cut = [(axis, each) for axis, each in enumerate(found.placements())
               if isinstance(each, package.PlacementShard)]
        places = self._grid_axes(tuple(grid[:-NODE_AXES]), grid) if cut else ()
        self.part_shape = tuple(tensor.shape)
        self.cuts = [_Cut(each.dim % len(self.part_shape), axis, places[axis]) for axis, each in cut]
        self._check_dimensions()

    def _grid_axes(self, mesh, grid):
        """Returns the axis of the grid for each axis of the distribution. Axes of extent 1 may differ."""
        long = [axis for axis, extent in enumerate(self.devices) if extent > 1]
        grid_long = [axis for axis, extent in enumerate(mesh) if extent > 1]
        if [self.devices[axis] for axis in long] == [mesh[axis] for axis in grid_long]:
            places = dict(zip(long, grid_long))
            return [places.get(axis, 0) for axis in range(len(self.devices))]
        if len(long) == 1 and self.devices[long[0]] == math.prod(mesh):
            raise _failure(f"Unsupported sharding: one dimension of argument '{self.name}' is cut over all "
                           f"{math.prod(mesh)} devices, which are {len(grid_long)} axes of the grid {tuple(grid)}: cut "
                           "a dimension for each axis, as ttnn.ShardTensor2dMesh does, or use a grid with one axis of "
                           "devices")
        raise _failure(f"Mesh mismatch: argument '{self.name}' is distributed over {self.devices} devices, but the "
                       f"mesh axes of the grid {tuple(grid)} are {mesh}: begin the grid with the extents of the "
                       "distribution")

    def _check_dimensions(self):
        dims = [cut.dim for cut in self.cuts]
        if len(set(dims)) < len(dims):
            raise _failure(f"Unsupported sharding: two axes of the mesh cut dimension {max(dims, key=dims.count)} of "
                           f"argument '{self.name}': cut another dimension with each axis")
        if self.tensor.is_sharded():
            raise ValueError(f"argument '{self.name}' is sharded over the cores of each device, and a mesh grid "
                             "takes interleaved tensors: use ttnn.DRAM_MEMORY_CONFIG or ttnn.L1_MEMORY_CONFIG")
        for dim in dims:
            if self._unit(dim) > 1 and self.part_shape[dim] % package.TILE_SIZE:
                raise _failure(f"Uneven mesh shard: the parts of argument '{self.name}' have {self.part_shape[dim]} "
                               f"elements in dimension {dim}, which are no whole tiles of {package.TILE_SIZE}: pad the "
                               "dimension, or use ttnn.ROW_MAJOR_LAYOUT")

    def _unit(self, dim):
        """Returns how many elements an index of a slice counts in a dimension."""
        is_tiled = self.tensor.layout == package.TILE_LAYOUT and dim >= len(self.part_shape) - 2
        return package.TILE_SIZE if is_tiled else 1

    @property
    def mesh_shards(self):
        return tuple((cut.dim, cut.grid_axis, self.part_shape[cut.dim] // self._unit(cut.dim)) for cut in self.cuts)

    def _place(self, number):
        """Returns the elements of the whole tensor that a device holds."""
        coordinates = numpy.unravel_index(number, self.devices)
        place = [slice(None)] * len(self.part_shape)
        for cut in self.cuts:
            extent, first = self.part_shape[cut.dim], int(coordinates[cut.axis])
            place[cut.dim] = slice(first * extent, (first + 1) * extent)
        return tuple(place)

    def joined(self):
        """Returns an array of the elements of all devices. Raises a MeshAccessError if devices that should
        hold the same elements do not."""
        shape = list(self.part_shape)
        for cut in self.cuts:
            shape[cut.dim] *= self.devices[cut.axis]
        whole, seen = None, {}
        for number in range(self.tensor.num_devices):
            bits, place = self.tensor.part(number).bits(), self._place(number)
            if whole is None:
                whole = numpy.zeros(shape, bits.dtype)
            other = seen.setdefault(repr(place), number)
            if other != number and whole[place].tobytes() != bits.tobytes():
                raise _failure(f"devices {other} and {number} hold different elements of argument '{self.name}', which "
                               "is replicated over them, and a kernel with a mesh grid sees one tensor: give all "
                               "devices the same elements")
            whole[place] = bits
        return whole

    def distribute(self, before, after):
        """Gives each device its part of an array of the elements of all, if the kernel changed the part."""
        for number in range(self.tensor.num_devices):
            place = self._place(number)
            if after[place].tobytes() != before[place].tobytes():
                self.tensor.part(number).write_bits(numpy.ascontiguousarray(after[place]))


# ===--------------------------------------------------------------------------=== #
# Calls


def _is_of_mesh(value):
    return isinstance(value, _ttjit.Tensor) and value.num_devices > 1


def applies(operation, args, kwargs, options):
    """Returns whether a call has tensors of a mesh, and a grid with axes for its devices."""
    given, named, _ = _partial.unwrap(args, kwargs)
    if operation.options.domain is not None or not any(map(_is_of_mesh, (*given, *named.values()))):
        return False
    return len(operation._grid(given, named, operation._settings(options))) > NODE_AXES


def _check_host(operation, grid, options):
    """Fails for what a mesh grid does not have."""
    name, chosen = operation.function.__name__, operation._settings(options)
    for is_asked, what in ((chosen.emit_folder, "programs for cards"),
                           (chosen.estimates_time, "estimates of the time on a card")):
        if is_asked:
            raise _errors.CompileError(
                f"operation {name}() has the mesh grid {tuple(grid)}, for which there are no {what}, because a kernel "
                "on a card sees the part of its device only: use the grid of one device, and device_domain= with "
                "pipes between devices", _location.start_of(operation.function.__code__))
    if _ttjit.has_ranks():
        raise RuntimeError(f"operation {name}() has the mesh grid {tuple(grid)}, which runs in one process: run the "
                           "program without mpirun")


class _Call:
    """One call: the whole tensors that the kernel sees, in place of the tensors of the mesh."""

    def __init__(self, grid):
        self.grid, self.known = grid, {}  # id of a tensor of the mesh -> (its distribution, Whole, elements before)

    def replaced(self, name, value):
        if type(value) is _partial.Partial:
            return _partial.Partial(self.replaced(name, value.tensor))
        if not _is_of_mesh(value):
            return value
        if id(value) not in self.known:
            found = _Distribution(name, value, self.grid)
            before = found.joined()
            memory = value.memory_config()
            whole = Whole.from_storage(before.shape, before.copy(), value.dtype, value.layout, memory)
            whole.mesh_shards = found.mesh_shards
            self.known[id(value)] = (found, whole, before)
        return self.known[id(value)][1]

    def write_back(self):
        for distribution, whole, before in self.known.values():
            distribution.distribute(before, whole.bits())


def call(operation, args, kwargs, options):
    """Calls an operation with a mesh grid."""
    given, named, _ = _partial.unwrap(args, kwargs)
    grid = operation._grid(given, named, operation._settings(options))
    _check_host(operation, grid, options)
    try:
        bound = operation.signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{operation.function.__name__}(): {error}") from None
    made, values = _Call(grid), {}
    for name, parameter in operation.signature.parameters.items():
        if name not in bound.arguments:
            continue
        value = bound.arguments[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            value = tuple(made.replaced(name, each) for each in value)
        elif parameter.kind is parameter.VAR_KEYWORD:
            value = {key: made.replaced(key, each) for key, each in value.items()}
        else:
            value = made.replaced(name, value)
        values[name] = value
    bound.arguments.update(values)
    try:
        operation.call_once(bound.args, bound.kwargs, options)
    finally:
        made.write_back()
