# SPDX-License-Identifier: Apache-2.0
"""y = a @ b on one core. Blocks of a and b stay in L1 for all sub-blocks of the result that use them."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

M, K, N = 4, 6, 4  # in tiles
BLOCK, SUB_ROWS, SUB_COLUMNS = 2, 2, 2
A, B, Y, SUMS = 0, 1, 16, 24  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    left, right = rng.random((32 * M, 32 * K), np.float32), rng.random((32 * K, 32 * N), np.float32)
    a, b = ttnn.from_numpy(left, device=device), ttnn.from_numpy(right, device=device)
    y = ttnn.zeros((32 * M, 32 * N), device=device)

    cores = grid(1, 1)
    kernels = [kernel("block_reader.cpp", "reader", cores, [M, K, N, BLOCK], [a, b]),
               kernel("matmul_blocks.cpp", "compute", cores, [M, K, N, BLOCK, SUB_ROWS, SUB_COLUMNS]),
               kernel("write_blocks.cpp", "writer", cores, [M, N, SUB_ROWS, SUB_COLUMNS], [y])]
    buffers = [circular_buffer(index, cores, tiles)
               for index, tiles in ((A, 2 * M * BLOCK), (B, 2 * BLOCK * N), (Y, SUB_ROWS * SUB_COLUMNS),
                                    (SUMS, M * N))]
    result = run([a, b, y], kernels, buffers)
    # On the card the factors have 10 bits of fraction.
    expected = left.astype(np.float64) @ right
    check("matmul_blocks", result, expected, allowed=32 * K * 2e-6, on_card=2.0**-8 * expected)
    ttnn.close_device(device)


main()
