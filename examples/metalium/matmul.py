# SPDX-License-Identifier: Apache-2.0
"""y = a @ b on one core: a tile of the result is the sum of products of tiles in DST."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

M, K, N = 3, 4, 2  # in tiles
A, B, Y = range(3)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    left, right = (rng.random((32 * rows, 32 * columns), np.float32)
                   for rows, columns in ((M, K), (K, N)))
    a, b = ttnn.from_numpy(left, device=device), ttnn.from_numpy(right, device=device)
    y = ttnn.zeros((32 * M, 32 * N), device=device)

    core = grid(1, 1)
    kernels = [kernel("matmul_reader.cpp", "reader", core, [A, B, M, K, N], [a, b]),
               kernel("matmul.cpp", "compute", core, [A, B, Y, K],
                      per_core=lambda core: [M * N]),
               kernel("write.cpp", "writer", core, [Y], [y], lambda core: [0, M * N])]
    result = run([a, b, y], kernels, [circular_buffer(index, core) for index in (A, B, Y)])
    # On the card the factors have 10 bits of fraction.
    expected = left.astype(np.float64) @ right
    check("matmul", result, expected, allowed=32 * K * 2e-6, on_card=2.0**-8 * expected)
    ttnn.close_device(device)


main()
