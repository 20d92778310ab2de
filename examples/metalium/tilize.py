# SPDX-License-Identifier: Apache-2.0
"""Makes tiles of a row-major tensor, and rows of the tiles again."""

import numpy as np
import ttnn
from programs import circular_buffer, grid, kernel, run

STRIPS, TILES = 4, 3  # strips of 32 rows; tiles beside each other
X, Y = range(2)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    values = np.arange(32 * STRIPS * 32 * TILES, dtype=np.float32).reshape(32 * STRIPS, -1)
    rows = ttnn.from_numpy(values, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    tiles = ttnn.zeros(values.shape, device=device)
    again = ttnn.zeros(values.shape, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)

    cores = grid(2, 1)
    share = STRIPS // cores.num_cores()
    buffers = [circular_buffer(index, cores, 2 * TILES) for index in (X, Y)]

    def strips(core):
        return [core.x * 32 * share, share]

    def pages(core):
        return [core.x * share * TILES, share * TILES]

    def convert(file):
        return kernel(file, "compute", cores, [X, Y, TILES], per_core=lambda core: [share])

    result = run([rows, tiles],
                 [kernel("read_rows.cpp", "reader", cores, [X, TILES], [rows], strips),
                  convert("tilize.cpp"), kernel("write.cpp", "writer", cores, [Y], [tiles], pages)],
                 buffers)
    assert np.array_equal(result, values)
    result = run([tiles, again],
                 [kernel("read_one.cpp", "reader", cores, [X], [tiles], pages),
                  convert("untilize.cpp"),
                  kernel("write_rows.cpp", "writer", cores, [Y, TILES], [again], strips)],
                 buffers)
    assert np.array_equal(result, values)
    print("tilize: the rows come back")
    ttnn.close_device(device)


main()
