"""Reads the rows of tests/timing/data, and estimates the kernels of tools/bench timing."""
# SPDX-License-Identifier: Apache-2.0

import csv
import json
import pathlib

import _ttjit
import ttl
import ttnn
from ttl import _time

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "timing" / "data"
CLOCK = {"WH": 1000, "BH": 1350}  # MHz
BANKS = {"WH": 12, "BH": 8}
GRID = {"WH": (8, 8), "BH": (13, 10)}
DTYPES = {"bf16": ttnn.bfloat16, "f32": ttnn.float32, "bfp_bf8": ttnn.bfloat8_b, "bfp_bf4": ttnn.bfloat4_b}


class Row:
    def __init__(self, table, fields):
        self.table, self.subtable, self.arch = table, fields["subtable"], fields["arch"]
        self.metric, self.value = fields["metric"], float(fields["value"])
        self.key = dict(each.split("=") for each in fields["key"].split(";"))
        self.text = fields["key"]

    def number(self, name):
        return int(self.key[name])


def rows(table):
    with open(DATA / f"{table}.csv", newline="") as file:
        return [Row(table, fields) for fields in csv.DictReader(file)]


def tensors_of(program):
    result = []
    for height, width, format, is_tiled, shards in program.shapes:
        layout = ttnn.TILE_LAYOUT if is_tiled else ttnn.ROW_MAJOR_LAYOUT
        place = {"device": ttnn.open_device(device_id=0), "memory_config": block_sharded(*shards)} if shards else {}
        result.append(ttnn.zeros((height, width), dtype=DTYPES[format], layout=layout, **place))
    return result


def block_sharded(grid, shard):
    cores = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(grid[0] - 1, grid[1] - 1))
    spec = ttnn.ShardSpec(ttnn.CoreRangeSet([cores]), shard, ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.BLOCK_SHARDED, ttnn.BufferType.L1, spec)


def figures(program):
    """Runs a program. Returns the figures of its estimate."""
    def run():
        ttl.compile_mlir(program.text())(*tensors_of(program))  # with the option `time` of _time.of()

    with ttl.options(arch=program.arch):
        return _time.of(run, "program", None, (), {}).figures


def kernel_cycles(program):
    """Runs a program. Returns the cycles from its start to its end. Does not predict what changes would gain,
    which would take longer than the run."""
    with ttl.options(arch=program.arch, time="cycles"):
        ttl.compile_mlir(program.text())(*tensors_of(program))
    figures = json.loads(_ttjit.last_estimate()[0])
    if "failure" in figures:
        raise ValueError(figures["failure"])
    return figures["cycles"]


def zone_cycles(program):
    """Returns the cycles of a program's zone on the node where it takes longest."""
    return max(each["cycles"] for each in figures(program)["zones"])


def zones(program):
    """Returns the cycles of each zone of a program by its name."""
    return {each["name"]: each["cycles"] for each in figures(program)["zones"]}


def busy_cycles(program, resource):
    """Returns how many cycles a program keeps a resource busy."""
    return sum(each["busy"].get(resource, 0) for each in figures(program)["threads"])
