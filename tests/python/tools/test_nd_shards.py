# SPDX-License-Identifier: Apache-2.0
"""Kernels on tensors whose shards have any rank, with several shards on a core. The emitted program and every
engine give numpy's values, with the same bits. feature: Shards; Kernels as TT-Metalium C++"""

import json
import subprocess
import sys

import numpy as np
import pytest
from running import BUILD, ROOT

SCRIPT = '''
import sys

import numpy as np
import ttl
import ttnn

FOLDER = sys.argv[1]
device = ttnn.open_device(device_id=0)
COLUMNS = ttnn.ShardOrientation.COL_MAJOR
GRID = ttnn.ShardDistributionStrategy.GRID_2D


def cores(*corners):
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(*a), ttnn.CoreCoord(*b)) for a, b in corners])


def nd(shard, *corners, buffer=ttnn.BufferType.L1, **more):
    return ttnn.MemoryConfig(buffer, ttnn.NdShardSpec(shard, cores(*corners), **more))


def tensor(values, memory, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT):
    return ttnn.from_numpy(values, dtype=dtype, layout=layout, device=device, memory_config=memory)


def numbers(*shape):
    return (np.arange(np.prod(shape)) % 251).astype(np.float32).reshape(shape)


def run(op, y, *arguments):
    op(*arguments, y)
    np.save(f"{FOLDER}-{op.function.__name__}.npy", ttnn.to_numpy(y).astype(np.float32))


def read(x, place, dfb):
    with dfb.reserve() as block:
        ttl.copy(x[place], block).wait()


# 2x2x2 = 8 shards on 3 cores: by number, in a loop whose bound is known at run time, with a branch, a
# helper and a while loop.
@ttl.operation(grid=(1, 1))
def by_number(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 1, 2))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 1, 2))

    @ttl.datamovement()
    def reader():
        column, _ = ttl.node(dims=2)
        for i in range(column + 8):
            if i % 3 == 1:
                read(x, 7 - i, x_dfb)
            else:
                with x_dfb.reserve() as block:
                    ttl.copy(x[7 - i], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(8):
            with x_dfb.wait() as a, y_dfb.reserve() as b:
                b.store(a * 2)

    @ttl.datamovement()
    def writer():
        i = 0
        while i < 8:
            with y_dfb.wait() as block:
                ttl.copy(block, y[i]).wait()
            i += 1


# Slices that several shards have a part of, in nested loops; 3 cores of two ranges, DRAM to L1.
@ttl.operation(grid=(1, 1))
def slices(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(3, 1, 2))

    @ttl.datamovement()
    def reader():
        for row in range(4):
            for column in range(2):
                with dfb.reserve() as block:
                    ttl.copy(x[0:3, row, 2 * column : 2 * column + 2], block).wait()

    @ttl.datamovement()
    def writer():
        for row in range(4):
            for column in range(2):
                with dfb.wait() as block:
                    ttl.copy(block, y[0:3, 3 - row, 2 * column : 2 * column + 2]).wait()


# A unified body on four nodes; each takes the shards of a grid that are on it.
@ttl.operation(grid=(2, 2))
def unified(x, y):
    column, row = ttl.node(dims=2)
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    ttl.copy(x[2 * column + row], x_dfb.reserve()).wait()
    y_dfb.reserve().store(x_dfb.wait() + 1)
    ttl.copy(y_dfb.wait(), y[column, row]).wait()


# Rows: pages are the rows of shards. The parts begin anywhere.
@ttl.operation(grid=(1, 1))
def rows(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 5))
    for plane in range(3):
        for row in range(4):
            with dfb.reserve() as block:
                ttl.copy(x[plane, row : row + 2, row : row + 5], block).wait()
            with dfb.wait() as block:
                ttl.copy(block, y[plane, row : row + 2, 2 * row + 1 : 2 * row + 6]).wait()


@ttl.operation(grid=(1, 1))
def shards_of_rows(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 3, 8))
    for number in range(8):
        with dfb.reserve() as block:
            ttl.copy(x[number], block).wait()
        with dfb.wait() as block:
            ttl.copy(block, y[7 - number]).wait()


# Rank 1, and shards of fewer dimensions than the tensor.
@ttl.operation(grid=(1, 1))
def vector(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(16,))
    for number in range(5):
        with dfb.reserve() as block:
            ttl.copy(x[number], block).wait()
        with dfb.wait() as block:
            ttl.copy(block, y[16 * (4 - number) : 16 * (4 - number) + 16]).wait()


@ttl.operation(grid=(1, 1))
def folded(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(2, 1))
    for number in range(6):
        with dfb.reserve() as block:
            ttl.copy(x[number], block).wait()
        with dfb.wait() as block:
            ttl.copy(block, y[number // 2, number % 2, 0:2, 0]).wait()


# A buffer that is the node's shards: three on each of the four cores, column by column.
@ttl.operation(grid=(2, 2))
def in_place(y):
    y_dfb = ttl.make_tensor_backed_dfb(y, shape=(2, 1), block_count=3)
    z_dfb = ttl.make_tensor_backed_dfb(y, shape=(2, 1), block_count=3)

    @ttl.datamovement()
    def publisher():
        y_dfb.publish()

    @ttl.compute()
    def compute():
        column, row = ttl.node(dims=2)
        for _ in range(3):
            with y_dfb.wait() as a, z_dfb.reserve() as b:
                b.store(a * 2)


blocks = nd((2, 32, 64), ((1, 1), (3, 1)))
run(by_number, tensor(np.zeros((4, 64, 128), np.float32), blocks), tensor(numbers(4, 64, 128), blocks))
banks = nd((2, 96, 32), ((2, 0), (2, 0)), ((5, 0), (6, 0)), buffer=ttnn.BufferType.DRAM)
spread = nd((1, 64, 96), ((0, 0), (0, 3)), ((4, 4), (4, 4)), orientation=COLUMNS)
run(slices, tensor(np.zeros((3, 128, 128), np.float32), spread, ttnn.bfloat16),
    tensor(numbers(3, 128, 128), banks, ttnn.bfloat16))
grid = nd((32, 32), ((0, 0), (1, 1)), orientation=COLUMNS, shard_distribution_strategy=GRID)
run(unified, tensor(np.zeros((64, 64), np.float32), grid), tensor(numbers(64, 64), grid))
thin = nd((2, 2, 6), ((0, 0), (2, 0)))
run(rows, tensor(np.zeros((3, 5, 13), np.float32), thin, layout=ttnn.ROW_MAJOR_LAYOUT),
    tensor(numbers(3, 5, 13), thin, layout=ttnn.ROW_MAJOR_LAYOUT))
boxes = nd((2, 3, 8), ((0, 0), (2, 0)))
run(shards_of_rows, tensor(np.zeros((4, 6, 16), np.float32), boxes, layout=ttnn.ROW_MAJOR_LAYOUT),
    tensor(numbers(4, 6, 16), boxes, layout=ttnn.ROW_MAJOR_LAYOUT))
pieces = nd((16,), ((0, 0), (1, 0)))
run(vector, tensor(np.zeros(80, np.float32), ttnn.DRAM_MEMORY_CONFIG, layout=ttnn.ROW_MAJOR_LAYOUT),
    tensor(numbers(80), pieces, layout=ttnn.ROW_MAJOR_LAYOUT))
pairs = nd((1, 64, 32), ((0, 0), (3, 0)))
run(folded, tensor(np.zeros((3, 2, 64, 32), np.float32), ttnn.L1_MEMORY_CONFIG), tensor(numbers(3, 2, 64, 32), pairs))
deep = nd((2, 32, 32), ((0, 0), (1, 1)), orientation=COLUMNS)
run(in_place, tensor(numbers(6, 64, 64), deep))
assert "<sharded, tile = 32x32, grid = 3x2x2, shard = 2x32x32>" in in_place.ir(tensor(numbers(6, 64, 64), deep))
'''


