# SPDX-License-Identifier: Apache-2.0
"""The rows of a row-major matrix with zeros appended, which the cores read from MEM_ZEROS_BASE."""

import numpy as np
import ttnn
from programs import grid, kernel, run

ROWS, COLUMNS, PADDED, CORES = 12, 48, 256, 3
ROWS_OF_CORE = ROWS // CORES


def main():
    device = ttnn.open_device(device_id=0)
    values = np.random.default_rng(0).random((ROWS, COLUMNS), np.float32)
    x = ttnn.from_numpy(values, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    y = ttnn.ones((ROWS, PADDED), layout=ttnn.ROW_MAJOR_LAYOUT, device=device)

    cores = grid(CORES, 1)
    reader = kernel("pad_rows.cpp", "reader", cores, [4 * COLUMNS, 4 * PADDED], [x, y],
                    lambda core: [core.x * ROWS_OF_CORE, ROWS_OF_CORE])
    row = ttnn.CBDescriptor(4 * PADDED, cores, [ttnn.CBFormatDescriptor(0, ttnn.float32, 4 * PADDED)])
    result = run([x, y], [reader], [row])
    assert np.array_equal(result, np.pad(values, ((0, 0), (0, PADDED - COLUMNS))))
    print("pad_rows: equal")
    ttnn.close_device(device)


main()
