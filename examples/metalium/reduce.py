# SPDX-License-Identifier: Apache-2.0
"""The sum of each row: the tiles of a row are added up in column 0 of one tile."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

ROWS, COLUMNS = 4, 3  # in tiles
X, SCALER, Y = range(3)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    values = np.random.default_rng(0).random((32 * ROWS, 32 * COLUMNS), np.float32)
    x = ttnn.from_numpy(values, device=device)
    scaler = ttnn.ones((32, 32), device=device)
    y = ttnn.zeros((32 * ROWS, 32), device=device)

    cores = grid(1, ROWS)
    kernels = [kernel("reduce_reader.cpp", "reader", cores, [X, SCALER, COLUMNS], [x, scaler],
                      lambda core: [core.y]),
               kernel("reduce.cpp", "compute", cores, [X, SCALER, Y, COLUMNS]),
               kernel("write.cpp", "writer", cores, [Y], [y], lambda core: [core.y, 1])]
    result = run([x, scaler, y], kernels,
                 [circular_buffer(index, cores) for index in (X, SCALER, Y)])
    expected = np.zeros(result.shape)
    expected[:, 0] = values.sum(axis=1, dtype=np.float64)
    # On the card the summands have 10 bits of fraction, and so has the sum where it moves.
    check("reduce", result, expected, allowed=1e-4, on_card=2.0**-8 * expected)
    ttnn.close_device(device)


main()