def numbers(*shape):
    return (np.arange(np.prod(shape)) % 251).astype(np.float32).reshape(shape)


def shards(array, shard):
    """Returns the shards of an array in row-major order."""
    places = np.ndindex(*(-(-extent // one) for extent, one in zip(array.shape, shard)))
    return [array[tuple(slice(at * one, (at + 1) * one) for at, one in zip(place, shard))] for place in places]


def expected():
    by_number = np.zeros((4, 64, 128), np.float32)
    for to, part in zip(shards(by_number, (2, 32, 64)), reversed(shards(numbers(4, 64, 128), (2, 32, 64)))):
        to[:] = 2 * part
    slices = numbers(3, 4, 32, 128)[:, ::-1].reshape(3, 128, 128)
    rows, x = np.zeros((3, 5, 13), np.float32), numbers(3, 5, 13)
    for row in range(4):
        rows[:, row : row + 2, 2 * row + 1 : 2 * row + 6] = x[:, row : row + 2, row : row + 5]
    of_rows = np.zeros((4, 6, 16), np.float32)
    for to, part in zip(shards(of_rows, (2, 3, 8)), reversed(shards(numbers(4, 6, 16), (2, 3, 8)))):
        to[:] = part
    vector = numbers(80).reshape(5, 16)[::-1].reshape(80)
    return {"by_number": by_number, "slices": slices, "unified": numbers(64, 64) + 1, "rows": rows,
            "shards_of_rows": of_rows, "vector": vector, "folded": numbers(3, 2, 64, 32),
            "in_place": 2 * numbers(6, 64, 64)}


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def results(script, name, *options):
    folder = script.parent
    command = [BUILD / "bin" / "ttl-jit", "run", *options, script, "--", folder / name]
    process = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert process.returncode == 0, process.stdout + process.stderr
    return {operation: np.load(folder / f"{name}-{operation}.npy") for operation in expected()}


@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_engines_give_the_values_of_numpy(script, engine):
    found = results(script, engine, f"--engine={engine}")
    for operation, values in expected().items():
        assert np.array_equal(found[operation], values), operation


def test_the_emitted_program_gives_them_too(script, tmp_path):
    out = tmp_path / "out"
    results(script, "jit", f"--emit={out}")
    command = [sys.executable, "-W", "ignore", out / "run_on_device.py"]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    lines = process.stdout.splitlines()
    assert len(lines) == len(expected()) and all(": largest error 0, " in line for line in lines)
    programs = {each["name"]: each for each in json.loads((out / "program.json").read_text())["programs"]}
    (tensor,) = programs["in_place"]["tensors"]
    assert tensor["memory_layout"] == "sharded" and tensor["shard_shape"] == [2, 32, 32]
