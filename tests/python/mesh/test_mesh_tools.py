# SPDX-License-Identifier: Apache-2.0
"""The tools of ttl-jit run kernels for several devices, and name the device in what they print."""

import json
import re
import subprocess

import pytest
from running import RUNTIME_FAULT, SCRIPT_FAILED, SUCCESS, TTL_JIT, environment, run, ttl_jit

# In this ring, every device passes on its first tile. Tests replace WRITE, the statement that writes the sum,
# and START, the first value of y.
RING = """
import warnings

import numpy as np
import ttl
import ttnn

warnings.simplefilter("ignore", UserWarning)
ring = ttl.DeviceDomain((3, 1))
net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, wrap=True))


@ttl.operation(grid=(2, 1), device_domain=ring)
def shift(x, y):
    sent, got, out = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(3))

    @ttl.datamovement()
    def send():
        column, _ = ttl.node(dims=2)
        with sent.reserve() as block:
            ttl.copy(x[0, column], block).wait()
        with sent.wait() as block:
            net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
        with out.wait() as block:
            WRITE

    @ttl.compute()
    def add():
        with got.wait() as block, out.reserve() as result:
            result.store(block + block)

    @ttl.datamovement()
    def receive():
        with got.reserve() as block:
            net.if_dst(lambda pipe: ttl.copy(pipe, block).wait())


ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D_RING)
mesh = ttnn.open_mesh_device(ttnn.MeshShape(3, 1))
full = np.arange(96 * 64, dtype=np.float32).reshape(96, 64)
mapper = ttnn.ShardTensorToMesh(mesh, dim=0)
x = ttnn.from_torch(full, device=mesh, mesh_mapper=mapper)
y = START
shift(x, y)
whole = ttnn.aggregate_tensor(y, ttnn.ConcatMeshToTensor(mesh, dim=0)).to_numpy()
print("right", np.array_equal(whole, 2 * np.roll(full, 32, axis=0)))
"""
ZEROS = "ttnn.from_torch(0 * full, device=mesh, mesh_mapper=mapper)"
EMPTY = "ttnn.empty((32, 64), device=mesh, layout=ttnn.TILE_LAYOUT)"
RIGHT = "ttl.copy(block, y[0, column]).wait()"
# Only device 1 does not write the second tile.
HALF = """if ring.is_current((1, 0)):
                if column == 0:
                    ttl.copy(block, y[0, column]).wait()
            else:
                ttl.copy(block, y[0, column]).wait()"""


@pytest.fixture
def ring(tmp_path):
    def write(text=RIGHT, start=ZEROS):
        path = tmp_path / "ring.py"
        path.write_text(RING.replace("WRITE", text).replace("START", start))
        return path

    return write


def line_of(path, text):
    return next(i for i, line in enumerate(path.read_text().splitlines(), 1) if text in line)


@pytest.mark.parametrize("option", ["--compare=engines", "--compare=schedules:4", "--explore=20", "--check=all",
                                    "--check=init", "--dma=eager", "--dma=random", "--schedule=random"])
def test_a_right_kernel_gives_no_alarm(ring, option):
    process = run(ring(start=EMPTY), option)
    assert (process.returncode, process.stdout) == (SUCCESS, "right True\n"), process.stderr
    assert "error" not in process.stderr and "differs" not in process.stderr


def test_every_pass_keeps_the_bits(ring):
    process = ttl_jit("bisect", ring())
    assert process.returncode == SUCCESS, process.stdout + process.stderr
    assert re.search(r"every pass keeps the bits \(1 launch, \d+ versions run\)", process.stdout)


def test_the_device_of_an_output_that_is_written_in_part(ring):
    path = ring(HALF)
    process = run(path, "--check=outputs")
    assert process.returncode == RUNTIME_FAULT
    assert ("error: tensor 'y' of device 1 is written in part: nothing writes 1024 of its 2048 elements, the first is "
            "[0, 32]") in process.stderr
    assert f"at {path}:{line_of(path, HALF.splitlines()[2].strip())}:" in process.stderr


def test_the_device_of_memory_that_nobody_wrote(ring):
    read = """with sent.reserve() as other:
                ttl.copy(y[0, 1], other).wait()
                print(ttl.raw_element_read(other, 0, 0))
            with sent.wait() as other:
                ttl.copy(other, y[0, 0]).wait()"""
    process = run(ring(read, EMPTY), "--check=init")
    assert process.returncode == RUNTIME_FAULT
    assert re.search(r"error: send\(\) of device \d node \(\d, 0\) uses bytes of page 1 of tensor 'y' of device \d "
                     "that nobody has written", process.stderr)


def test_the_device_of_an_element_that_differs(ring):
    path = ring("ttl.copy(block, y[0, 0]).wait()")
    process = run(path, "--compare=schedules:6")
    assert process.returncode == SCRIPT_FAILED
    assert re.search(r"  tensor y of device \d, element \[0, 0\]: ", process.stderr)
    assert re.search(r"  written by thread send of device \d node \(\d, 0\) at ", process.stderr)


