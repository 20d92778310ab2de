# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests of this folder: they open a mesh, and put tensors on it."""

import contextlib
import warnings

import numpy as np
import ttnn


@contextlib.contextmanager
def opened(*shape, fabric=ttnn.FabricConfig.FABRIC_2D, links=None):
    """Opens a mesh with a fabric; closes both at the end of the with statement."""
    ttnn.set_fabric_config(fabric, num_planes=links)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns that the machine has only one device
            mesh = ttnn.open_mesh_device(ttnn.MeshShape(*shape))
        try:
            yield mesh
        finally:
            ttnn.close_mesh_device(mesh)
    finally:
        ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def put(array, mesh, mapper=None, dtype=None, layout=ttnn.TILE_LAYOUT):
    """Returns a tensor with the array's elements on the mesh, by default cut along dimension 0."""
    mapper = ttnn.ShardTensorToMesh(mesh, dim=0) if mapper is None else mapper
    return ttnn.from_torch(np.asarray(array), dtype=dtype, layout=layout, device=mesh, mesh_mapper=mapper)


def joined(tensor, dim=0):
    """Returns an array: the parts of a tensor on a mesh, joined along a dimension."""
    composer = ttnn.ConcatMeshToTensor(tensor.device(), dim=dim)
    return ttnn.aggregate_tensor(tensor, composer).to_numpy()


def numbers(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
