"""--dst=fpu on whole kernels, and the L1 that kernels need if DST has too few registers for their values."""

import re

import pytest
from running import EXAMPLES, KERNELS, SUCCESS, hashes, run

KERNEL = KERNELS / "sums_and_products.py"
USED = re.compile(r"(\d+) of (\d+) registers for a tile, sections of (\d+)")


def used(process):
    """Returns (registers, unroll factor) of each compute op."""
    assert process.returncode == SUCCESS, process.stderr
    return [(int(registers), int(factor)) for registers, _, factor in USED.findall(process.stderr)]


@pytest.mark.parametrize("dtype", ("float32", "bfloat16"))
def test_the_matrix_engine_computes_the_same_bits(dtype):
    """In host numerics, sums, differences and products have IEEE's bits on the vector unit and on the
    matrix unit, special values included. A product is added to a register that counts as -0."""
    expected = hashes(run(KERNEL, "--engine=jit", "--", dtype))
    assert len(set(expected)) == 4
    for engine in ("jit", "interp"):
        for choice in ("fpu", "fpu,schedule", "fpu,pack-blocks"):
            process = run(KERNEL, f"--engine={engine}", f"--dst={choice}", "--strict", "--", dtype)
            assert hashes(process) == expected, (engine, choice)


def test_the_matrix_engine_reads_from_l1():
    plain = run(KERNEL, "--dump=ttkernel", "--", "bfloat16")
    fpu = run(KERNEL, "--dump=ttkernel", "--dst=fpu", "--", "bfloat16")
    assert not re.search(r"ttkernel\.(add|sub|mul)_tiles\(", plain.stderr)
    for call in ("add", "sub", "mul"):
        assert f"ttkernel.{call}_tiles(" in fpu.stderr


def test_the_matrix_engine_leaves_registers_to_more_tiles():
    """Operands that are not loaded take no registers, so that six tiles fit at once. With two loads
    per tile, only capacity - 2 tiles fit."""
    for dtype, capacity in (("float32", 4), ("bfloat16", 8)):
        plain = used(run(KERNEL, "--dump=dst-assignment", "--", dtype))
        fpu = used(run(KERNEL, "--dump=dst-assignment", "--dst=fpu", "--", dtype))
        assert plain[:3] == [(3, min(capacity - 2, 6))] * 3
        assert fpu[:3] == [(1, min(capacity, 6))] * 3


def test_examples_keep_their_bits_on_the_matrix_engine():
    for example in ("eltwise_add", "fused_mul_add"):
        plain = run(EXAMPLES / f"{example}.py", "--", "--hash")
        fpu = run(EXAMPLES / f"{example}.py", "--dst=fpu", "--", "--hash")
        assert hashes(plain) == hashes(fpu)


def pressure(values):
    """Returns a kernel with this many values that are all needed at the end. Value i is
    a + i * b; the alternating sum of an odd number of values is a + (values // 2) * b."""
    chain = "".join(
        f"            v{i} = v{i - 1} + b_blk\n" for i in range(1, values)
    ) + f"            s = v{values - 1}\n" + "".join(
        f"            s = v{i} - s\n" for i in range(values - 2, -1, -1)
    )
    return f"""\
import numpy as np
import ttl
import ttnn

@ttl.operation(grid=(1, 1))
def pressure(a, b, y):
    a_dfb, b_dfb, y_dfb = [
        ttl.make_dataflow_buffer_like(t, shape=(2, 2), block_count=2) for t in (a, b, y)
    ]

    @ttl.datamovement()
    def reader():
        for i in range(2):
            with a_dfb.reserve() as a_blk, b_dfb.reserve() as b_blk:
                ttl.copy(a[2 * i : 2 * i + 2, 0:2], a_blk).wait()
                ttl.copy(b[2 * i : 2 * i + 2, 0:2], b_blk).wait()

    @ttl.compute()
    def compute():
        for _ in range(2):
            with a_dfb.wait() as v0, b_dfb.wait() as b_blk, y_dfb.reserve() as y_blk:
{chain.replace('            ', '                ')}
                y_blk.store(s)

    @ttl.datamovement()
    def writer():
        for i in range(2):
            with y_dfb.wait() as y_blk:
                ttl.copy(y_blk, y[2 * i : 2 * i + 2, 0:2]).wait()

a = np.arange(128 * 64, dtype=np.float32).reshape(128, 64)
b = np.full((128, 64), 3, np.float32)
y = np.zeros((128, 64), np.float32)
pressure(a, b, y)
assert np.array_equal(y, a + {values // 2} * b)
"""


SPLIT_BUFFER = re.compile(r"^ .* (\d+) B +\d+ \S*_split\d+ ", re.MULTILINE)


@pytest.mark.parametrize("values", (13, 41, 121))
def test_pressure_fits_the_real_chip(tmp_path, values):
    """The kernel has 3, 10 and 30 times as many values as four registers hold. It gives no warning, and needs
    few buffers and no more L1 than the values that must be kept at once."""
    script = tmp_path / "pressure.py"
    script.write_text(pressure(values))
    for engine in ("jit", "interp"):
        process = run(script, f"--engine={engine}", "--strict", "--dump=l1")
        assert process.returncode == SUCCESS, process.stderr
        assert "warning" not in process.stderr
        sizes = [int(size) for size in SPLIT_BUFFER.findall(process.stderr)]
        assert 1 <= len(sizes) <= 4
        assert sum(sizes) <= values * 4 * 4096


def test_accumulators_in_dst_take_no_l1():
    """An accumulator that stays in DST takes neither one of the buffer numbers nor L1."""
    process = run(EXAMPLES / "matmul_multicore.py", "--strict", "--dump=l1,buffers,loops")
    assert process.returncode == SUCCESS, process.stderr
    buffers = re.findall(r'ttl.create_cb "(\w+)"', process.stderr.partition("// ----- loops")[0])
    assert buffers == ["a_dfb", "b_dfb", "y_dfb", "total_acc"]
    l1 = process.stderr.partition("// ----- l1")[2]
    assert "ttl.dst_tile" in process.stderr
    assert re.findall(r" B +(\d+) (\w+) ", l1) == [("0", "a_dfb"), ("1", "b_dfb"), ("2", "y_dfb")]