def test_statistics_name_devices_and_links(ring, tmp_path):
    process = run(ring(), "--stats")
    for device in range(3):
        assert f"  device {device}: 8192 B read, 8192 B written, 0 B sent to cores of its own\n" in process.stderr
        assert f"  device {device} to device {(device + 1) % 3}: 8192 B in 2 blocks, " in process.stderr
    assert "kernel shift: mesh 3x1, grid 2x1 on each device, 6 nodes in all\n" in process.stderr
    run(ring(), f"--stats={tmp_path}/stats.json")
    [report] = json.loads((tmp_path / "stats.json").read_text())
    assert report["mesh"] == [3, 1] and len(report["devices"]) == 3
    assert {(link["from"], link["to"]): link["bytes"] for link in report["links"]} == {
        (0, 1): 8192, (1, 2): 8192, (2, 0): 8192, **{(b, a): 0 for a, b in ((0, 1), (1, 2), (2, 0))}}


def test_a_report_has_a_picture_of_the_mesh(ring, tmp_path):
    trace, page = tmp_path / "ring.json", tmp_path / "ring.html"
    assert run(ring(), f"--trace={trace}").returncode == SUCCESS
    assert "device 2 node (1, 0)" in trace.read_text()
    process = ttl_jit("report", trace, f"--html={page}", f"--json={tmp_path}/figures.json")
    assert process.returncode == SUCCESS, process.stderr
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["mesh"] == [3, 1]
    assert {(link["from"], link["to"]) for link in figures["links"] if link["bytes"] == 8192} == {
        (0, 1), (1, 2), (2, 0)}
    assert "drawLinks" in page.read_text() and '"mesh":[3,1]' in page.read_text()
    assert "  device 2 to 0: 2 blocks of 8192 bytes in all, " in ttl_jit("report", trace).stdout


def debugged(path, *commands):
    process = subprocess.run([TTL_JIT, "debug", path], input="".join(f"{line}\n" for line in commands), text=True,
                             capture_output=True, timeout=120, env=environment(), check=False)
    return process.stdout + process.stderr


def test_the_debugger_looks_at_devices(ring):
    path = ring()
    write = line_of(path, RIGHT)
    text = debugged(path, f"break {write} device 2 node 1 0", "continue", "threads", "print x[0, 0]",
                    "node device 1 0 0", "print x[0, 0]", "node device 9 0 0", "node 1 0 receive", "delete 1",
                    "continue", "quit")
    assert "on device 2 node 1,0" in text
    assert "* device 2 (1,0) send" in text and "device 0 (0,0) receive" in text
    assert "4096.0" in text and "2048.0" in text
    assert "there is no thread 'send' on node 0,0" in text
    assert "device 1 (1,0) receive" in text
    assert "right True" in text


HALF_GRID = """
import numpy as np
import ttl
import ttnn


@ttl.operation(grid=(2, 1))
def double(x, y):
    x_dfb, y_dfb = (ttl.make_dataflow_buffer_like(x, shape=(1, 1)) for _ in range(2))

    @ttl.datamovement()
    def read():
        with x_dfb.reserve() as block:
            ttl.copy(x[0, ttl.node(dims=1)], block).wait()

    @ttl.compute()
    def add():
        with x_dfb.wait() as block, y_dfb.reserve() as result:
            result.store(block + block)

    @ttl.datamovement()
    def write():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, ttl.node(dims=1)]).wait()


mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
full = np.arange(1, 64 * 64 + 1, dtype=np.float32).reshape(64, 64)
x, y = (ttnn.from_torch(scale * full, layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=ttnn.ShardTensorToMesh(mesh, 0))
        for scale in (1, 2))
END
"""
IN_PYTHON = """
found = ttl.tune(double, (x, y), {"grid": [(2, 1), (1, 1), (1, 2)]})
for each in found.candidates:
    print(each["values"]["grid"], each.get("skipped"))
whole = ttnn.aggregate_tensor(y, ttnn.ConcatMeshToTensor(mesh, dim=0)).to_numpy()
print("kept", np.array_equal(whole, 2 * full))
"""


@pytest.fixture
def half_grid(tmp_path):
    def write(end):
        path = tmp_path / "half.py"
        path.write_text(HALF_GRID.replace("END", end))
        return path

    return write


def test_tune_takes_tensors_of_a_mesh(half_grid):
    """With grid=(1, 1), half of the result is not written on each device: y keeps its old values there."""
    process = run(half_grid(IN_PYTHON), "--mesh=1x2")
    assert process.returncode == SUCCESS, process.stderr
    *lines, kept = process.stdout.splitlines()
    assert {*lines} == {"(2, 1) None", "(1, 2) None", "(1, 1) results"} and kept == "kept True"
    process = ttl_jit("tune", half_grid("double(x, y)"), "--param", "grid=(2,1),(1,1)", "--mesh=1x2", "--json")
    assert process.returncode == SUCCESS, process.stderr
    skipped = {each["values"]["grid"]: each.get("skipped") for each in json.loads(process.stdout)["candidates"]}
    assert skipped == {"(2, 1)": None, "(1, 1)": "results"}


def test_what_if_takes_tensors_of_a_mesh(half_grid):
    process = ttl_jit("time", half_grid("double(x, y)"), "--what-if=grid", "--mesh=1x2")
    assert process.returncode == SUCCESS, process.stderr
    assert "\n  grid=(1,1): results: its results differ" in process.stdout and process.stderr == ""


def test_what_if_needs_the_mesh(half_grid):
    process = ttl_jit("time", half_grid("double(x, y)\nttnn.close_mesh_device(mesh)"), "--what-if=grid", "--mesh=1x2")
    assert process.returncode == SUCCESS, process.stderr
    assert "\n  other grids: the mesh of the tensors was closed" in process.stdout and process.stderr == ""
