# SPDX-License-Identifier: Apache-2.0
"""Each device in a ring of four gets the rows of its neighbour."""

import numpy as np
import ttl
import ttnn

ring = ttl.DeviceDomain((4, 1))
net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, axis=0, wrap=True))


@ttl.operation(grid=(2, 1), device_domain=ring)
def shift(x, y):
    sent = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    received = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def send():
        column, _ = ttl.node(dims=2)
        with sent.reserve() as block:
            ttl.copy(x[0, column], block).wait()
        with sent.wait() as block:
            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    @ttl.datamovement()
    def receive():
        column, _ = ttl.node(dims=2)

        def take(pipe):
            with received.reserve() as block:
                ttl.copy(pipe, block).wait()
            with received.wait() as block:
                ttl.copy(block, y[0, column]).wait()
            if column == 0:
                print(f"device {ring.current_index()} receives from device {pipe.source_device_index}")

        net.if_dst(take)


ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D_RING)
mesh = ttnn.open_mesh_device(ttnn.MeshShape(4, 1))
full = np.arange(4 * 32 * 64, dtype=np.float32).reshape(128, 64)
x = ttnn.from_torch(full, device=mesh, mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))
y = ttnn.from_torch(0 * full, device=mesh, mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0))
shift(x, y)
whole = ttnn.aggregate_tensor(y, ttnn.ConcatMeshToTensor(mesh, dim=0)).to_numpy()
print("ring:", np.array_equal(whole, np.roll(full, 32, axis=0)))
