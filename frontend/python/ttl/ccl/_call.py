# ===- _call.py - one call of a collective ------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Kernels move tiles, or rows of row-major tensors whose bytes are aligned. Other tensors are first
# rearranged on each device, into tiles that have the elements of one part each.
# ===--------------------------------------------------------------------------=== #

import math

import numpy as np

from ttl import _errors, _location, _routes
from ttl._ttnn import fabric, package, settings
from ttl.ccl import _checks
from ttl.ccl._blocks import TILE, blocks_of, is_aligned, lanes_of

TILED, ROWS = package.TILE_LAYOUT, package.ROW_MAJOR_LAYOUT


class Call:
    """A call of a collective: the arguments that all collectives have, checked, and the tensors and kernels
    that the collective makes of them."""

    def __init__(self, name, tensor, cluster_axis=None, topology=None, num_links=None,
                 memory_config=None, output_tensor=None, lanes=None):
        _checks.check_tensor(name, tensor)
        _checks.links(name, num_links)
        _checks.lanes(name, lanes)
        self.name, self.tensor, self.lanes, self.output = name, tensor, lanes, output_tensor
        self.group = _checks.group(name, tensor, cluster_axis)
        self.size = self.group.size
        self.is_ring = _checks.is_ring(name, topology, self.group)
        self.memory = _checks.memory(name, tensor, memory_config)
        self.on_host = settings.current().host_collectives

    # Tensors

    def made(self, shape, layout, dtype=None):
        """Returns a new tensor of zeros on the mesh, by default of the type of the call's tensor."""
        kind, dtype = type(self.tensor), self.tensor.dtype if dtype is None else dtype
        return kind.from_storage(list(shape), None, dtype, layout, self.memory, self.tensor.device())

    def result(self, shape):
        """Returns the tensor for the result: the one that the program gave, or a new one."""
        if self.output is None:
            return self.made(shape, self.tensor.layout)
        _checks.output(self.name, self.output, shape, self.tensor)
        return self.output

    def filled(self, tensor, arrays):
        """Writes the elements of each device into the tensor: one array for each device. Returns the
        tensor."""
        for part, array in zip(package.get_device_tensors(tensor), arrays):
            part.write_bits(np.ascontiguousarray(array).reshape(part.bits().shape))
        return tensor

    def locally(self, tensor, result, function):
        """Writes function(elements) of each device into a result."""
        parts = package.get_device_tensors(tensor)
        return self.filled(result, (function(part.bits()) for part in parts))

    def is_movable(self, *dims):
        """Returns whether kernels move the parts of the tensor as they are. `dims` has dimensions and how
        many parts each is cut into."""
        shape = self.tensor.shape
        if self.tensor.layout == ROWS:
            rows = [extent // math.prod(parts for dim, parts in dims if dim == each)
                    for each, extent in enumerate(shape)]
            return is_aligned(rows, package.types.element_bytes(self.tensor.dtype))
        return len(shape) > 0 and all(dim < len(shape) - 2 or shape[dim] % (TILE * parts) == 0
                                      for dim, parts in dims)

    def stack(self, count, shape):
        """Returns a tensor of tiles for `count` parts of a shape, along a first dimension."""
        return self.made([count, *(1,) * (2 - len(shape)), *shape], TILED)

    def stacked(self, count, shape, function=lambda array: array):
        """Returns the parts function(elements) of each device in a tensor of tiles."""
        return self.locally(self.tensor, self.stack(count, shape), function)

    def as_tiles(self):
        """Returns the tensor in tiles."""
        shape = list(self.tensor.shape) or [1]
        return self.locally(self.tensor, self.made(shape, TILED), lambda array: array)

    # Kernels

    def blocks(self, shape, layout):
        """Returns the blocks of a part of this shape."""
        is_tiled = layout == TILED
        return blocks_of(tuple(shape), None if is_tiled else package.types.element_bytes(self.tensor.dtype))

    def lanes_for(self, work):
        """Returns how many nodes of each device work. With --emit there are few, because on a card each
        thread that sends in a direction needs a link of its own, and up to two threads of a node send."""
        chosen = settings.current()
        is_bound = chosen.emit_folder and self.lanes is None
        return lanes_of(work, chosen.auto_grid[0], _routes.MAX_LINKS // 2 if is_bound else self.lanes)

    def run(self, operation, *tensors):
        """Runs a kernel, and returns the last tensor. An error of the compiler, such as that of a missing
        route, becomes a ValueError of the call."""
        if self.size > 1 and fabric.current() is fabric.FabricConfig.DISABLED:
            problem = _routes.why_no_fabric(self.name, settings.current(),
                                                  _location.program_location())
            if problem is not None:
                raise ValueError(problem)
        try:
            operation(*tensors)
        except _errors.CompileError as error:
            raise ValueError(f"{self.name}(): {error.message}") from None
        return tensors[-1]

    # How the result is distributed

    def placed(self, result, placement):
        """Notes that the parts of a result are placed in this way along the axis of the groups."""
        mesh = _checks.mesh_of(self.tensor)
        if math.prod(mesh) == 1:
            return result
        topology, kind = self.tensor.tensor_topology(), package.topology.TensorTopology
        if self.group.axis is None:
            shape = package.MeshShape(self.size) if hasattr(placement, "dim") else package.MeshShape(*mesh)
            return result.with_topology(kind(shape if len(shape) == 1 else topology.mesh, shape,
                                             [placement] * len(shape), self.size))
        if tuple(topology.shape) != mesh:
            return result
        placements = topology.placements()
        placements[self.group.axis] = placement
        return result.with_topology(kind(topology.mesh, topology.shape, placements, math.prod(mesh)))
