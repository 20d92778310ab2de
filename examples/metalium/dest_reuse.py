# SPDX-License-Identifier: Apache-2.0
"""y = (a + b) * (a - b): the sum stays in DST, where it is an operand of the product."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

SHAPE = (64, 128)
A, B, Y, TMP = range(4)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    rng = np.random.default_rng(0)
    left, right = (rng.random(SHAPE, np.float32) for _ in range(2))
    a, b = ttnn.from_numpy(left, device=device), ttnn.from_numpy(right, device=device)
    y = ttnn.zeros(SHAPE, device=device)

    cores = grid(2, 1)
    count = SHAPE[0] * SHAPE[1] // 1024 // cores.num_cores()

    def share(core):
        return [core.x * count, count]

    kernels = [kernel("read_two.cpp", "reader", cores, [A, B], [a, b], share),
               kernel("sum_times_difference.cpp", "compute", cores, [A, B, Y, TMP],
                      per_core=lambda core: [count]),
               kernel("write.cpp", "writer", cores, [Y], [y], share)]
    result = run([a, b, y], kernels, [circular_buffer(index, cores) for index in (A, B, Y, TMP)])
    # On the card the operands of sums and products have 10 bits of fraction.
    check("dest_reuse", result, (left + right) * (left - right), on_card=2.0**-8 * (left + right) ** 2)
    ttnn.close_device(device)


main()
