# SPDX-License-Identifier: Apache-2.0
"""Kernels read and write the arrays of host tensors in place. Results are as with a copy of each array."""

import os
import subprocess
import sys

import numpy as np
import pytest
import ttl
import ttnn


def random(shape, dtype=np.float32):
    values = np.random.default_rng(3).integers(-100, 100, shape)
    return values.astype(dtype)


@ttl.operation(grid=(2, 1))
def double(a, y):
    """Computes y = a + a. The two nodes take turns in the rows of tiles."""
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    rows, columns = -(-a.shape[0] // 32), -(-a.shape[1] // 32)

    @ttl.datamovement()
    def reader():
        node, _ = ttl.node(dims=2)
        for row in range(node, rows, 2):
            for column in range(columns):
                with a_dfb.reserve() as a_blk:
                    ttl.copy(a[row, column], a_blk).wait()

    @ttl.compute()
    def compute():
        node, _ = ttl.node(dims=2)
        for _ in range(node, rows, 2):
            for _ in range(columns):
                with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                    y_blk.store(a_blk + a_blk)

    @ttl.datamovement()
    def writer():
        node, _ = ttl.node(dims=2)
        for row in range(node, rows, 2):
            for column in range(columns):
                with y_dfb.wait() as y_blk:
                    ttl.copy(y_blk, y[row, column]).wait()


@ttl.operation(grid=(1, 1))
def shift(a, y):
    """Copies tile i - 1 of a to tile i of y, one tile after the other."""
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    columns = a.shape[1] // 32

    @ttl.datamovement()
    def reader():
        for column in range(columns - 1):
            with dfb.reserve() as blk:
                ttl.copy(a[0, column], blk).wait()

    @ttl.datamovement()
    def writer():
        for column in range(columns - 1):
            with dfb.wait() as blk:
                ttl.copy(blk, y[0, column + 1]).wait()


@pytest.mark.parametrize("shape", [(32, 32), (64, 96), (128, 256), (33, 65), (5, 40)])
def test_results_with_and_without_padding(shape):
    a, y = random(shape), np.full(shape, 7, np.float32)
    before = a.copy()
    double(a, y)
    np.testing.assert_array_equal(y, 2 * a)
    np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("dtype", [ttnn.bfloat16, ttnn.bfloat8_b, ttnn.float16, ttnn.int32])
def test_types(dtype):
    values = random((64, 64), np.int32 if dtype == ttnn.int32 else np.float32)
    a, y = ttnn.from_numpy(values, dtype=dtype), ttnn.from_numpy(0 * values, dtype=dtype)
    double(a, y)
    np.testing.assert_array_equal(ttnn.to_numpy(y), 2 * ttnn.to_numpy(a))


def test_an_array_that_is_read_and_written_twice():
    a = random((64, 64))
    expected = 2 * a
    double(a, a)
    np.testing.assert_array_equal(a, expected)


def test_each_argument_keeps_its_old_contents_until_the_launch_ends():
    a = random((32, 160))
    expected = a.copy()
    expected[:, 32:] = a[:, :-32]
    shift(a, a[:])
    np.testing.assert_array_equal(a, expected)


def test_views_that_overlap():
    memory = random((64, 64))
    a, y = memory[:32].reshape(32, 64), memory.reshape(-1)[16 * 64 : 48 * 64].reshape(32, 64)
    expected = 2 * a
    double(a, y)
    np.testing.assert_array_equal(y, expected)


def test_read_only_arrays():
    a, y = random((64, 64)), np.zeros((64, 64), np.float32)
    a.flags.writeable = False
    double(a, y)
    np.testing.assert_array_equal(y, 2 * a)
    y.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        double(a * 3, y)
    np.testing.assert_array_equal(y, 2 * a)


def test_arrays_that_are_not_contiguous():
    memory = np.zeros((64, 128), np.float32)
    a, y = random((64, 64)).T, memory[:, ::2]
    double(a, y)
    np.testing.assert_array_equal(y, 2 * a)
    assert not memory[:, 1::2].any()


def test_what_a_kernel_wrote_before_a_fault_is_kept():
    a, y = random((32, 96)), np.zeros((32, 96), np.float32)

    @ttl.operation(grid=(1, 1))
    def ends_early(a, y):
        dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            column, _ = ttl.node()
            for _ in range(4):
                with dfb.reserve() as blk:
                    ttl.copy(a[0, column], blk).wait()
                with dfb.wait() as blk:
                    ttl.copy(blk, y[0, column]).wait()
                column = column + 1

    with pytest.raises(ttl.RuntimeFault):
        ends_early(a, y)
    np.testing.assert_array_equal(y, a)


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize("shares", ["on", "off"])
def test_the_switch_changes_no_bit(engine, shares):
    environment = {**os.environ, "TTL_ENGINE": engine, "TTL_SHARE_ARRAYS": shares}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k",
               "not switch and not memory"]
    process = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout


PEAK = """
import resource
import sys
import numpy as np
sys.path.insert(0, {folder!r})
from test_shared_arrays import double
small = [np.ones((32, 32), np.float32) for _ in range(2)]
double(*small)
a, y = (np.ones((4096, 4096), np.float32) for _ in range(2))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
double(a, y)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory_for_tensors_is_not_doubled():
    """Two tensors take 128 MiB. A launch must not raise the process's peak memory by 40 MiB or more."""
    command = [sys.executable, "-c", PEAK.format(folder=os.path.dirname(__file__))]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert int(process.stdout) < 40
