# SPDX-License-Identifier: Apache-2.0
"""y = 1 / (1 + exp(-x)), a chain of functions on one DST register."""

import numpy as np
import ttnn
from programs import check, circular_buffer, grid, kernel, run

SHAPE = (128, 128)
X, Y = range(2)  # circular buffers


def main():
    device = ttnn.open_device(device_id=0)
    values = np.random.default_rng(0).normal(size=SHAPE).astype(np.float32)
    x, y = ttnn.from_numpy(values, device=device), ttnn.zeros(SHAPE, device=device)

    cores = grid(4, 1)
    count = SHAPE[0] * SHAPE[1] // 1024 // cores.num_cores()

    def share(core):
        return [core.x * count, count]

    kernels = [kernel("read_one.cpp", "reader", cores, [X], [x], share),
               kernel("logistic.cpp", "compute", cores, [X, Y], per_core=lambda core: [count]),
               kernel("write.cpp", "writer", cores, [Y], [y], share)]
    result = run([x, y], kernels, [circular_buffer(index, cores) for index in (X, Y)])
    expected = 1 / (1 + np.exp(-values.astype(np.float64)))
    # On the card x has 10 bits of fraction, and the reciprocal is off by 1.5e-3.
    check("unary_chain", result, expected, allowed=5e-7 * expected,
          on_card=(2.0**-10 * np.abs(values) + 1.5e-3) * expected)
    ttnn.close_device(device)


main()
