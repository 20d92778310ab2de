# SPDX-License-Identifier: Apache-2.0
"""How the elements of a tensor are distributed over a mesh, and how the parts are joined again.

A mapper cuts a host tensor into the parts of the devices, a composer joins them. Both see the mesh in
a shape of their own, the distribution shape, with one placement, or one dimension, for each axis.
"""

import math

import numpy as np

import _ttjit

from .operands import axis_of, integer_of
from .storage import kind_of, storage_of
from .tensor import PartsOnHost, Tensor, check_device
from .topology import (
    MeshShape,
    PlacementReplicate,
    PlacementShard,
    TensorTopology,
    as_shape,
    text_of,
)
from .types import as_dtype

__all__ = "aggregate_tensor create_mesh_composer create_mesh_mapper distribute_tensor".split()


# ===--------------------------------------------------------------------------=== #
# Mappers


def _check_mesh(mesh, name):
    check_device(mesh)
    if mesh is None:
        raise TypeError(f"{name}: the mesh is None: expected a mesh from ttnn.open_mesh_device")


def _check_fits(shape, mesh, name):
    whole = mesh.shape
    fits = math.prod(shape) <= math.prod(whole)
    if len(shape) == len(whole):
        fits = all(extent <= limit for extent, limit in zip(shape, whole))
    if not fits:
        raise ValueError(f"{name}: a distribution over {text_of(shape)} devices is larger than the "
                         f"mesh of {text_of(whole)}")


