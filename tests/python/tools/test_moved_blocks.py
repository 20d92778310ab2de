"""--block-transfers and --aliases save calls and copies of blocks; results and counts stay the same."""

import re

import pytest
from running import EXAMPLES, KERNELS, RUNTIME_FAULT, SUCCESS, USAGE, hashes, run

SWITCHES = ("--block-transfers=off", "--aliases=off")


def counts(process):
    """Returns the lines of --stats that do not depend on times or engines."""
    assert process.returncode == SUCCESS, process.stderr
    lines = [line for line in process.stderr.splitlines()
             if re.search(r"blocks:|moved:|in flight:|steps:|between", line)]
    assert lines, process.stderr
    return lines


@pytest.mark.parametrize("dtype", ("float32", "bfloat16", "bfloat8_b"))
def test_the_same_bits_and_counts(dtype):
    kernel = KERNELS / "moved_blocks.py"
    plain = run(kernel, "--engine=jit", "--stats", "--", dtype)
    for options in (SWITCHES[:1], SWITCHES[1:], SWITCHES):
        other = run(kernel, "--engine=jit", "--stats", *options, "--", dtype)
        assert hashes(other) == hashes(plain), options
        assert counts(other) == counts(plain), options
    interpreted = run(kernel, "--engine=interp", "--stats", "--", dtype)
    assert hashes(interpreted) == hashes(plain)
    assert counts(interpreted) == counts(plain)


@pytest.mark.parametrize("choice", ("--schedule=greedy", "--dma=eager", "--dma=random",
                                    "--schedule=random", "--stage=dst"))
def test_every_order(choice):
    kernel = KERNELS / "moved_blocks.py"
    plain = hashes(run(kernel, "--", "bfloat16"))
    assert hashes(run(kernel, choice, "--", "bfloat16")) == plain
    assert hashes(run(kernel, choice, *SWITCHES, "--", "bfloat16")) == plain


@pytest.mark.parametrize("example", ("eltwise_3d", "matmul_multicast", "ring_all_reduce", "softmax",
                                     "sharded_in_place"))
def test_examples(example):
    plain = run(EXAMPLES / f"{example}.py", "--engine=jit", "--stats", "--", "--hash")
    off = run(EXAMPLES / f"{example}.py", "--engine=jit", "--stats", *SWITCHES, "--", "--hash")
    assert hashes(off) == hashes(plain)
    assert counts(off) == counts(plain)


KERNEL = """
import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def kernel(a, y):
    dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 2))

    @ttl.datamovement()
    def reader():
        for i in range(3):
            with dfb.reserve() as blk:
                ttl.copy(a[START : START + 2, 0:2], blk).wait()

    @ttl.datamovement()
    def writer():
        for i in range(3):
            with dfb.wait() as blk:
                ttl.copy(blk, y[0:2, 0:2]).wait()


kernel(np.ones((128, 128), np.float32), np.zeros((128, 128), np.float32))
"""


@pytest.mark.parametrize("start, options, text", (
    ("i * 2", (), "slice 4:6 is out of range in dimension 0 of tensor 'a'"),
    ("i", ("--limit=1",), "the limit of 1 step is used up"),
    ("i", ("--limit=20",), "the limit of 20 steps is used up"),
    ("i", ("--limit=50",), "the limit of 50 steps is used up"),
))
def test_faults_name_the_same_place(start, options, text, tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL.replace("START", start))
    plain = run(script, "--engine=jit", *options)
    assert plain.returncode == RUNTIME_FAULT and text in plain.stderr, plain.stderr
    for switches in (SWITCHES[:1], SWITCHES):
        assert run(script, "--engine=jit", *options, *switches).stderr == plain.stderr


def test_the_switch_changes_the_compiled_code():
    example = EXAMPLES / "eltwise_3d.py"
    assert "@ttl_hw_read_block(" in run(example, "--dump=llvm").stderr
    assert "_block(" not in run(example, "--dump=llvm", "--block-transfers=off").stderr


def test_wrong_values_are_usage_errors():
    for name in ("block-transfers", "aliases"):
        process = run(EXAMPLES / "eltwise_add.py", f"--{name}=maybe")
        assert process.returncode == USAGE
        assert f"--{name}: expected one of" in process.stderr
