# SPDX-License-Identifier: Apache-2.0
"""Kernels that copy tensors; the tests of this folder compile them."""

import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def copy(a, y):
    buffer = ttl.make_dataflow_buffer_like(a, shape=(1, 1), buffer_factor=2)

    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        with buffer.reserve() as block:
            ttl.copy(a[x, 0], block).wait()

    @ttl.datamovement()
    def writer():
        x, _ = ttl.node(dims=2)
        with buffer.wait() as block:
            ttl.copy(block, y[x, 0]).wait()


@ttl.operation(grid=(1, 1))
def scale(a, y, factor):
    source = ttl.make_dataflow_buffer_like(a, shape=(1, 1), buffer_factor=2)
    result = ttl.make_dataflow_buffer_like(y, shape=(1, 1), buffer_factor=2)

    @ttl.datamovement()
    def reader():
        with source.reserve() as block:
            ttl.copy(a[0, 0], block).wait()

    @ttl.compute()
    def multiply():
        with source.wait() as x, result.reserve() as out:
            out.store(x * factor)

    @ttl.datamovement()
    def writer():
        with result.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


def tensors(rows=64):
    a = np.random.default_rng(0).standard_normal((rows, 32)).astype(np.float32)
    return a, np.zeros_like(a)
