# SPDX-License-Identifier: Apache-2.0
"""Launches a kernel that never ends."""

import numpy as np
import ttl
import ttnn

line = ttl.DeviceDomain((2, 1))


@ttl.operation(grid=(1, 1), device_domain=line)
def endless(x):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def mover():
        while True:
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()

    @ttl.datamovement()
    def taker():
        while True:
            with dfb.wait() as block:
                ttl.copy(block, x[0, 0]).wait()


mesh = ttnn.open_mesh_device(ttnn.MeshShape(2, 1))
x = ttnn.from_torch(np.zeros((64, 32), np.float32), device=mesh, layout=ttnn.TILE_LAYOUT,
                     mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))
print("begins", flush=True)
endless(x)
