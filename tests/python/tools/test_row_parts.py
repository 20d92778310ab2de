# SPDX-License-Identifier: Apache-2.0
"""Copies of parts of rows at any offset give the same bits on every engine and in the emitted program, which
copies through a buffer. feature: Slices of tensors; Kernels as TT-Metalium C++"""

import json
import pathlib
import re
import subprocess
import sys

import pytest
from running import BUILD, ROOT

SCRIPT = '''
import sys

import numpy as np
import ttl
import ttnn

DTYPE, MEMORY = getattr(ttnn, sys.argv[1]), sys.argv[2]


def read(x, dfb, row, column):
    with dfb.reserve() as block:
        ttl.copy(x[row : row + 2, column : column + 13], block).wait()


@ttl.operation(grid=(1, 1))
def threads(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 13))

    @ttl.datamovement()
    def reader():
        for i in range(3):
            for j in range(4):
                if (i + j) % 2 == 0:
                    read(x, dfb, 2 * i, 13 * j + 1)
                else:
                    with dfb.reserve() as block:
                        ttl.copy(x[2 * i : 2 * i + 2, 13 * j + 8 : 13 * j + 21], block).wait()

    @ttl.datamovement()
    def writer():
        number = 0
        while number < 12:
            row, column = 2 * (number // 4), 13 * (number % 4)
            with dfb.wait() as block:
                ttl.copy(block, y[row : row + 2, column + 3 : column + 16]).wait()
            number += 1


@ttl.operation(grid=(1, 1))
def unified(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 13))
    for i in range(3):
        read(x, dfb, 2 * i, 5 * i)
        with dfb.wait() as block:
            ttl.copy(block, y[2 * i : 2 * i + 2, 7 * i + 2 : 7 * i + 15]).wait()


@ttl.operation(grid=(1, 1))
def long_rows(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 4999))
    with dfb.reserve() as block:
        ttl.copy(x[0:1, 1:5000], block).wait()
    with dfb.wait() as block:
        ttl.copy(block, y[0:1, 3:5002]).wait()


@ttl.operation(grid=(1, 1))
def shards(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(3, 41))
    with dfb.reserve() as block:
        ttl.copy(x[0:3, 10:51], block).wait()
    with dfb.wait() as block:
        ttl.copy(block, y[1:4, 2:43]).wait()


device = ttnn.open_device(device_id=0)


def tensor(shape, first, memory):
    values = (np.arange(shape[0] * shape[1]).reshape(shape) % 113 * first).astype(np.float32)
    return ttnn.from_numpy(values, dtype=DTYPE, layout=ttnn.ROW_MAJOR_LAYOUT, device=device, memory_config=memory)


def run(op, shape, memory):
    x, y = tensor(shape, 1, memory), tensor(shape, 0, memory)
    op(x, y)
    np.save(f"{sys.argv[3]}-{op.function.__name__}.npy", ttnn.to_numpy(y).astype(np.float32))


interleaved = getattr(ttnn, MEMORY)
run(threads, (6, 80), interleaved)
run(unified, (6, 80), interleaved)
run(long_rows, (1, 5008), interleaved)
cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 0))})
spec = ttnn.ShardSpec(cores, (4, 16), ttnn.ShardOrientation.ROW_MAJOR)
run(shards, (4, 64), ttnn.MemoryConfig(ttnn.TensorMemoryLayout.WIDTH_SHARDED, ttnn.BufferType.L1, spec))
'''
OPERATIONS = ("threads", "unified", "long_rows", "shards")


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def results(script, name, *options, dtype, memory):
    folder = script.parent
    command = [BUILD / "bin" / "ttl-jit", "run", *options, script, "--", dtype, memory, folder / name]
    subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return [(folder / f"{name}-{operation}.npy").read_bytes() for operation in OPERATIONS]


@pytest.mark.parametrize("dtype, memory", [
    ("uint8", "DRAM_MEMORY_CONFIG"),
    ("float32", "DRAM_MEMORY_CONFIG"),
    ("bfloat16", "L1_MEMORY_CONFIG"),
])
def test_engines_and_the_emitted_program(script, tmp_path, dtype, memory):
    out = tmp_path / "out"
    expected = results(script, "jit", f"--emit={out}", dtype=dtype, memory=memory)
    for engine in ("interp", "emitted"):
        assert results(script, engine, f"--engine={engine}", dtype=dtype, memory=memory) == expected
    command = [sys.executable, "-W", "ignore", out / "run_on_device.py"]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    lines = process.stdout.splitlines()
    assert len(lines) == 4 and all(": largest error 0, " in line and "magnitude 0" not in line for line in lines)


def test_each_thread_has_a_buffer_of_its_own(script, tmp_path):
    out = tmp_path / "out"
    results(script, "jit", f"--emit={out}", dtype="float32", memory="DRAM_MEMORY_CONFIG")
    programs = {each["name"]: each for each in json.loads((out / "program.json").read_text())["programs"]}
    sizes = {each["name"]: each["total_size"] for each in programs["threads"]["buffers"]}
    # 13 elements of 4 bytes, and up to 31 bytes before them for the alignment
    assert sizes["reader_rows"] == sizes["writer_rows"] == 96
    assert max(each["total_size"] for each in programs["long_rows"]["buffers"] if "rows" in each["name"]) == 4096
    reader = pathlib.Path(out / "threads_reader.cpp").read_text()
    assert "ttl_read_row_part<uint32_t, 1, 320, 32, 96>" in reader
    texts = [path.read_text() for path in out.glob("shards*.cpp")]
    assert any(re.search(r"ttl_write_row_part<uint32_t, 4, 64, 16, \d+>", text) for text in texts)
