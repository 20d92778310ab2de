# ===- dist.py - tensors that are distributed over a mesh ---------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A placement says for each axis of the mesh which dimension of the tensor it cuts. redistribute() calls
# the collectives between two placements. Each step changes one axis. The search for the steps that send
# the fewest bytes is in C++ (ir/Layouts/Placements.h), because !ttl.dist_tensor needs it, too.
# ===--------------------------------------------------------------------------=== #

"""Distributed tensors: one tensor with its global shape, and a part of it on each device of a mesh."""

import dataclasses

import numpy as np

import _ttjit
from ttl._ttnn import package

__all__ = ["DistTensor", "PARTIAL", "Placement", "REPLICATED", "Step", "plan"]

REPLICATED, PARTIAL = -1, "sum"
_SUMS = -2  # PARTIAL as a number, in C++

# Element types as MLIR writes them.
_ELEMENTS = {"FLOAT32": "f32", "BFLOAT16": "bf16", "FLOAT16": "f16", "INT32": "i32", "UINT32": "ui32",
             "UINT16": "ui16", "UINT8": "ui8"}


def _extents(mesh):
    """Returns the extents of a mesh, which is a mesh of ttnn or the shape of one."""
    extents = getattr(mesh, "shape", mesh)
    if not isinstance(extents, (tuple, list)) or not all(isinstance(each, (int, np.integer)) and each > 0
                                                         for each in extents):
        raise TypeError(f"expected a mesh or its extents, such as (2, 4), found {mesh!r}")
    return tuple(extents)


