# SPDX-License-Identifier: Apache-2.0
"""A tile goes along a row of cores: each core waits for its semaphore, sends the tile that it got
to the next core, and writes it to its page of y."""

import numpy as np
import ttnn
from programs import circular_buffer, grid, kernel, run

CORES = 5
BUFFER = 0


def main():
    device = ttnn.open_device(device_id=0)
    values = np.arange(1024, dtype=np.float32).reshape(32, 32)
    x, y = ttnn.from_numpy(values, device=device), ttnn.zeros((32 * CORES, 32), device=device)

    cores = grid(CORES, 1)
    ready, arrived = (ttnn.SemaphoreDescriptor(id=i, core_ranges=cores) for i in range(2))
    kernels = [kernel("ring.cpp", "reader", cores, [BUFFER, CORES], [x, y])]
    result = run([x, y], kernels, [circular_buffer(BUFFER, cores, tiles=1)], [ready, arrived])
    assert np.array_equal(result, np.tile(values, (CORES, 1)))
    print("semaphore_ring: equal to numpy")
    ttnn.close_device(device)


main()
