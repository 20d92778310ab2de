# SPDX-License-Identifier: Apache-2.0
"""Kernels for several devices as Metalium C++: on the engine `emitted`, and the program that --emit writes."""

import json
import pathlib
import re
import subprocess
import sys

import pytest
import ttl
from meshes import numbers, opened, put
from running import ROOT, run

SCRIPT = pathlib.Path(__file__).parent / "scripts" / "device_transfers.py"
RING = SCRIPT.with_name("ring.py")
sys.path.insert(0, str(ROOT / "tests" / "metalium"))
import headers  # noqa: E402

CASES = [("loops", "FABRIC_1D_RING"), ("loops", "FABRIC_1D"), ("loops", "FABRIC_2D"), ("mixed", "FABRIC_1D"),
         ("sums", "FABRIC_1D"), ("sums", "FABRIC_2D_TORUS_Y"), ("barrier", "FABRIC_2D"),
         ("barrier_of_a_line", "FABRIC_1D"), ("alone", "DISABLED")]


SHAPES = {"loops": "4x1", "mixed": "3x1", "sums": "4x1", "barrier": "2x2", "barrier_of_a_line": "3x1", "alone": "1x3",
          "wide": "3x1", "across": "2x2"}


def printed(*arguments):
    name = arguments[arguments.index("--") + 1]
    process = run(SCRIPT, f"--mesh={SHAPES[name]}", *arguments)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.mark.parametrize("name", sorted({name for name, _ in CASES}))
def test_the_engine_has_the_bits_of_the_others(name):
    fabric = next(fabric for case, fabric in CASES if case == name)
    expected = printed("--engine=jit", "--", name, fabric)
    for options in (["--engine=emitted"], ["--engine=emitted", "--emit-path=direct"], ["--engine=interp"],
                    ["--engine=emitted", "--schedule=parallel(2)"], ["--engine=emitted", "--dma=eager"],
                    ["--engine=emitted", "--schedule=random", "--seed=3"], ["--engine=emitted", "--check=race"]):
        assert printed(*options, "--", name, fabric) == expected


def repeated(folder, *arguments):
    command = [sys.executable, "-W", "ignore", folder / "run_on_device.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name, fabric", CASES)
def test_the_emitted_program_repeats_the_launches(name, fabric, tmp_path):
    out = tmp_path / "out"
    printed(f"--emit={out}", "--", name, fabric)
    process = repeated(out)
    assert process.returncode == 0, process.stdout + process.stderr
    lines = process.stdout.splitlines()
    assert lines and all("pass: launch " in line and "largest error 0," in line for line in lines)
    launches = [json.loads(line) for line in (out / "launches.jsonl").read_text().splitlines()]
    assert [launch["fabric"] for launch in launches] == [fabric] * 2


@pytest.mark.parametrize("generation", ("mid", "new"))
@pytest.mark.parametrize("name, fabric", [("mixed", "FABRIC_1D"), ("barrier", "FABRIC_2D"), ("sums", "FABRIC_1D")])
def test_the_kernels_compile(name, fabric, generation, tmp_path):
    printed(f"--emit={tmp_path}", f"--metalium={generation}", "--", name, fabric)
    declared = headers.write_headers(tmp_path / "headers", generation)
    for path in sorted(tmp_path.glob("*.cpp")):
        for target in headers.TARGETS:
            for defines in ([], ["FABRIC_2D"]):
                assert not headers.compile_errors(path.read_text(), declared, target, *defines)


def test_another_fabric_and_random_inputs(tmp_path):
    printed(f"--emit={tmp_path}", "--", "loops", "FABRIC_1D_RING")
    for arguments in (["--fabric=FABRIC_2D"], ["--fabric=FABRIC_1D"], ["run"]):
        process = repeated(tmp_path, *arguments)
        assert process.returncode == 0, process.stdout + process.stderr
    process = repeated(tmp_path, "--fabric=FABRIC_1D_NEIGHBOR_EXCHANGE")
    assert process.returncode == 1 and "more hops than there are devices" in process.stderr


def test_what_is_written(tmp_path):
    process = run(RING, "--mesh=4x1", f"--emit={tmp_path}")
    assert process.returncode == 0, process.stderr
    readme = (tmp_path / "README.md").read_text()
    assert "| shift | 4x1 | FABRIC_1D |" in readme
    program = json.loads((tmp_path / "program.json").read_text())["programs"][0]
    assert program["mesh"] == [4, 1] and program["semaphores"] == []
    assert [buffer["name"] for buffer in program["buffers"] if buffer.get("allocated")] == ["net_slots", "semaphores"]
    send, receive = program["kernels"]
    assert [entry["reaches"] for entry in send["runtime_args"]] == [[d] for d in (1, 1, 2, 2, 3, 3, 0, 0)]
    assert [entry["reaches"] for entry in receive["runtime_args"]] == [[d] for d in (3, 3, 0, 0, 1, 1, 2, 2)]
    text = (tmp_path / "shift_send.cpp").read_text()
    body = text[text.index("void kernel_main()"):]
    assert re.search(r"ttl_fabric fabric = ttl_fabric_open\(\d+\);", body)
    assert "ttl_fabric_send<2>(fabric, " in body and body.rstrip().endswith("ttl_fabric_close(fabric);\n}")
    assert "ttl_fabric_inc<2>(fabric, " in (tmp_path / "shift_receive.cpp").read_text()