@_ttjit.public_methods
class Placement:
    """Which dimension each axis of a mesh cuts: Placement((4, 2), (0, -1)). REPLICATED, or -1, means
    that the axis cuts none, PARTIAL that the elements are the sum over the axis.

    If several axes cut one dimension, the first of them cuts it first.

    Example:

        placement = ttl.dist.Placement((4, 2), (0, -1))
        assert placement.local_shape((8, 6)) == (2, 6)
    """

    def __init__(self, mesh, dims):
        if not isinstance(dims, (tuple, list)):
            raise TypeError("Placement(): dims: expected a tuple with a dimension of the tensor, -1 or "
                            f"ttl.dist.PARTIAL for each axis of the mesh, found {dims!r}")
        self.mesh, self.dims = _extents(mesh), tuple(REPLICATED if dim is None else dim for dim in dims)
        if len(self.mesh) != len(self.dims):
            raise ValueError(f"a placement has one dimension for each axis of the mesh {self.mesh}, found "
                             f"{self.dims}")
        for dim in self.dims:
            if dim != PARTIAL and (isinstance(dim, bool) or not isinstance(dim, int) or dim < REPLICATED):
                raise ValueError(f"a placement has dimensions of the tensor, -1 or ttl.dist.PARTIAL, found "
                                 f"{dim!r}")

    def parts(self, rank):
        """Returns the number of parts of each dimension."""
        counts = [1] * rank
        for extent, dim in zip(self.mesh, self.dims):
            if dim in (REPLICATED, PARTIAL):
                continue
            if dim >= rank:
                raise ValueError(f"{self} cuts dimension {dim} of a tensor with {rank} dimensions")
            counts[dim] *= extent
        return counts

    def local_shape(self, shape):
        """Returns the shape of each part of a tensor."""
        counts = self.parts(len(shape))
        for dim, (extent, count) in enumerate(zip(shape, counts)):
            if extent % count:
                raise ValueError(f"{self} cuts dimension {dim} of extent {extent} into {count} parts, which "
                                 "are not equal: pad the tensor, or cut another dimension")
        return tuple(extent // count for extent, count in zip(shape, counts))

    def slices(self, shape, device):
        """Returns the slices of a tensor that the device with this row-major number has."""
        local, numbers = self.local_shape(shape), [0] * len(shape)
        for place, extent, dim in zip(np.unravel_index(device, self.mesh), self.mesh, self.dims):
            if dim not in (REPLICATED, PARTIAL):
                numbers[dim] = numbers[dim] * extent + int(place)
        return tuple(slice(number * size, (number + 1) * size) for number, size in zip(numbers, local))

    def __eq__(self, other):
        return isinstance(other, Placement) and (other.mesh, other.dims) == (self.mesh, self.dims)

    def __hash__(self):
        return hash((self.mesh, self.dims))

    def __repr__(self):
        dims = ", ".join(map(str, self.dims))
        return f"#ttl.placement<mesh = [{', '.join(map(str, self.mesh))}], dims = [{dims}]>"


def _placement(given, mesh, name):
    """Returns `given` if it is a Placement, else the Placement on the mesh with these dimensions."""
    if isinstance(given, Placement):
        return given
    if not isinstance(given, (tuple, list)):
        raise TypeError(f"{name}: expected a ttl.dist.Placement or its dimensions, such as (0, -1), found {given!r}")
    if mesh is None:
        raise TypeError(f"{name}: the dimensions {given!r} need a mesh: add mesh=(2, 2), or give a "
                        "ttl.dist.Placement((2, 2), dims)")
    return Placement(mesh, given)


# ===--------------------------------------------------------------------------=== #
# Plans


@dataclasses.dataclass(frozen=True)
class Step:
    """One step of a redistribution: a function of ttl.ccl, the axis of the mesh, the dimension that the
    axis cuts before the step, the one that it cuts after it, and the bytes that each device sends."""

    function: str
    axis: int
    before: object
    after: object
    bytes: int

    def __str__(self):
        dims = [dim for dim in (self.before, self.after) if dim not in (REPLICATED, PARTIAL)]
        return (f"{self.function}(dim {' to '.join(map(str, dims))}, axis {self.axis}), {self.bytes} bytes"
                if dims else f"{self.function}(axis {self.axis}), {self.bytes} bytes")


def _numbers(placement):
    """Returns what each axis cuts, as numbers for C++."""
    return [_SUMS if dim == PARTIAL else dim for dim in placement.dims]


def dims_of(numbers):
    """Converts the numbers of C++ to what each axis cuts."""
    return tuple(PARTIAL if dim == _SUMS else dim for dim in numbers)


def step_of(function, axis, before, after, size):
    """Makes a Step from the numbers of C++."""
    return Step(function, axis, *dims_of((before, after)), size)


def plan(shape, bytes_of_element, source, target, mesh=None):
    """Returns the steps from one placement to another one that send the fewest bytes, and of these the
    fewest steps.

    A placement may be given by its dimensions, if the other one or mesh= says on which mesh. Raises a
    TypeError for what is no placement, and a ValueError if the placements do not fit the shape or each
    other.

    Example:

        before, after = (ttl.dist.Placement((2, 2), dims) for dims in ((0, -1), (-1, 0)))
        for step in ttl.dist.plan((64, 64), 4, before, after):
            print(step)
    """
    known = next((each.mesh for each in (source, target) if isinstance(each, Placement)), mesh)
    source, target = _placement(source, known, "plan(): source"), _placement(target, known, "plan(): target")
    if source.mesh != target.mesh:
        raise ValueError(f"cannot redistribute from {source} to {target}: the meshes differ")
    source.local_shape(shape), target.local_shape(shape)
    steps = _ttjit.cheapest_steps(list(source.mesh), list(shape), bytes_of_element, _numbers(source),
                                  _numbers(target))
    if steps is None:
        raise ValueError(f"cannot redistribute a tensor of {list(shape)} from {source} to {target}: sums cannot "
                         "become partial again")
    return [step_of(*step) for step in steps]


def run_step(local, step, topology=None):
    """Returns the tensor that a step makes of the parts of a tensor."""
    from ttl import ccl

    function = getattr(ccl, step.function)
    if step.function == "mesh_partition":
        return function(local, step.after, step.axis)
    if step.function == "all_to_all":
        return function(local, step.after, step.before, cluster_axis=step.axis, topology=topology)
    dim = {"all_gather": [step.before], "reduce_scatter": [step.after], "all_reduce": []}
    return function(local, *dim[step.function], cluster_axis=step.axis, topology=topology)


# ===--------------------------------------------------------------------------=== #
# Tensors


@_ttjit.public_methods
class DistTensor:
    """A tensor with a global shape, of which each device of a mesh has a part. `local` is the tensor of
    ttnn that kernels and functions take: its shape is that of a part. `steps` are the steps of the
    redistribution that made it.

    Example:

        mesh = ttnn.open_mesh_device(ttnn.MeshShape(2, 1))
        t = ttl.dist.DistTensor.from_numpy(np.zeros((64, 32), np.float32), mesh, (0, -1))
        print(t.redistribute((-1, -1)).steps)
        ttnn.close_mesh_device(mesh)
    """

    def __init__(self, local, shape, placement, steps=()):
        if not isinstance(local, _ttjit.Tensor):
            raise TypeError(f"DistTensor(): local: expected a ttnn.Tensor, found {type(local).__name__}")
        mesh = tuple(local.device().mesh) if local.device() else None
        if mesh is None:
            raise ValueError("DistTensor(): local: expected a tensor on a mesh, found one on the host")
        placement = _placement(placement, mesh, "DistTensor(): placement")
        if mesh != placement.mesh:
            raise ValueError(f"DistTensor(): {placement} is no placement on the mesh of the tensor, {mesh}")
        if placement.local_shape(shape) != tuple(local.shape):
            raise ValueError(f"DistTensor(): {placement} cuts {list(shape)} into parts of "
                             f"{list(placement.local_shape(shape))}, but the tensor has parts of "
                             f"{list(local.shape)}")
        self.local, self.shape, self.placement, self.steps = local, tuple(shape), placement, list(steps)

    @classmethod
    def from_numpy(cls, array, mesh, dims, dtype=None, layout=package.TILE_LAYOUT):
        """Returns a DistTensor with the elements of an array, cut over the devices of a mesh."""
        placement = Placement(mesh.shape, dims)
        if PARTIAL in placement.dims:
            raise ValueError(f"from_numpy(): {placement} has partial sums: make the parts on the devices")
        host = package.from_numpy(np.ascontiguousarray(array), dtype=dtype, layout=layout)
        local = package.zeros(placement.local_shape(host.shape), dtype=host.dtype, layout=layout, device=mesh)
        for number, part in enumerate(package.get_device_tensors(local)):
            part.write_bits(np.ascontiguousarray(host.bits()[placement.slices(host.shape, number)]))
        return cls(local, tuple(host.shape), placement)

    def extract_shard(self, device):
        """Returns the part of the device with this row-major number."""
        parts = package.get_device_tensors(self.local)
        if not 0 <= device < len(parts):
            raise ValueError(f"extract_shard({device}): expected a device of the mesh {self.placement.mesh}, a number "
                             f"from 0 to {len(parts) - 1}")
        return parts[device]

    def to_numpy(self):
        """Returns the whole tensor as an array."""
        if PARTIAL in self.placement.dims:
            raise ValueError(f"to_numpy(): {self.placement} has partial sums: redistribute the tensor first")
        parts = [part.to_numpy() for part in package.get_device_tensors(self.local)]
        whole = np.empty(self.shape, parts[0].dtype)
        for number, part in enumerate(parts):
            whole[self.placement.slices(self.shape, number)] = part
        return whole

    def redistribute(self, dims, *, topology=None):
        """Returns the tensor with another placement, made by the collectives that plan() finds. If no
        step is needed, the result shares the memory of this tensor."""
        target, local = Placement(self.placement.mesh, dims), self.local
        size = package.types.element_bytes(local.dtype)
        steps = plan(self.shape, size, self.placement, target)
        for step in steps:
            local = run_step(local, step, topology)
        return DistTensor(local, self.shape, target, steps)

    def __repr__(self):
        name = _ELEMENTS.get(self.local.dtype.name, self.local.dtype.name.lower())
        return f"!ttl.dist_tensor<{'x'.join(map(str, self.shape))}x{name}, {self.placement}>"
