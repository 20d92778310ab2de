# SPDX-License-Identifier: Apache-2.0
"""Prints by how many MiB this process has grown after two tensors were made, after one was read, and after a
kernel ran."""

import resource

import numpy as np
import ttl
import ttnn

ROWS = 1 << 12  # rows of a part; a part has 16 MiB


def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() >> 20


@ttl.operation(grid=(1, 1))
def first_tile(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def read():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.datamovement()
    def write():
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


def put():
    return ttnn.from_torch(np.ones((4 * ROWS, 1024), np.float32), device=mesh, layout=ttnn.ROW_MAJOR_LAYOUT,
                           mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))


mesh = ttnn.open_mesh_device(ttnn.MeshShape(4, 1))
small = ttnn.from_torch(np.ones((128, 32), np.float32), device=mesh, layout=ttnn.TILE_LAYOUT,
                        mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))
first_tile(small, small)  # loads the code that kernels need
before = memory()
x, y = put(), put()
made = memory() - before
last = ttnn.get_device_tensors(y)[3].to_numpy()[-1, -1]
read = memory() - before
first_tile(small, small)
print(f"made {made}, read {read}, launched {memory() - before} MiB: {last == 1}")
