# SPDX-License-Identifier: Apache-2.0
"""Time estimates of kernels that send between devices depend on the fabric and on the machine."""

import contextlib
import json
import re

import _ttjit
import pytest
import ttl
import ttnn
from meshes import opened
from running import ttl_jit

Config = ttnn.FabricConfig
BH = "blackhole"


@contextlib.contextmanager
def on(config, *shape, links=None):
    """Opens a mesh with a fabric that uses this many links between two neighbours."""
    with ttl.options(arch=BH, dry_run=True, time="cycles"), opened(*shape, fabric=config, links=links) as mesh:
        yield mesh


def cycles(call):
    call()
    return json.loads(_ttjit.last_estimate()[0])["cycles"]


def tiles(mesh, count):
    return ttnn.zeros((32, 32 * count), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=mesh)


def sent(config, *shape, to, links=None):
    """Returns the cycles that one tile takes from the first device to device `to`."""
    with on(config, *shape, links=links) as mesh:
        return cycles(lambda: ttnn.point_to_point(tiles(mesh, 1), (0, 0), to))


def gathered(config, links, lanes):
    with on(config, 1, 4, links=links) as mesh:
        return cycles(lambda: ttnn.all_gather(tiles(mesh, 512), dim=0, lanes=lanes))


# ===--------------------------------------------------------------------------=== #
# Routes
# ===--------------------------------------------------------------------------=== #


def test_a_closed_ring_shortens_the_way_to_the_last_chip():
    line, ring = (sent(config, 1, 8, to=(0, 7)) for config in (Config.FABRIC_1D, Config.FABRIC_1D_RING))
    assert line - ring == pytest.approx(6 * 695, abs=60)  # hops of 695 cycles; other distances on the chip


def test_a_torus_takes_the_shorter_way():
    line, torus = (sent(config, 1, 8, to=(0, 6)) for config in (Config.FABRIC_2D, Config.FABRIC_2D_TORUS_X))
    assert line - torus == pytest.approx(4 * 836, abs=60)


def test_the_other_axis_of_a_torus_closes_nothing():
    ways = [sent(config, 1, 8, to=(0, 6)) for config in (Config.FABRIC_2D, Config.FABRIC_2D_TORUS_Y)]
    assert ways[0] == ways[1]


def test_a_reshaped_mesh_has_other_neighbours():
    with on(Config.FABRIC_1D, 2, 4) as mesh:
        square = cycles(lambda: ttnn.point_to_point(tiles(mesh, 1), (0, 0), (1, 0)))
        mesh.reshape(ttnn.MeshShape(1, 8))
        line = cycles(lambda: ttnn.point_to_point(tiles(mesh, 1), (0, 0), (0, 4)))
    assert line - square == pytest.approx(3 * 695, abs=60)


@ttl.operation(grid=(1, 1))
def copied(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 4), block_count=2)

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0:4], block).wait()

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0:4]).wait()


@pytest.mark.parametrize("memory", [ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG])
def test_the_own_tensors_need_no_link(memory):
    def time(device):
        x, y = (ttnn.zeros((32, 128), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory) for _ in range(2))
        return cycles(lambda: copied(x, y))

    with on(Config.FABRIC_1D, 1, 4) as mesh:
        assert time(mesh) == time(ttnn.open_device())


# ===--------------------------------------------------------------------------=== #
# Links between neighbours
# ===--------------------------------------------------------------------------=== #


def test_lanes_share_the_links_of_the_machine():
    one, two, four = (gathered(Config.FABRIC_1D_RING, links, 8) for links in (1, 2, 4))
    assert one > 1.7 * two and two > 1.3 * four


def test_a_lane_has_one_link():
    one, four = (gathered(Config.FABRIC_1D_RING, links, 1) for links in (1, 4))
    assert one == four


@pytest.mark.parametrize("planes, error", [(0, ValueError), (-1, ValueError), ("two", TypeError)])
def test_wrong_numbers_of_links(planes, error):
    with pytest.raises(error, match="num_planes"):
        ttnn.set_fabric_config(Config.FABRIC_1D, num_planes=planes)


# ===--------------------------------------------------------------------------=== #
# Reports
# ===--------------------------------------------------------------------------=== #


SCRIPT = """
import ttnn
ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D, num_planes=PLANES)
mesh = ttnn.open_mesh_device()
x = ttnn.zeros((64, 512), layout=ttnn.TILE_LAYOUT, dtype=ttnn.bfloat16, device=mesh)
ttnn.all_gather(x, dim=0)
ttnn.close_mesh_device(mesh)
"""


@pytest.mark.parametrize("machine, planes, text", [
    ("--mesh=1x4", "None", "FABRIC_1D on 1x4 chips with 1 link between neighbours, because no machine is named"),
    ("--mesh=1x4", "2", "FABRIC_1D on 1x4 chips with 2 links between neighbours"),
    ("--mesh=p150x4", "None", "FABRIC_1D on 1x4 chips with 4 links between neighbours"),
    ("--mesh=p150x4", "2", "FABRIC_1D on 1x4 chips with 2 links between neighbours"),
    ("--mesh=p150x4", "16", "FABRIC_1D on 1x4 chips with 4 links between neighbours"),
    ("--mesh=t3k", "None", "FABRIC_1D on 2x4 chips with 2 links between neighbours"),
])
def test_a_report_says_what_the_fabric_is_taken_for(tmp_path, machine, planes, text):
    script = tmp_path / "gather.py"
    script.write_text(SCRIPT.replace("PLANES", planes))
    process = ttl_jit("time", script, machine)
    assert process.returncode == 0, process.stderr
    assert re.search(rf"the fabric: {text}, without credits", " ".join(process.stdout.split())), process.stdout


def test_the_option_replaces_the_fabric(tmp_path):
    script = tmp_path / "gather.py"
    script.write_text(SCRIPT.replace("PLANES", "None"))
    process = ttl_jit("time", script, "--mesh=p150x4", "--fabric=ring")
    assert "the fabric: FABRIC_1D_RING on 1x4 chips" in " ".join(process.stdout.split()), process.stderr
