"""ttl-jit obeys the environment variables of TT-Lang, and may be called by other names."""

import json
import subprocess

import pytest

from scripts import ADD, BUILD, printed, run, write

SCRIPT = f"""
import os, sys
import numpy as np
import ttl
{ADD}
a, y = np.ones((32, 32), dtype=np.float32), np.zeros((32, 32), dtype=np.float32)
add(a, a, y)
print(y[0, 0], ttl.grid_size(), *sys.argv[1:])
"""

GRID = """
import ttl

@ttl.operation(grid="auto")
def nothing():
    @ttl.compute()
    def compute():
        pass

nothing()
print(ttl.grid_size())
"""


def test_compile_only(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT)
    assert printed(run(script, TTLANG_COMPILE_ONLY="1")).startswith("0.0")
    assert printed(run(script, TTLANG_COMPILE_ONLY="0")).startswith("2.0")
    own = write(tmp_path, "own.py", "import os; os.environ['TTLANG_COMPILE_ONLY'] = '1'" + SCRIPT)
    assert printed(run(own)).startswith("0.0")


def test_a_kernel_that_does_not_compile_fails_under_compile_only(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT.replace("a_blk + b_blk", "a_blk @ 1"))
    assert run(script, TTLANG_COMPILE_ONLY="1").returncode == 3


B_IS_FILLED = ", b_dfb.reserve() as b_blk", "            ttl.copy(b[0, 0], b_blk).wait()\n"


@pytest.mark.parametrize("left_out, words", [
    (B_IS_FILLED, "this waits for a block of 'b_dfb', but no thread produces any"),
    (B_IS_FILLED[1:], "cannot push block 'b_blk' of 'b_dfb': nobody has written it"),
])
def test_mistakes_that_only_a_run_would_meet_are_warnings(tmp_path, left_out, words):
    text = SCRIPT
    for part in left_out:
        assert part in text
        text = text.replace(part, "")
    script = write(tmp_path, "script.py", text)
    process = run(script, TTLANG_COMPILE_ONLY="1")
    assert process.returncode == 0 and process.stdout.startswith("0.0"), process.stderr
    assert "warning: " + words in process.stderr
    process = run(script)
    assert process.returncode == 3 and "error: " + words in process.stderr


def test_an_option_compiles_only(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT)
    assert printed(run(script, TTL_COMPILE_ONLY="1")).startswith("0.0")


def test_files_of_the_ir(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT)
    first, last = tmp_path / "initial.mlir", tmp_path / "final.mlir"
    printed(run(script, TTLANG_INITIAL_MLIR=str(first), TTLANG_FINAL_MLIR=str(last)))
    assert "ttl.kernel @add" in first.read_text() and "ttl.block_add" in first.read_text()
    assert "ttl.program @add" in last.read_text()
    assert "ttkernel.add_binary_tile" in last.read_text()


def test_the_ir_of_a_kernel_that_fails(tmp_path):
    """The pass pipeline refuses this kernel, so the initial IR is written, but no final IR."""
    script = write(tmp_path, "script.py", SCRIPT.replace("b_dfb.wait() as b_blk", "a_dfb.wait() as b_blk"))
    first, last = tmp_path / "initial.mlir", tmp_path / "final.mlir"
    process = run(script, TTLANG_INITIAL_MLIR=str(first), TTLANG_FINAL_MLIR=str(last))
    if process.returncode == 3:
        assert first.exists() and not last.exists()


def test_a_file_that_cannot_be_written(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT)
    process = run(script, TTLANG_FINAL_MLIR=str(tmp_path / "no" / "final.mlir"))
    assert process.returncode == 1
    assert "TTLANG_FINAL_MLIR: cannot write" in process.stderr


