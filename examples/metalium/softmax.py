# SPDX-License-Identifier: Apache-2.0
"""The softmax of each row: maximum, exponentials, their sum and the quotient, strip by strip on a column of cores."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

STRIPS, TILES, CORES = 4, 3, 2
X, SCALER, Y, MAX, EXPS, INVERSE = 0, 1, 16, 24, 25, 26  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    values = np.random.default_rng(0).normal(0, 3, (32 * STRIPS, 32 * TILES)).astype(np.float32)
    x = ttnn.from_numpy(values, device=device)
    y = ttnn.zeros(values.shape, device=device)

    cores, strips = grid(1, CORES), STRIPS // CORES
    kernels = [kernel("softmax_reader.cpp", "reader", cores, [TILES], [x], lambda core: [core.y * strips, strips]),
               kernel("softmax.cpp", "compute", cores, [TILES], per_core=lambda core: [strips]),
               kernel("write.cpp", "writer", cores, [Y], [y],
                      lambda core: [core.y * strips * TILES, strips * TILES])]
    buffers = [circular_buffer(index, cores, tiles)
               for index, tiles in ((X, 2 * TILES), (SCALER, 1), (Y, 2), (MAX, 1), (EXPS, TILES), (INVERSE, 1))]
    result = run([x, y], kernels, buffers)
    exps = np.exp(values.astype(np.float64) - values.max(axis=1, keepdims=True))
    expected = exps / exps.sum(axis=1, keepdims=True)
    # On the card the operands of differences, sums and products have 10 bits of fraction.
    check("softmax", result, expected, allowed=1e-6, on_card=2.0**-6 * expected)
    ttnn.close_device(device)


main()
