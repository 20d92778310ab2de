# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share: a mesh, and tensors on it."""

import contextlib
import warnings

import numpy as np
import ttnn


@contextlib.contextmanager
def opened(*shape, fabric=ttnn.FabricConfig.FABRIC_2D, links=None):
    """Opens a mesh with a fabric, and closes both."""
    ttnn.set_fabric_config(fabric, num_planes=links)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the machine has one device
            mesh = ttnn.open_mesh_device(ttnn.MeshShape(*shape))
        try:
            yield mesh
        finally:
            ttnn.close_mesh_device(mesh)
    finally:
        ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def put(array, mesh, mapper=None, dtype=None, layout=ttnn.TILE_LAYOUT):
    """Returns the array on the mesh, cut along dimension 0 by default."""
    mapper = ttnn.ShardTensorToMesh(mesh, dim=0) if mapper is None else mapper
    return ttnn.from_torch(np.asarray(array), dtype=dtype, layout=layout, device=mesh, mesh_mapper=mapper)


def joined(tensor, dim=0):
    """Returns the parts of a tensor of a mesh, joined along a dimension."""
    composer = ttnn.ConcatMeshToTensor(tensor.device(), dim=dim)
    return ttnn.aggregate_tensor(tensor, composer).to_numpy()


def numbers(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