def _chunks(array, dim, parts):
    """Cuts a dimension as torch.chunk does: into parts of equal extent, of which the last may be
    shorter. There may be fewer parts."""
    extent = array.shape[dim]
    step = max(-(-extent // parts), 1)
    starts = range(0, max(extent, 1), step)
    return [array[(slice(None),) * dim + (slice(start, start + step),)] for start in starts]


@_ttjit.public_methods
class MeshMapper:
    """Distributes a host tensor over a mesh. ttnn.create_mesh_mapper, ttnn.ShardTensorToMesh,
    ttnn.ReplicateTensorToMesh and ttnn.ShardTensor2dMesh make mappers."""

    def __init__(self, mesh, shape, placements, name):
        _check_mesh(mesh, name)
        self.mesh, self.shape, self.placements, self.name = mesh, shape, list(placements), name
        for placement in self.placements:
            if not isinstance(placement, (PlacementShard, PlacementReplicate)):
                raise TypeError(f"{name}: placement {placement!r}: expected ttnn.PlacementShard(dim) "
                                "or ttnn.PlacementReplicate()")
        if len(self.placements) != len(shape):
            raise ValueError(f"{name}: {len(self.placements)} placements for a distribution over "
                             f"{text_of(shape)} devices: expected one for each of its axes")
        _check_fits(shape, mesh, name)

    def parts(self, array):
        """Returns [(number of the device, its part of the array)]."""
        parts = {(): array}
        for axis, placement in enumerate(self.placements):
            parts = {(*place, number): piece for place, whole in parts.items()
                     for number, piece in enumerate(self._pieces(whole, axis, placement))}
        self._check_shapes(list(parts.values()))
        return [(self._device_of(place), part) for place, part in parts.items()]

    def _pieces(self, array, axis, placement):
        count = self.shape[axis]
        if isinstance(placement, PlacementReplicate):
            return [array] * count
        dim = axis_of(placement.dim, array.ndim, f"{self.name}: dim")
        pieces = _chunks(array, dim, count)
        if len(pieces) < count and len(self.shape) > 1:
            raise ValueError(f"{self.name}: dimension {dim} has extent {array.shape[dim]}, which "
                             f"gives {len(pieces)} parts, but axis {axis} of the distribution has "
                             f"{count} devices")
        return pieces

    def _check_shapes(self, parts):
        first, last = parts[0].shape, parts[-1].shape
        if any(part.shape != first for part in parts):
            raise ValueError(f"{self.name}: Shard shape mismatch: the parts have shapes {first} and "
                             f"{last}: the extents must be divisible by the numbers of devices")

    def _device_of(self, place):
        """Returns the number of the device of a part: at the same coordinates if the distribution has
        the axes of the mesh, else in row-major order."""
        extents = self.mesh.shape if len(place) == len(self.mesh.shape) else self.shape
        number = 0
        for coordinate, extent in zip(place, extents):
            number = number * extent + coordinate
        return number

    def topology(self, numbers):
        if sorted(numbers) != list(range(len(numbers))):
            raise ValueError(f"{self.name}: a distribution over {text_of(self.shape)} devices leaves "
                             f"gaps in the mesh of {text_of(self.mesh.shape)}: it must have all "
                             "devices of the mesh, or its first ones")
        return TensorTopology(self.mesh.shape, self.shape, self.placements, len(numbers))

    def __repr__(self):
        return f"<{self.name} over {text_of(self.shape)} devices: {self.placements}>"


@_ttjit.public_methods
class MeshMapperConfig:
    """The placement for each axis of the mesh, or of mesh_shape_override."""

    def __init__(self, placements, mesh_shape_override=None):
        self.placements = list(placements)
        self.mesh_shape_override = mesh_shape_override


def _override(config, mesh, name):
    shape = config.mesh_shape_override
    return mesh.shape if shape is None else as_shape(shape, f"{name}: mesh_shape_override")


def create_mesh_mapper(mesh_device, config):
    """Returns a mapper with the placements of a ttnn.MeshMapperConfig.

    Raises a TypeError for a wrong argument, and a ValueError for placements that do not fit the mesh.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
        placements = [ttnn.PlacementReplicate(), ttnn.PlacementShard(0)]
        mapper = ttnn.create_mesh_mapper(mesh, ttnn.MeshMapperConfig(placements))
        ttnn.close_mesh_device(mesh)
    """
    _check_mesh(mesh_device, "create_mesh_mapper()")
    if not isinstance(config, MeshMapperConfig):
        raise TypeError(f"create_mesh_mapper(): config={config!r}: expected a ttnn.MeshMapperConfig")
    shape = _override(config, mesh_device, "create_mesh_mapper()")
    return MeshMapper(mesh_device, shape, config.placements, "create_mesh_mapper()")


@_ttjit.public_methods
class ShardTensorToMesh(MeshMapper):
    """Cuts dimension `dim` into one part for each device, in row-major order of the devices."""

    def __init__(self, mesh_device, dim):
        _check_mesh(mesh_device, "ShardTensorToMesh")
        shape = MeshShape(mesh_device.get_num_devices())
        super().__init__(mesh_device, shape, [PlacementShard(dim)], "ShardTensorToMesh")


@_ttjit.public_methods
class ReplicateTensorToMesh(MeshMapper):
    """Gives the whole tensor to every device."""

    def __init__(self, mesh_device):
        _check_mesh(mesh_device, "ReplicateTensorToMesh")
        shape = mesh_device.shape
        super().__init__(mesh_device, shape, [PlacementReplicate() for _ in shape],
                         "ReplicateTensorToMesh")


def _two(values, name):
    if not isinstance(values, (tuple, list)) or len(values) != 2:
        raise ValueError(f"{name}: dims={values!r}: expected two dimensions")
    return values


@_ttjit.public_methods
class ShardTensor2dMesh(MeshMapper):
    """Axis i of the mesh cuts dimension dims[i] of the tensor. If dims[i] is None, all devices along
    the axis have the same elements."""

    def __init__(self, mesh_device, mesh_shape=None, dims=(None, None)):
        name = "ShardTensor2dMesh"
        _check_mesh(mesh_device, name)
        shape = mesh_device.shape if mesh_shape is None else as_shape(mesh_shape)
        if len(shape) != 2:
            raise ValueError(f"{name}: mesh_shape={tuple(shape)}: expected two axes")
        placements = [PlacementReplicate() if dim is None else PlacementShard(dim)
                      for dim in _two(dims, name)]
        super().__init__(mesh_device, shape, placements, name)


def _on_host(parts, dtype, layout, memory_config, topology):
    """Returns a tensor of a mesh whose parts are on the host; ttnn.to_device() puts them on the mesh."""
    made = [Tensor.from_storage(part.shape, np.array(part, order="C"), dtype, layout, memory_config)
            for _, part in parts]
    return PartsOnHost(made, topology) if len(made) > 1 else made[0]


def place(array, dtype, layout, memory_config, mesh, mapper):
    """Returns the tensor of an array in the host format of the dtype, distributed over a mesh."""
    if not isinstance(mapper, MeshMapper):
        raise TypeError(f"mesh_mapper={mapper!r}: expected a mapper, such as ttnn.ShardTensorToMesh(mesh, 0)")
    if mesh not in (None, mapper.mesh):
        raise ValueError("mesh_mapper= was made for another mesh than device=")
    parts = mapper.parts(array)
    topology = mapper.topology([number for number, _ in parts])
    if mesh is None:
        return _on_host(parts, dtype, layout, memory_config, topology)
    tensor = Tensor.from_storage(parts[0][1].shape, None, dtype, layout, memory_config, mesh)
    for number, part in parts:
        target = tensor.part(number) if tensor.num_devices > 1 else tensor
        target.write_bits(np.ascontiguousarray(part))
    return tensor.with_topology(topology)


def distribute_tensor(tensor, mapper, mesh_device=None):
    """Returns a host tensor distributed over the mesh of a mapper.

    Raises a TypeError for an argument that is no tensor or no mapper, and a ValueError for a tensor
    on a device, or for one that the mapper cannot cut.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
        y = ttnn.distribute_tensor(x, ttnn.ReplicateTensorToMesh(mesh))
        ttnn.close_mesh_device(mesh)
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"distribute_tensor() got {kind_of(tensor)}, expected a ttnn.Tensor")
    if not isinstance(mapper, MeshMapper):
        raise TypeError(f"distribute_tensor() got {kind_of(mapper)}, expected a mapper, such as "
                        "ttnn.ShardTensorToMesh(mesh, 0)")
    if tensor.device() is not None:
        raise ValueError("distribute_tensor(): the tensor is on a device: a mapper takes host tensors")
    mesh = mapper.mesh if mesh_device is None else mesh_device
    return place(tensor.bits(), tensor.dtype, tensor.layout, tensor.memory_config(), mesh, mapper)


def from_array(data, dtype, layout, memory_config, mesh, mapper):
    """Returns the tensor of a torch tensor or numpy array, distributed over a mesh."""
    array, dtype = storage_of(data, None if dtype is None else as_dtype(dtype))
    return place(array, dtype, layout, memory_config, mesh, mapper)


# ===--------------------------------------------------------------------------=== #
# Composers


@_ttjit.public_methods
class MeshComposer:
    """Joins the parts of a tensor. ttnn.create_mesh_composer, ttnn.ConcatMeshToTensor and
    ttnn.ConcatMesh2dToTensor make composers."""

    def __init__(self, mesh, shape, dims, name):
        _check_mesh(mesh, name)
        self.mesh, self.shape, self.name = mesh, shape, name
        self.dims = [integer_of(dim, f"{name}: dims") for dim in dims]
        if len(self.dims) != len(shape):
            raise ValueError(f"{name}: {len(self.dims)} dimensions for {text_of(shape)} devices: "
                             "expected one for each axis")
        _check_fits(shape, mesh, name)

    def join(self, parts):
        """Joins the parts of the devices, arrays in row-major order of the devices."""
        dims = [axis_of(dim, parts[0].ndim, f"{self.name}: dims") for dim in self.dims]
        if len(set(dims)) != len(dims):
            raise ValueError(f"{self.name}: dims={self.dims}: the dimensions must be different")
        if len(self.shape) == 1:
            return np.concatenate(parts[: self.shape[0]], dims[0])
        if len(parts) < math.prod(self.mesh.shape):
            raise ValueError(f"{self.name}: the tensor is on {len(parts)} devices of the mesh of "
                             f"{text_of(self.mesh.shape)}: use ttnn.ConcatMeshToTensor")
        return self._join(parts, (), dims)

    def _join(self, parts, place, dims):
        if len(place) == len(self.shape):
            extents = self.mesh.shape if len(place) == len(self.mesh.shape) else self.shape
            return parts[int(np.ravel_multi_index(place, extents))]
        below = [self._join(parts, (*place, number), dims)
                 for number in range(self.shape[len(place)])]
        return np.concatenate(below, dims[len(place)])

    def __repr__(self):
        return f"<{self.name} of {text_of(self.shape)} devices: {self.dims}>"


@_ttjit.public_methods
class MeshComposerConfig:
    """The dimension along which the parts of each axis of the mesh, or of mesh_shape_override, are
    joined. With an extent of 1, only the first device of an axis is used."""

    def __init__(self, dims, mesh_shape_override=None):
        self.dims = list(dims)
        self.mesh_shape_override = mesh_shape_override


def create_mesh_composer(mesh_device, config):
    """Returns a composer with the dimensions of a ttnn.MeshComposerConfig.

    Raises a TypeError for a wrong argument, and a ValueError for dimensions that do not fit the mesh.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
        composer = ttnn.create_mesh_composer(mesh, ttnn.MeshComposerConfig([0, 1]))
        ttnn.close_mesh_device(mesh)
    """
    _check_mesh(mesh_device, "create_mesh_composer()")
    if not isinstance(config, MeshComposerConfig):
        raise TypeError(f"create_mesh_composer(): config={config!r}: expected a "
                        "ttnn.MeshComposerConfig")
    shape = _override(config, mesh_device, "create_mesh_composer()")
    return MeshComposer(mesh_device, shape, config.dims, "create_mesh_composer()")


@_ttjit.public_methods
class ConcatMeshToTensor(MeshComposer):
    """Joins the parts of all devices along dimension `dim`, in row-major order of the devices."""

    def __init__(self, mesh_device, dim):
        _check_mesh(mesh_device, "ConcatMeshToTensor")
        shape = MeshShape(mesh_device.get_num_devices())
        super().__init__(mesh_device, shape, [dim], "ConcatMeshToTensor")


@_ttjit.public_methods
class ConcatMesh2dToTensor(MeshComposer):
    """Joins the parts along axis i of the mesh in dimension dims[i]."""

    def __init__(self, mesh_device, mesh_shape=None, dims=(0, 1)):
        name = "ConcatMesh2dToTensor"
        _check_mesh(mesh_device, name)
        shape = mesh_device.shape if mesh_shape is None else as_shape(mesh_shape)
        if len(shape) != 2:
            raise ValueError(f"{name}: mesh_shape={tuple(shape)}: expected two axes")
        super().__init__(mesh_device, shape, _two(dims, name), name)


def _is_on(tensor, mesh):
    """Returns whether a tensor is on a mesh, or on the host with one part for each device of the mesh."""
    is_on_host = tensor.device() is None
    return tensor.num_devices == mesh.get_num_devices() if is_on_host else tensor.device() is mesh


def aggregate_tensor(tensor, composer):
    """Returns the parts of a tensor of a mesh, joined to one host tensor.

    Raises a TypeError for an argument that is no tensor or no composer, and a ValueError for parts
    that the composer cannot join.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 1))
        y = ttnn.distribute_tensor(x, ttnn.ReplicateTensorToMesh(mesh))
        z = ttnn.aggregate_tensor(y, ttnn.ConcatMeshToTensor(mesh, dim=0))
        ttnn.close_mesh_device(mesh)
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"aggregate_tensor() got {kind_of(tensor)}, expected a ttnn.Tensor")
    if not isinstance(composer, MeshComposer):
        raise TypeError(f"mesh_composer={composer!r}: expected a composer, such as "
                        "ttnn.ConcatMeshToTensor(mesh, 0)")
    if tensor.num_devices > 1 and not _is_on(tensor, composer.mesh):
        raise ValueError(f"{composer.name}: the tensor is not on the mesh of the composer")
    count = tensor.tensor_topology().count if tensor.num_devices > 1 else 1
    parts = [tensor.bits()] if tensor.num_devices == 1 else [
        tensor.part(number).bits() for number in range(count)]
    array = np.ascontiguousarray(composer.join(parts))
    return Tensor.from_storage(array.shape, array, tensor.dtype, tensor.layout)
