# SPDX-License-Identifier: Apache-2.0
"""y = a @ b on a row of cores: core (0, 0) reads the tiles of a and multicasts them to the others,
each core has its own columns of b."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

M, K, CORES = 2, 3, 4  # in tiles
A, B, Y = range(3)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    left = rng.random((32 * M, 32 * K), np.float32)
    right = rng.random((32 * K, 32 * CORES), np.float32)
    a, b = ttnn.from_numpy(left, device=device), ttnn.from_numpy(right, device=device)
    y = ttnn.zeros((32 * M, 32 * CORES), device=device)

    cores = grid(CORES, 1)
    ready, sent = (ttnn.SemaphoreDescriptor(id=i, core_ranges=cores) for i in range(2))
    kernels = [kernel("multicast_reader.cpp", "reader", cores, [A, B, M, K, CORES], [a, b]),
               kernel("matmul.cpp", "compute", cores, [A, B, Y, K], per_core=lambda core: [M]),
               kernel("write_column.cpp", "writer", cores, [Y, M, CORES], [y])]
    buffers = [circular_buffer(index, cores) for index in (A, B, Y)]
    result = run([a, b, y], kernels, buffers, [ready, sent])
    # On the card the factors have 10 bits of fraction.
    expected = left.astype(np.float64) @ right
    check("matmul_multicast", result, expected, allowed=32 * K * 2e-6, on_card=2.0**-8 * expected)
    ttnn.close_device(device)


main()
