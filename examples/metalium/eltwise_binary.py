# SPDX-License-Identifier: Apache-2.0
"""y = a + b with the matrix engine, by a reader, a compute kernel and a writer on 2x2 cores."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

SHAPE = (256, 128)
A, B, Y = range(3)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    a, b = (ttnn.from_numpy(rng.random(SHAPE, np.float32), device=device) for _ in range(2))
    y = ttnn.zeros(SHAPE, device=device)

    cores = grid(2, 2)
    count = SHAPE[0] * SHAPE[1] // 1024 // cores.num_cores()

    def share(core):
        return [(2 * core.y + core.x) * count, count]

    kernels = [kernel("read_two.cpp", "reader", cores, [A, B], [a, b], share),
               kernel("add.cpp", "compute", cores, [A, B, Y], per_core=lambda core: [count]),
               kernel("write.cpp", "writer", cores, [Y], [y], share)]
    result = run([a, b, y], kernels, [circular_buffer(index, cores) for index in (A, B, Y)])
    left, right = ttnn.to_numpy(a), ttnn.to_numpy(b)
    # On the card the operands of the sum have 10 bits of fraction.
    check("eltwise_binary", result, left + right, on_card=2.0**-9 * (np.abs(left) + np.abs(right)))
    ttnn.close_device(device)


main()
