"""Rows of tests/timing/data, and how the kernels of tools/bench timing are estimated."""
# SPDX-License-Identifier: Apache-2.0

import csv
import pathlib

import ttl
import ttnn
from ttl import _time

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "timing" / "data"
CLOCK = {"WH": 1000, "BH": 1350}  # MHz
BANKS = {"WH": 12, "BH": 8}
GRID = {"WH": (8, 8), "BH": (13, 10)}


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
    for height, width, format, is_tiled in program.shapes:
        layout = ttnn.TILE_LAYOUT if is_tiled else ttnn.ROW_MAJOR_LAYOUT
        dtype = ttnn.bfloat16 if format == "bf16" else ttnn.float32
        result.append(ttnn.zeros((height, width), dtype=dtype, layout=layout))
    return result


def figures(program):
    """Runs a program. Returns the figures of its estimate."""
    def run():
        ttl.compile_mlir(program.text())(*tensors_of(program))  # compiled with time on

    with ttl.options(arch=program.arch):
        return _time.of(run, "program", None, (), {}).figures


def zone_cycles(program):
    """Returns the cycles of the zone of a program: the longest of its nodes."""
    return max(each["cycles"] for each in figures(program)["zones"])


def zones(program):
    """Returns the cycles of each zone of a program by its name."""
    return {each["name"]: each["cycles"] for each in figures(program)["zones"]}


def busy_cycles(program, resource):
    """Returns how many cycles a program keeps a resource busy."""
    return sum(each["busy"].get(resource, 0) for each in figures(program)["threads"])
