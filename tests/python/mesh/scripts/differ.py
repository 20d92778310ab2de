# SPDX-License-Identifier: Apache-2.0
"""Rank 1 behaves differently from rank 0, in the way that the argument names."""

import os
import sys

import numpy as np
import ttl
import ttnn

rank, what = int(os.environ["OMPI_COMM_WORLD_RANK"]), sys.argv[1]


def make(name):
    def kernel(x):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def read():
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()

        @ttl.datamovement()
        def write():
            with dfb.wait() as block:
                ttl.copy(block, x[0, 0]).wait()

    kernel.__name__ = name
    return ttl.operation(grid=(1, 1))(kernel)


add, mul = make("add"), make("mul")
mesh = ttnn.open_mesh_device(ttnn.MeshShape(2, 1))
data = np.zeros((64, 32), np.float32)
if what == "data":
    data[0, 0] = rank
x = ttnn.from_torch(data, device=mesh, layout=ttnn.TILE_LAYOUT, mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))
if rank == 1 and what == "ends":
    sys.exit(0)
if rank == 1 and what == "raises":
    raise ValueError("only here")
if rank == 1 and what == "dies":
    os.kill(os.getpid(), 9)
if rank == 1 and what == "launches":
    mul(x)
else:
    add(x)
if rank == 1 and what == "reads":
    mul(x)
print(np.array_equal(ttnn.aggregate_tensor(x, ttnn.ConcatMeshToTensor(mesh, dim=0)).to_numpy(), data))
