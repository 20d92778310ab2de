"""Collectives of several chips: the rows of tests/timing/data/s5.csv and s9.csv, with the kernels of ttl.ccl.

Table s9 measures ttnn's kernels, which differ from those of ttl.ccl: they send in both directions of a ring, and use
cores that are partly unknown. The kernels of ttl.ccl use 8 cores, the lanes, or as many as a row names."""
# SPDX-License-Identifier: Apache-2.0

import contextlib
import json
import math
import warnings

import _ttjit
import ttl
import ttnn

from benchmarks.timing_programs import ARCHES

TILE_BYTES = 2048  # of bfloat16
MOST_COLUMNS = 16  # a tensor whose shape is not known gets at most so many tiles in a row
MOST_BYTES = 1 << 24  # larger tensors are not predicted: their time is in proportion to their bytes
QUIETBOX_LINKS = 4  # between two neighbours of the machine of s5
FABRICS = {"ring": ttnn.FabricConfig.FABRIC_1D_RING, "line": ttnn.FabricConfig.FABRIC_1D,
           "ring1d": ttnn.FabricConfig.FABRIC_1D_RING, "2d": ttnn.FabricConfig.FABRIC_2D}


@contextlib.contextmanager
def mesh_of(arch, chips, topology, links):
    """Opens a mesh of chips in one row, for dry runs with a fabric, and closes it at the end."""
    with ttl.options(arch=ARCHES[arch], dry_run=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ignore the warning that the machine has one chip
        ttnn.set_fabric_config(FABRICS[topology], num_planes=links)
        mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, chips))
        try:
            yield mesh
        finally:
            ttnn.close_mesh_device(mesh)
            ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)


def microseconds(call):
    """Returns the estimated time of the kernel that call() launches, in microseconds."""
    with ttl.options(time="cycles"):
        call()
    return json.loads(_ttjit.last_estimate()[0])["us"]


def zeros(mesh, height, width, memory=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.zeros((height, width), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=mesh, memory_config=memory)


def relay(row):
    """S5: each chip of a ring sends what it has received to the next chip."""
    if not row.key["impl"].startswith("ttlang_relay"):
        return None
    lanes = int(row.key["impl"].split("_")[2])
    with mesh_of("BH", 4, row.key["topology"], QUIETBOX_LINKS) as mesh:
        x = zeros(mesh, *map(int, row.key["shard"].split("x")))
        return microseconds(lambda: ttnn.all_gather(x, dim=0, topology=ttnn.Topology.Ring, lanes=lanes))


def shape_of(tiles, chips):
    """Returns the extents of a tensor of `tiles` tiles whose rows can be divided among the chips."""
    columns = math.gcd(tiles // chips, MOST_COLUMNS)
    return 32 * tiles // columns, 32 * columns


def collective(row):
    """S9. For all_gather, the bytes are those of its result; for the others, those of one chip's tensor."""
    size, chips = row.number("bytes"), row.number("devices")
    if size > MOST_BYTES:
        return None
    memory = ttnn.L1_MEMORY_CONFIG if row.key["memory"] == "L1" else ttnn.DRAM_MEMORY_CONFIG
    height, width = shape_of(size // TILE_BYTES, chips)
    with mesh_of(row.arch, chips, row.key["topology"], row.number("links")) as mesh:
        if row.subtable.startswith("all_gather"):
            x = zeros(mesh, height // chips, width, memory)
            return microseconds(lambda: ttnn.all_gather(x, dim=0))
        x = zeros(mesh, height, width, memory)
        if row.subtable.startswith("all_reduce"):
            return microseconds(lambda: ttnn.all_reduce(x))
        return microseconds(lambda: ttnn.reduce_scatter(x, dim=0))