def test_a_runner_of_the_kernel(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT + """
import importlib.util
spec = importlib.util.spec_from_file_location("runner", os.environ["TTLANG_EMIT_RUNNER"])
runner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runner)
from ttl import ttnn
device = ttnn.open_device(device_id=0)
tensors = [ttnn.from_numpy(array, layout=ttnn.TILE_LAYOUT, device=device) for array in (a * 2, y * 0)]
runner.run(tensors)
try:
    runner.run(tensors[:1])
except ValueError as error:
    print(error)
print(tensors[-1].to_numpy()[0, 0], len(runner.CB_CONFIGS), *[kind for _, kind in runner.KERNEL_PATHS])
""")
    file = tmp_path / "add_runner.py"
    process = run(script, TTLANG_EMIT_RUNNER=str(file))
    found = printed(process).splitlines()
    assert found[1].startswith("add takes 2 tensors (a, y), found 1;")
    assert found[2].startswith("4.0 3 ") and sorted(found[2].split()[2:]) == ["compute", "reader", "writer"]
    assert (tmp_path / "add_runner_kernels" / "program.json").exists()
    process = run(script, TTLANG_EMIT_RUNNER=str(tmp_path / "no" / "such" / "add.py"))
    assert process.returncode == 0
    process = run(script, TTLANG_EMIT_RUNNER="/proc/add.py")
    assert "TTLANG_EMIT_RUNNER: cannot write /proc/add_kernels" in process.stderr


def test_other_variables_are_ignored(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT)
    process = run(script, TTLANG_VERBOSE_PASSES="1", TTLANG_SIM_ONLY="1", TT_METAL_HOME="/nowhere",
                  TTLANG_COMPILER_OPTIONS="--no-ttl-maximize-dst")
    assert printed(process).startswith("2.0") and process.stderr == ""


# ===--------------------------------------------------------------------------=== #
# Names of the program
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("program", ["ttlang-sim", "tt-lang-sim"])
def test_the_simulators_names(tmp_path, program):
    script = write(tmp_path, "script.py", SCRIPT)
    options = ["--scheduler", "greedy", "--max-dfbs", "2", "--max-l1=8192", "--grid", "4,2"]
    process = run(script, *options, "one", "two", program=program)
    assert printed(process) == "2.0 (1, 1) one two\n"
    assert "'add' uses 3 circular buffers, but --max-dfbs allows only 2" in process.stderr
    assert "--max-l1 allows only 8192" in process.stderr


def test_options_of_simulators(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT)
    ignored = ["--no-float32-promotion", "--trace-events", "dfb,copy", "--no-trace-events=pipe",
               "--backend", "python", "--num-devices", "1"]
    process = run(*ignored, script, "--num-devices=1", "--", "--dry-run", program="tt-lang-sim")
    assert printed(process).endswith("--dry-run\n")
    assert printed(run(script, "--trace", "--scheduler=fair", program="tt-lang-sim", folder=tmp_path)).startswith("2.0")
    assert (tmp_path / "trace.jsonl").stat().st_size > 0
    assert printed(run("--trace", script, program="tt-lang-sim", folder=tmp_path)).startswith("2.0")
    several = run(script, "--num-devices", "4", program="tt-lang-sim")
    assert several.returncode == 2 and "--num-devices" in several.stderr


def test_the_grid_option(tmp_path):
    script = write(tmp_path, "script.py", GRID)
    assert printed(run(script, "--grid", "3,5", program="ttlang-sim")) == "(3, 5)\n"


def test_options_before_the_file(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT)
    process = run("--scheduler=fair", script, program="ttlang-sim")
    assert printed(process).startswith("2.0")


def test_help_version_and_mistakes():
    assert "ttlang-sim FILE" in printed(run("--help", program="ttlang-sim"))
    assert printed(run("--version", program="ttlang-sim")).startswith("ttl-jit ")
    process = run("no-such-file.py", program="tt-lang-sim")
    assert process.returncode == 2 and "no-such-file.py" in process.stderr
    process = run("k.py", "--scheduler", "slow", program="ttlang-sim")
    assert process.returncode == 2 and "--scheduler: expected one of fair, greedy" in process.stderr


def test_the_names_are_links():
    for name in ("ttlang-sim", "tt-lang-sim", "tt-lang-sim-stats", "ttlang-sim-stats"):
        assert (BUILD / "bin" / name).resolve() == (BUILD / "bin" / "ttl-jit").resolve()


@pytest.mark.parametrize("spelling", [["--trace", "out.jsonl"], ["--trace=out.jsonl"]])
def test_a_trace_is_written(tmp_path, spelling):
    script = write(tmp_path, "script.py", SCRIPT)
    process = subprocess.run([BUILD / "bin" / "ttlang-sim", script, *spelling], cwd=tmp_path,
                             capture_output=True, text=True)
    assert process.returncode == 0 and process.stdout.startswith("2.0") and not process.stderr
    assert json.loads((tmp_path / "out.jsonl").read_text())[0]["name"] == "ttl_trace"
