"""Each launch gives a program the numbers that differ between nodes. If another program runs than
the one that was launched, these numbers are part of the launch cache's key."""

import pytest
import running

KERNEL = """\
import numpy as np
import ttl

@ttl.operation(grid=(2, 1))
def kernel(a, y, k):
    node = ttl.node(dims=1)
    row = (node + k) % 2
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(a[row, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[node, 0]).wait()

a = np.kron(np.float32([[1], [2]]), np.ones((32, 32), np.float32))
for k, expected in ((0, (1, 2)), (1, (2, 1)), (2, (1, 2))):
    y = np.zeros_like(a)
    kernel(a, y, k)
    assert (y[0, 0], y[32, 0]) == expected
print(ttl._cache_info().misses)
"""


@pytest.mark.parametrize(
    "flags, misses",
    [([], 1), (["--engine=interp"], 1), (["--stage=ttl"], 1), (["--emit={}/out"], 2)],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_programs_run_with_the_numbers_of_each_launch(tmp_path, flags, misses):
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL)
    process = running.run(script, *(flag.format(tmp_path) for flag in flags))
    assert process.returncode == running.SUCCESS, process.stderr
    assert process.stdout == f"{misses}\n"


def test_bisect_compares_programs_with_the_same_numbers(tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL)
    process = running.ttl_jit("bisect", script)
    assert process.returncode == running.SUCCESS, process.stdout + process.stderr
