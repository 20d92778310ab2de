# SPDX-License-Identifier: Apache-2.0
"""y is the transpose of x: tile (i, j) of x, transposed, is tile (j, i) of y."""

import numpy as np
import ttnn
from programs import circular_buffer, grid, kernel, run, whole_tiles

ROWS, COLUMNS = 3, 2  # of x, in tiles
X, Y = range(2)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    values = np.arange(32 * 32 * ROWS * COLUMNS, dtype=np.float32).reshape(32 * ROWS, -1)
    x = ttnn.from_numpy(values, device=device)
    y = ttnn.zeros((32 * COLUMNS, 32 * ROWS), device=device)

    cores = grid(COLUMNS, ROWS)
    kernels = [kernel("read_one.cpp", "reader", cores, [X], [x],
                      lambda core: [core.y * COLUMNS + core.x, 1]),
               kernel("transpose.cpp", "compute", cores, [X, Y], per_core=lambda core: [1],
                      unpack_to_dest_mode=whole_tiles(X)),
               kernel("write.cpp", "writer", cores, [Y], [y],
                      lambda core: [core.x * ROWS + core.y, 1])]
    result = run([x, y], kernels, [circular_buffer(index, cores) for index in (X, Y)])
    assert np.array_equal(result, values.T)
    print("transpose: equal to numpy")
    ttnn.close_device(device)


main()
