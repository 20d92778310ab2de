# SPDX-License-Identifier: Apache-2.0
"""A core of the emulated device needs little memory, beside the tensors of the launch."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys
import warnings
import numpy as np
import ttl

warnings.simplefilter("ignore")
COLUMNS = ROWS = 64

def used():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))

@ttl.operation(grid=(COLUMNS, ROWS))
def op(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)
    net = ttl.PipeNet([ttl.Pipe((i, 0), (i, slice(0, ROWS))) for i in range(COLUMNS)])

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            READ

    @ttl.compute()
    def compute():
        with x_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(ttl.math.exp(block) * 2.0)

    @ttl.datamovement()
    def writer():
        column, row = ttl.node(dims=2)
        with y_dfb.wait() as block:
            ttl.copy(block, y[row, column]).wait()

x = np.zeros((32, 32), np.float32)
y = np.zeros((32 * ROWS, 32 * COLUMNS), np.float32)
y[:] = 1  # its pages exist now
before = used()
op(x, y)
assert (y == 2).all()
print((used() - before) / (ROWS * COLUMNS))
"""

ALONE = "ttl.copy(x[0, 0], block).wait()"
PIPES = """
            def send(pipe):
                ttl.copy(x[0, 0], block).wait()
                ttl.copy(block, pipe).wait()

            net.if_src(send)
            net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
"""


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer adds memory")
@pytest.mark.parametrize("schedule", ("fair", "random"))
@pytest.mark.parametrize("read", (ALONE, PIPES), ids=("alone", "pipes"))
def test_a_core_takes_little_memory(read, schedule, tmp_path):
    """4,096 cores run, with --schedule=random all at once. Each has four tiles in L1, DST, and 3 stacks."""
    script = tmp_path / "cores.py"
    script.write_text(SCRIPT.replace("            READ", "            " + read.strip()))
    process = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=600,
                             env={**os.environ, "TTL_SCHEDULE": schedule}, check=False)
    assert process.returncode == 0, process.stderr
    assert float(process.stdout) <= 120, "a core takes more than 120 KiB"
