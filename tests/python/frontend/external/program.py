# SPDX-License-Identifier: Apache-2.0
"""A program that reads and copies a tile with C++ functions of functions.hpp."""

import numpy as np
import ttl

HEADER = "functions.hpp"


@ttl.operation(grid=(1, 1))
def copied(x, y):
    a = ttl.make_dataflow_buffer_like(x, (1, 1))
    b = ttl.make_dataflow_buffer_like(x, (1, 1))
    ttl.call_extern_func(HEADER, "read_page", func_args=[x, a, 0], kernel=ttl.KernelKind.DATA_MOVEMENT)
    ttl.call_extern_func(HEADER, "copy_many", kernel=ttl.KernelKind.COMPUTE,
                         template_args=[ttl.dfb_descriptor(a), ttl.dfb_descriptor(b), 1])
    with b.wait() as block:
        ttl.copy(block, y[0, 0]).wait()


x, y = np.random.default_rng(0).standard_normal((2, 32, 32), dtype=np.float32)
copied(x, y)
assert np.array_equal(x, y)
