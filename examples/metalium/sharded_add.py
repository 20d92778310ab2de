# SPDX-License-Identifier: Apache-2.0
"""y = x + z of tensors that are sharded over the L1 of a column of cores: no tile is moved."""

import numpy as np
import ttnn
from programs import check, grid, kernel, run

CORES, TILES = 4, 3  # tiles of each shard
X, Z, Y = 0, 1, 16  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    left, right = rng.random((2, 32 * CORES, 32 * TILES), np.float32)
    cores = grid(1, CORES)
    sharded = ttnn.create_sharded_memory_config(left.shape, cores, ttnn.ShardStrategy.HEIGHT)
    x, z = (ttnn.from_numpy(each, device=device, memory_config=sharded) for each in (left, right))
    y = ttnn.zeros(left.shape, device=device, memory_config=sharded)

    kernels = [kernel("sharded_start.cpp", "reader", cores, [TILES]),
               kernel("add.cpp", "compute", cores, [X, Z, Y], per_core=lambda core: [TILES]),
               kernel("sharded_end.cpp", "writer", cores, [TILES])]
    buffers = [ttnn.cb_descriptor_from_sharded_tensor(index, tensor) for index, tensor in ((X, x), (Z, z), (Y, y))]
    result = run([x, z, y], kernels, buffers)
    # On the card the operands of the sum have 10 bits of fraction.
    check("sharded_add", result, left + right, on_card=2.0**-9 * (np.abs(left) + np.abs(right)))
    ttnn.close_device(device)


main()
