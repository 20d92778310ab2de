# SPDX-License-Identifier: Apache-2.0
"""Uniform random numbers on two cores with seeds of their own."""

import numpy as np
import ttnn
from programs import circular_buffer, grid, kernel, run

TILES, CORES, LOW, SCALE = 4, 2, -1.0, 3.0
Y = 0  # circular buffer


def bits(number):
    return int(np.float32(number).view(np.uint32))


def main():
    device = ttnn.open_device(device_id=0)
    y = ttnn.zeros((32 * TILES * CORES, 32), device=device)
    cores = grid(CORES, 1)
    kernels = [kernel("random.cpp", "compute", cores, [Y, bits(LOW), bits(SCALE)],
                      per_core=lambda core: [7 + core.x, TILES]),
               kernel("write.cpp", "writer", cores, [Y], [y], lambda core: [core.x * TILES, TILES])]
    first, second = run([y], kernels, [circular_buffer(Y, cores)]).reshape(CORES, -1)
    for numbers in (first, second):
        assert LOW <= numbers.min() and numbers.max() < LOW + SCALE
        deviation = SCALE / np.sqrt(12 * numbers.size)  # of a mean of uniform numbers
        assert abs(numbers.mean() - (LOW + SCALE / 2)) < 5 * deviation
    assert abs(np.corrcoef(first, second)[0, 1]) < 5 / np.sqrt(first.size)
    print(f"random_numbers: means {first.mean():.3f} and {second.mean():.3f}")
    ttnn.close_device(device)


main()
