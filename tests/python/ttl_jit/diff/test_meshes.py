# SPDX-License-Identifier: Apache-2.0
"""ttl-diff --meshes: random programs for several devices, and results that depend on the order of threads."""

import json

import _ttjit
import pytest
from diff_command import BUILD, DIFFERENT, SAME, USAGE, outcome, ttl_diff
from ttl_jit.diff import runs, variants
from ttl_jit.diff.campaign import Result
from ttl_jit.diff.mesh_program import MeshProgram

PLUGIN = BUILD / "lib" / "ttjit-test-passes.so"
FAIR = ["--schedules=fair", "--dma=", "--stages=ttkernel", "--switches="]
ORDERS = ["--options=--engine=interp --dma=random --seed=2", "--options=--engine=jit --schedule=random --seed=1",
          "--options=--engine=jit --schedule=parallel(2)"]
SEEDS = range(200)


@pytest.fixture(scope="module")
def programs():
    return [MeshProgram(seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def texts(programs):
    return [program.text() for program in programs]


# ===--------------------------------------------------------------------------=== #
# Programs
# ===--------------------------------------------------------------------------=== #


def test_the_same_seed_gives_the_same_programs(texts):
    assert len(set(texts)) == len(texts)
    assert [MeshProgram(seed).text() for seed in SEEDS[:20]] == texts[:20]


@pytest.mark.parametrize("construct", [
    ".destination_count()", "bfloat8_b", "ttnn.all_gather(", "ttnn.reduce_scatter(", "ttnn.all_reduce(",
    ".axis_neighbor(", "wrap=True", ".stencil(", ".gather(", ".scatter(", "TransferGraph.all_to_all(",
    "TransferGraph.edges(", "mappings=[", "pipes=[ttl.Pipe(", ".product(", ".at_node(", ".pairwise(",
    "Pipe.all_to_all(", "include_self=True", "ttl.Pipe((0, 0), (slice(", "::-1", "ttl.wait_any(", ".wait_eq(",
    ".set(0)", ".set(t + 1)", ".inc(1)", "get_remote_multicast().set(", ".wait_ge(", "copy(pipe, p0_y[", "shape=(",
    "while ", "is_current(", "current_index()", "source_device_index", "destination_device_index", "@ttl.compute()",
    ".is_src()", "reduce_sum(", "math.exp(", "branch: else", "float32", "bfloat16", "int32",
    "ShardTensorToMesh(mesh, dim=1)", "ReplicateTensorToMesh", "ShardTensor2dMesh", "grid=(1, 1)", "grid=(2, 2)",
    "opened(2, 4", "opened(1, 3", "FABRIC_1D_RING", "print(", "xf.wait()", "--check=off", "_up in range(",
])
def test_random_programs_have_every_construct(construct, texts):
    found = [text for text in texts if construct.removeprefix("branch: ") in text.split("def placed(")[1]]
    assert len(found) >= 2


def test_random_programs_have_every_piece(programs):
    from ttl_jit.diff import mesh_kernel, mesh_orders, mesh_relays

    found = {type(piece) for program in programs for kernel in program.kernels for piece in kernel.pieces}
    assert found == {*mesh_kernel.PIECES, *mesh_orders.PIECES, mesh_relays.Unified}


def test_random_programs_have_unified_bodies(programs):
    kernels = [kernel.text() for program in programs for kernel in program.kernels]
    unified = [text for text in kernels if "@ttl.datamovement" not in text]
    assert unified and all("net.if_dst(" in text for text in unified)


def test_one_program_in_eight_depends_on_the_order(programs):
    share = sum(not program.is_ordered for program in programs) / len(programs)
    assert 1 / 16 < share < 1 / 4


def test_random_programs_give_the_same_bits_on_both_engines(tmp_path):
    process = ttl_diff("--generate=12", "--meshes", "--seed=2", *FAIR, "--found", tmp_path)
    assert outcome(process)[0] == SAME, outcome(process)[1]
    assert process.stdout.startswith("12 programs, 36 runs, 0 differences"), process.stdout
    assert "functions used" not in process.stdout


def test_random_programs_give_the_same_bits_in_all_orders(programs, texts, tmp_path):
    files = []
    for number in [number for number, program in enumerate(programs) if program.is_ordered][:12]:
        files.append(tmp_path / f"program{number}.py")
        files[-1].write_text(texts[number])
    process = ttl_diff(*files, "--engines=interp", "--schedules=fair", "--dma=", *ORDERS, "--found", tmp_path)
    assert outcome(process)[0] == SAME, outcome(process)[1]
    assert "ended with an error" not in process.stdout, process.stdout


def test_programs_that_depend_on_the_order_are_classified(programs, texts, tmp_path):
    """Results of some programs differ in these orders; each of these programs has a known reason."""
    files = []
    for number in [number for number, program in enumerate(programs) if not program.is_ordered][:12]:
        files.append(tmp_path / f"program{number}.py")
        files[-1].write_text(texts[number])
    orders = "--schedules=fair,random:1,random:2", "--dma=eager"
    process = ttl_diff(*files, "--engines=interp", *orders, "--found", tmp_path)
    assert outcome(process)[0] == SAME, outcome(process)[1]
    assert "with results that depend on the order of threads, as classified:" in process.stdout


@pytest.mark.parametrize("mistake", ["drop-fills", "next-page"])
def test_a_planted_mistake_is_found(mistake, tmp_path):
    process = ttl_diff("--generate=60", "--meshes", "--engines=interp", "--schedules=fair", "--dma=",
                       "--stages=ttkernel", f"--options=--engine=jit --insert-pass=test-{mistake}@ttkernel",
                       "--most-found=1", "--no-reduce", "--found", tmp_path, TTL_PASS_PLUGIN=str(PLUGIN))
    assert process.returncode == DIFFERENT, outcome(process)[1]
    (file,) = tmp_path.glob("*.py")
    assert "opened(" in file.read_text()


def test_meshes_need_random_programs():
    process = ttl_diff("--meshes", __file__)
    assert process.returncode == USAGE and "--meshes: needs --generate N" in process.stderr


# ===--------------------------------------------------------------------------=== #
# Runs of one program
# ===--------------------------------------------------------------------------=== #

# `value` is computed on device 2, `text` is printed there.
SCRIPT = """\
import numpy as np
import ttl
import ttnn
from ttnn import settings


@ttl.operation(grid=(1, 1))
def kernel(y):
    dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    dma = len(str(settings.block.get()))

    @ttl.compute()
    def compute():
        with dfb.reserve() as block:
            block.store(ttl.block.fill({value}, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        print({text})
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 3))
kernel(ttnn.from_torch(np.zeros((96, 32), np.float32), layout=ttnn.TILE_LAYOUT, device=mesh,
                       mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=0)))
"""
TWO = [variants.of(text) for text in ("--engine=interp --schedule=fair", "--engine=interp --dma=eager")]
LATER = [TWO[0], variants.of("--engine=jit --schedule=fair")]


def compared(tmp_path, ways=TWO, value="1.0", text="0"):
    return runs.compare(SCRIPT.format(value=value, text=text), str(tmp_path / "script.py"), ways)


@pytest.fixture
def classified(monkeypatch):
    """Sets the reasons that launches give for results that depend on the order, once per run."""
    def set_reasons(*reasons):
        known = []
        monkeypatch.setattr(_ttjit, "take_order_reasons", lambda: known.pop() if known else [])
        run = runs.Program.__call__

        def running(program):
            run(program)
            known.append(list(reasons))

        monkeypatch.setattr(runs.Program, "__call__", running)

    return set_reasons


def test_a_program_may_leave_its_mesh_open(tmp_path):
    report = compared(tmp_path)
    assert report["runs"] == 2 and not report["error"] and report["finding"] is None


def test_operations_can_be_called_after_a_comparison(tmp_path):
    """A comparison replaces Operation.__call__ for a time. The method must be restored on the class."""
    compared(tmp_path)
    scope = {"__name__": "kernels", "__file__": str(tmp_path / "script.py")}
    text = SCRIPT.format(value="1.0", text="0").partition("mesh =")[0]
    exec(compile(text, scope["__file__"], "exec"), scope)
    y = scope["np"].zeros((32, 32), "float32")
    scope["kernel"](y)
    assert (y == 1).all()


def test_a_difference_names_the_device(tmp_path):
    finding = compared(tmp_path, value="dma")["finding"]
    assert finding["text"].startswith("launch 0 of kernel, tensor y of device 0: 1024 of 1024 elements differ")


def test_lines_that_devices_print_are_compared(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(value="1.0", text="dma"))
    ways = "--engines=interp", "--schedules=fair", "--dma=eager", "--no-reduce"
    process = ttl_diff(script, *ways, "--found", tmp_path)
    assert process.returncode == DIFFERENT, outcome(process)[1]
    assert "# ttl-diff found: the printed lines differ" in (tmp_path / "program0.py").read_text()


def test_results_that_depend_on_the_order_as_classified_are_no_finding(tmp_path, classified):
    classified("'ttl.wait_any' takes what comes first", "another reason")
    report = compared(tmp_path, value="dma")
    assert report["finding"] is None and report["depends"] == "'ttl.wait_any' takes what comes first"
    assert compared(tmp_path)["depends"] == ""  # equal results count as equal, whatever the reason says


def test_a_wrong_classification_is_a_finding(tmp_path, classified):
    classified()
    report = compared(tmp_path, value="dma")
    assert report["finding"]["text"].startswith("launch 0 of kernel, tensor y of device 0")
    assert report["depends"] == ""


def test_runs_in_one_order_must_agree_whatever_the_classification_says(tmp_path, classified):
    classified("a reason")
    assert compared(tmp_path, LATER, value="dma")["finding"] is not None


def test_a_stage_of_the_compiler_may_have_another_order(tmp_path, classified):
    classified("a reason")
    report = compared(tmp_path, [TWO[0], variants.of("--engine=interp --stage=ttl")], value="dma")
    assert report["finding"] is None and report["depends"] == "a reason"


def test_the_summary_counts_programs_that_depend_on_the_order(tmp_path):
    one, other = Result(programs=2, depends={"'ttl.wait_any'": 1}), Result(programs=3, depends={"'ttl.wait_any'": 2})
    files = []
    for number, result in enumerate((one, other)):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(result.to_json())
    assert json.loads(files[0].read_text())["depends"] == {"'ttl.wait_any'": 1}
    process = ttl_diff("merge", *files)
    assert process.returncode == SAME, outcome(process)[1]
    assert process.stdout.splitlines()[1:] == [
        "3 programs with results that depend on the order of threads, as classified:", "      3 'ttl.wait_any'"]
