# SPDX-License-Identifier: Apache-2.0
"""Runs functions as the only kernel function of an operation."""

import numpy as np
import pytest
import ttl


def zeros(rows=32, columns=32):
    return np.zeros((rows, columns), np.float32)


def run(body, *arguments, grid=(1, 1)):
    """Runs `body(zero, *arguments)` as the data movement thread "reader"; `zero` is 0, but not
    known at compile time."""

    @ttl.operation(grid=grid)
    def op(a):
        @ttl.datamovement()
        def reader():
            x, y = ttl.node()
            body(x * y, *arguments)

    op(zeros())


def fault(body, *arguments):
    """Runs `body` as run() does. Returns the RuntimeFault that it must raise."""
    with pytest.raises(ttl.RuntimeFault) as caught:
        run(body, *arguments)
    return caught.value
