"""A kernel whose grid begins with the extents of a mesh."""

import numpy as np
import ttl
import ttnn


@ttl.operation(grid=(2, 1, 1))
def copied(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    device = ttl.node(dims=3)[0]
    ttl.copy(x[device, 0], dfb.reserve())
    ttl.copy(dfb.wait(), y[device, 0])


mesh = ttnn.open_mesh_device()
halves = ttnn.ShardTensorToMesh(mesh, dim=0)
array = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
x, y = (ttnn.from_torch(each, device=mesh, mesh_mapper=halves) for each in (array, np.zeros_like(array)))
copied(x, y)
print(np.array_equal(ttnn.to_torch(y, mesh_composer=ttnn.ConcatMeshToTensor(mesh, dim=0)), array))
ttnn.close_mesh_device(mesh)
