# SPDX-License-Identifier: Apache-2.0
"""Cases with the option numerics=device. The reference of each is the same kernel with numerics=host."""

import dataclasses

import numpy as np
import ttl
import ttnn
from benchmarks import kernels
from benchmarks.measure import Case


def in_mode(mode, launch):
    def run():
        with ttl.options(numerics=mode):
            launch()

    return run


def against_host(case):
    """Returns the case in device numerics. Its reference is the same launch in host numerics."""
    return dataclasses.replace(case, launch=in_mode("device", case.launch),
                               reference=in_mode("host", case.launch), reference_name="host numerics",
                               check=lambda: None)


def product(quick, tensors, fidelity):
    """Returns a case: a product of bfloat16 matrices that is accumulated in a float32 DST."""
    size, grid, block = (256, (1, 1), 4) if quick else (1024, (2, 2), 8)
    a, b, y = tensors("bfloat16", (size, size)).make(3)
    operation = kernels.matmul(grid, block, fp32_dest_acc_en=True, math_fidelity=fidelity)

    def check():
        exact = ttnn.to_numpy(a).astype(np.float64) @ ttnn.to_numpy(b)
        error = np.abs(ttnn.to_numpy(y) - exact).max() / np.abs(exact).max()
        if not error <= 0.1:
            raise SystemExit(f"bench: the product is wrong: largest error {error:.2g}")

    launch = lambda: operation(a, b, y)
    return dataclasses.replace(against_host(Case(launch, work=(2 * size**3, "flop/s"))), check=check)
