# SPDX-License-Identifier: Apache-2.0
"""y = relu(x + bias) * gate: one row of bias for all rows, and a product with the tile in DST."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

TILES = 4
X, GATE, BIAS, Y = range(4)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    values, gate = rng.standard_normal((2, 32 * TILES, 32), np.float32)
    bias = rng.standard_normal(32, np.float32)
    tensors = [ttnn.from_numpy(each, device=device) for each in (values, gate, np.tile(bias, (32, 1)))]
    y = ttnn.zeros(values.shape, device=device)

    cores = grid(1, 1)
    kernels = [kernel("bias_reader.cpp", "reader", cores, [X, GATE, BIAS, TILES], tensors),
               kernel("gated_bias.cpp", "compute", cores, [X, GATE, BIAS, Y], per_core=lambda core: [TILES]),
               kernel("write.cpp", "writer", cores, [Y], [y], lambda core: [0, TILES])]
    result = run([*tensors, y], kernels, [circular_buffer(index, cores) for index in (X, GATE, BIAS, Y)])
    # On the card the operands of the sum and the product have 10 bits of fraction.
    size = (np.abs(values) + np.abs(bias)) * np.abs(gate)
    check("gated_bias", result, np.maximum(values + bias, 0) * gate, on_card=3 * 2.0**-10 * size)
    ttnn.close_device(device)


main()
