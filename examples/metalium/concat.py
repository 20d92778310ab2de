# SPDX-License-Identifier: Apache-2.0
"""Tensors one below the other. The kernel gets their addresses and sizes as arrays of arguments."""

import numpy as np
import ttnn
from programs import circular_buffer, grid, kernel, run

TILES = [2, 1, 3]  # rows of tiles of each tensor


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    parts = [rng.random((32 * tiles, 32), np.float32) for tiles in TILES]
    tensors = [ttnn.from_numpy(part, device=device) for part in parts]
    y = ttnn.zeros((32 * sum(TILES), 32), device=device)

    cores = grid(1, 1)
    addresses = [tensor.buffer_address() for tensor in tensors]
    kernels = [kernel("concat_reader.cpp", "reader", cores, per_core=lambda core: [len(TILES), *addresses, *TILES]),
               kernel("write.cpp", "writer", cores, [0], [y], lambda core: [0, sum(TILES)])]
    result = run([*tensors, y], kernels, [circular_buffer(0, cores)])
    assert np.array_equal(result, np.concatenate(parts))
    print("concat: equal")
    ttnn.close_device(device)


main()
