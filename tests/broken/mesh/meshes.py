# SPDX-License-Identifier: Apache-2.0
"""What the kernels of this folder share: a mesh with a fabric, and tensors on it."""

import warnings

import numpy as np
import ttnn


def opened(*shape, fabric=ttnn.FabricConfig.FABRIC_2D):
    """Opens a mesh, with a fabric between its devices."""
    ttnn.set_fabric_config(fabric)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the machine has one device
        mesh = ttnn.open_mesh_device(ttnn.MeshShape(*shape))
    return mesh


def put(mesh, rows, columns):
    """Returns a tensor of which each device has `rows` x `columns` tiles with its number."""
    devices = mesh.get_num_devices()
    full = np.repeat(np.arange(devices, dtype=np.float32), rows * 32)[:, None] * np.ones(columns * 32)
    return ttnn.from_torch(full.astype(np.float32), layout=ttnn.TILE_LAYOUT, device=mesh,
                           mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))
