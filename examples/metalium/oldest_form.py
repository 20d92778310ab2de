# SPDX-License-Identifier: Apache-2.0
"""x * y - x by a kernel written with the API of 2023, which runs unchanged."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

TILES = 3
X, Y, OUT, PRODUCT = 0, 1, 16, 24  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    left, right = np.random.default_rng(0).standard_normal((2, 32 * TILES, 32), np.float32)
    x, y = ttnn.from_numpy(left, device=device), ttnn.from_numpy(right, device=device)
    out = ttnn.zeros(left.shape, device=device)

    cores = grid(1, 1)
    kernels = [kernel("read_two.cpp", "reader", cores, [X, Y], [x, y], lambda core: [0, TILES]),
               kernel("oldest_form.cpp", "compute", cores, [TILES]),
               kernel("write.cpp", "writer", cores, [OUT], [out], lambda core: [0, TILES])]
    result = run([x, y, out], kernels, [circular_buffer(index, cores) for index in (X, Y, OUT, PRODUCT)])
    # On the card the operands of the product and the difference have 10 bits of fraction.
    check("oldest_form", result, left * right - left, on_card=2.0**-8 * (np.abs(left * right) + np.abs(left)))
    ttnn.close_device(device)


main()