# ===--------------------------------------------------------------------------=== #
# Collectives

COLLECTIVES = SCRIPT.with_name("all_collectives.py")
NAMES = ["all_gather", "all_broadcast", "broadcast", "point_to_point", "reduce_scatter", "all_reduce", "all_to_all",
         "mesh_partition"]
WITH_EXPERTS = [*NAMES, "all_to_all_dispatch", "all_to_all_combine"]  # lines along one axis only
FABRICS = [("1x3", "FABRIC_1D_RING", "Ring", "all", "float32"), ("3x1", "FABRIC_1D", "Linear", "all", "bfloat16"),
           ("2x2", "FABRIC_2D", "Linear", "1", "int32")]


def collected(shape, *arguments):
    process = run(COLLECTIVES, f"--mesh={shape}", *arguments)
    assert process.returncode == 0, process.stdout + process.stderr
    names = NAMES if "all" in arguments else WITH_EXPERTS
    assert [line.split()[0] for line in process.stdout.splitlines()] == names
    return process.stdout


@pytest.mark.parametrize("shape, fabric, topology, axis, dtype", FABRICS)
def test_collectives_on_the_engine(shape, fabric, topology, axis, dtype):
    arguments = ["--", fabric, topology, axis, dtype]
    expected = collected(shape, "--ccl=host", *arguments)
    for options in (["--engine=jit"], ["--engine=emitted"], ["--engine=emitted", "--emit-path=direct"]):
        assert collected(shape, *options, *arguments) == expected


@pytest.mark.parametrize("shape, fabric, topology, axis, dtype", FABRICS)
def test_collectives_are_emitted(shape, fabric, topology, axis, dtype, tmp_path):
    out = tmp_path / "out"
    arguments = ["--", fabric, topology, axis, dtype]
    assert collected(shape, f"--emit={out}", *arguments) == collected(shape, "--ccl=host", *arguments)
    process = repeated(out)
    assert process.returncode == 0, process.stdout + process.stderr
    lines = process.stdout.splitlines()
    assert len(lines) >= len(NAMES)
    assert all("pass: launch " in line and "largest error 0," in line for line in lines)


def test_more_lanes_than_links_are_refused(tmp_path):
    script = tmp_path / "lanes.py"
    script.write_text(COLLECTIVES.read_text().replace("ttnn.all_gather(x, 1, ", "ttnn.all_gather(x, 1, lanes=8, "))
    process = run(script, "--mesh=1x3", f"--emit={tmp_path / 'out'}", "--", "FABRIC_1D", "Linear", "all", "float32")
    assert process.returncode == 1 and "all_gather(): --emit: more than 4 nodes of device" in process.stderr


# ===--------------------------------------------------------------------------=== #
# Refusals


def test_slices_are_refused_at_the_net():
    line = ttl.DeviceDomain((2, 1))
    net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(line))

    @ttl.operation(grid=(1, 1), device_domain=line)
    def gather(x, y):
        dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

        @ttl.datamovement()
        def move():
            with dfb.reserve() as block:
                ttl.copy(x[0, 0], block).wait()
            with dfb.wait() as block:
                net.if_src(lambda pipe: ttl.copy(block, pipe).wait())
            net.if_dst(lambda pipe: ttl.copy(pipe, y[0, 0], shape=(1, 1)).wait())

    with opened(2, 1) as mesh:
        x, y = put(numbers(64, 32), mesh), put(numbers(64, 32), mesh)
        with pytest.raises(ttl.CompileError, match="net 'net' receives into slices of a tensor") as caught:
            gather(x, y, options="--engine=emitted")
    assert caught.value.line == numbers_of_line("net = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(line))")


def numbers_of_line(text):
    """Returns the number of this file's first line with that text."""
    lines = pathlib.Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip() == text)


@pytest.mark.parametrize("name, fabric, message", [
    ("wide", "FABRIC_1D", "more than 4 nodes of device (0, 0) send in direction"),
    ("across", "FABRIC_1D", "must connect devices on one logical mesh axis"),
])
def test_what_cards_lack_is_refused(name, fabric, message, tmp_path):
    process = run(SCRIPT, f"--mesh={SHAPES[name]}", f"--emit={tmp_path}", "--", name, fabric)
    assert process.returncode == 3 and message in process.stderr
    assert "device_transfers.py:" in process.stderr


def test_generation_old_is_refused(tmp_path):
    process = run(RING, "--mesh=4x1", f"--emit={tmp_path}", "--metalium=old")
    assert process.returncode == 3 and "have no C++ of generation 'old'" in process.stderr
