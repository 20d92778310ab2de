# SPDX-License-Identifier: Apache-2.0
"""Running sums down the columns of a matrix: the vector unit carries them from tile to tile."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

ROWS, COLUMNS = 3, 2  # in tiles
X, Y = range(2)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    values = np.random.default_rng(0).random((32 * ROWS, 32 * COLUMNS), np.float32)
    x, y = ttnn.from_numpy(values, device=device), ttnn.zeros(values.shape, device=device)

    cores = grid(1, 1)
    kernels = [kernel("read_columns.cpp", "reader", cores, [X, ROWS, COLUMNS], [x]),
               kernel("sums_of_columns.cpp", "compute", cores, [X, Y, ROWS, COLUMNS]),
               kernel("write_columns.cpp", "writer", cores, [Y, ROWS, COLUMNS], [y])]
    result = run([x, y], kernels, [circular_buffer(index, cores) for index in (X, Y)])
    expected = np.cumsum(values, axis=0, dtype=np.float32)
    # On the card the copies go through a register with 10 bits of fraction.
    check("sums_of_columns", result, expected, on_card=2.0**-10 * np.cumsum(np.abs(values), axis=0))
    ttnn.close_device(device)


main()
