# SPDX-License-Identifier: Apache-2.0
"""-x as rows: tiles of DST are packed as a row-major strip, without a pass through a buffer of tiles."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

STRIPS, TILES = 2, 3
X, Y = range(2)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    values = np.random.default_rng(0).random((32 * STRIPS, 32 * TILES), np.float32)
    x = ttnn.from_numpy(values, device=device)
    y = ttnn.zeros(values.shape, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)

    cores = grid(1, STRIPS)
    kernels = [kernel("read_one.cpp", "reader", cores, [X], [x], lambda core: [core.y * TILES, TILES]),
               kernel("negate_untilized.cpp", "compute", cores, [X, Y, TILES], per_core=lambda core: [1]),
               kernel("write_rows.cpp", "writer", cores, [Y, TILES], [y], lambda core: [32 * core.y, 1])]
    result = run([x, y], kernels, [circular_buffer(index, cores, TILES) for index in (X, Y)])
    # On the card the copies go through a register with 10 bits of fraction.
    check("negate_untilized", result, -values, on_card=2.0**-10 * values)
    ttnn.close_device(device)


main()
