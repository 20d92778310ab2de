# SPDX-License-Identifier: Apache-2.0
"""Layer normalisation of each row with gamma and beta, strip by strip on a column of cores."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

STRIPS, TILES, CORES = 4, 2, 2
EPSILON = 1e-5
X, SCALER, GAMMA, BETA, Y = 0, 1, 2, 3, 16  # circular buffers
MEAN, CENTRED, SQUARES, FACTOR, NORMAL, SCALED = range(24, 30)


def bits(number):
    return int(np.float32(number).view(np.uint32))


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    values = rng.normal(2, 3, (32 * STRIPS, 32 * TILES)).astype(np.float32)
    gamma, beta = rng.normal(1, 0.1, (2, 32 * TILES)).astype(np.float32)
    tensors = [ttnn.from_numpy(each, device=device)
               for each in (values, *(np.tile(row, (32, 1)) for row in (gamma, beta)))]
    y = ttnn.zeros(values.shape, device=device)

    cores, strips = grid(1, CORES), STRIPS // CORES
    kernels = [kernel("layer_norm_reader.cpp", "reader", cores, [TILES, bits(1 / (32 * TILES))], tensors,
                      lambda core: [core.y * strips, strips]),
               kernel("layer_norm.cpp", "compute", cores, [TILES, bits(EPSILON)], per_core=lambda core: [strips]),
               kernel("write.cpp", "writer", cores, [Y], [y],
                      lambda core: [core.y * strips * TILES, strips * TILES])]
    sizes = {X: 2 * TILES, SCALER: 1, GAMMA: TILES, BETA: TILES, Y: 2, MEAN: 1, CENTRED: TILES, SQUARES: TILES,
             FACTOR: 1, NORMAL: 1, SCALED: 1}
    result = run([*tensors, y], kernels, [circular_buffer(index, cores, tiles) for index, tiles in sizes.items()])
    centred = values.astype(np.float64) - values.mean(axis=1, keepdims=True, dtype=np.float64)
    variance = np.mean(centred**2, axis=1, keepdims=True)
    expected = centred / np.sqrt(variance + EPSILON) * gamma + beta
    # On the card the operands of differences, sums and products have 10 bits of fraction.
    check("layer_norm", result, expected, allowed=1e-4, on_card=2.0**-6)
    ttnn.close_device(device)


main()
