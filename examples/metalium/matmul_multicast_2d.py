# SPDX-License-Identifier: Apache-2.0
"""y = a @ b on a grid of cores: tiles of a are multicast along the rows, tiles of b along the columns."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

ROWS, K, COLUMNS = 3, 4, 2  # in tiles; each core has one tile of the result
A, B, Y = 0, 1, 16  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    left = rng.random((32 * ROWS, 32 * K), np.float32)
    right = rng.random((32 * K, 32 * COLUMNS), np.float32)
    a, b = ttnn.from_numpy(left, device=device), ttnn.from_numpy(right, device=device)
    y = ttnn.zeros((32 * ROWS, 32 * COLUMNS), device=device)

    cores = grid(COLUMNS, ROWS)
    semaphores = [ttnn.SemaphoreDescriptor(id=i, core_ranges=cores) for i in range(4)]
    kernels = [kernel("multicast_rows.cpp", "reader", cores, [K, COLUMNS], [a]),
               kernel("matmul.cpp", "compute", cores, [A, B, Y, K], per_core=lambda core: [1]),
               kernel("multicast_columns.cpp", "writer", cores, [K, COLUMNS, ROWS], [b, y])]
    result = run([a, b, y], kernels, [circular_buffer(index, cores) for index in (A, B, Y)], semaphores)
    # On the card the factors have 10 bits of fraction.
    expected = left.astype(np.float64) @ right
    check("matmul_multicast_2d", result, expected, allowed=32 * K * 2e-6, on_card=2.0**-8 * expected)
    ttnn.close_device(device)


main()
