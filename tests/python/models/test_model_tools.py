# SPDX-License-Identifier: Apache-2.0
"""Tools on modules of tensor functions: traces, reports, checks, --explore, --compare, the debugger."""

import json
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import BUILD, COMPILE_ERROR, RUNTIME_FAULT, SUCCESS, USAGE, ttl_jit  # noqa: E402

MODULE = """\
func.func @first(%a: tensor<64x40xf32>, %b: tensor<40x64xf32>) -> (tensor<64x64xf32>, tensor<64x1xf32>) {
  %0 = "ttir.matmul"(%a, %b) : (tensor<64x40xf32>, tensor<40x64xf32>) -> tensor<64x64xf32>
  %1 = "ttir.gelu"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = "ttir.sum"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x64xf32>) -> tensor<64x1xf32>
  return %1, %2 : tensor<64x64xf32>, tensor<64x1xf32>
}
func.func @second(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.bitcast_convert"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "ttir.exp"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
"""
KERNELS = ["first_0_matmul", "first_1_gelu", "first_2_sum", "second_0_exp"]


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "model.mlir"
    path.write_text(MODULE)
    return path


def run(*words, status=SUCCESS):
    done = ttl_jit(*map(str, words))
    assert done.returncode == status, done.stderr
    return done


def results(done):
    return [line for line in done.stdout.splitlines() if "hash" in line]


@pytest.mark.parametrize("options", [
    ["--engine=interp"], ["--engine=emitted"], ["--schedule=greedy", "--dma=eager"], ["--check=all"],
    ["--stage=dst", "--engine=interp"], ["--emit-path=direct", "--engine=emitted"], ["--schedule=parallel(2)"],
    ["--compare=schedules"], ["--grid=2,1"]])
def test_all_ways_to_run_give_the_same_bits(module, options):
    assert results(run("run", module, *options)) == results(run("run", module))


@pytest.mark.parametrize("command", ["run", "numerics", "time"])
def test_output_that_nobody_reads_or_that_has_no_room(module, command):
    words = [str(BUILD / "bin" / "ttl-jit"), command, str(module)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (1, "ttl-jit: cannot write to standard output\n")
    reader = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    reader.stdout.close()
    assert (reader.stderr.read(), reader.wait(300)) == ("", 141)


def test_a_recorded_schedule_is_repeated(module, tmp_path):
    record = tmp_path / "record"
    first = run("run", module, f"--record={record}", "--schedule=random")
    assert results(run("run", module, f"--schedule=replay:{record}")) == results(first)


def test_a_trace_has_each_launch(module, tmp_path):
    trace = tmp_path / "trace.json"
    run("run", module, f"--trace={trace}")
    for number, kernel in enumerate(KERNELS, 1):
        assert f"kernel {kernel}, launch {number}: " in run("report", trace, f"--launch={number}").stdout
    assert "model.mlir:9" in run("report", trace, "--counts").stdout
    run("report", trace, f"--json={tmp_path / 'figures.json'}", f"--html={tmp_path / 'page.html'}")
    assert json.loads((tmp_path / "figures.json").read_text())["kernel"] == "second_0_exp"


def test_exploration_names_each_kernel(module):
    lines = [line for line in run("run", module, "--explore=3").stderr.splitlines() if line.startswith("explore")]
    assert [line.split()[2].rstrip(":") for line in lines] == KERNELS


def test_a_bundle_has_each_kernel(module, tmp_path):
    run("run", module, f"--emit={tmp_path / 'out'}")
    programs = json.loads((tmp_path / "out" / "program.json").read_text())["programs"]
    assert [program["name"] for program in programs] == KERNELS


def test_bisect_runs_each_kernel_after_each_pass(module):
    assert "bisect: every pass keeps the bits (4 launches, " in run("bisect", module).stdout


def test_a_chosen_function_is_compiled_alone(module):
    done = run("run", module, "--function=second", "--dump=l1")
    dumped = done.stdout + done.stderr
    assert "l1: second_0_exp" in dumped and "first_0" not in dumped


def test_a_fault_has_the_line_of_the_op(module):
    done = run("run", module, "--limit=10", "--function=second", status=RUNTIME_FAULT)
    assert "the limit of 10 steps is used up" in done.stderr and f"{module}:9:" in done.stderr


def test_a_stage_to_start_from_needs_kernels(module):
    done = run("run", module, "--start-from=dst", status=USAGE)
    assert "--start-from needs a .mlir file of kernels" in done.stderr


def test_an_error_ends_bisect_too(module):
    module.write_text(MODULE.replace("ttir.exp", "ttir.expp"))
    assert "did you mean exp?" in run("bisect", module, status=COMPILE_ERROR).stderr


# ===--------------------------------------------------------------------------=== #
# The debugger


def debugged(file, commands, *options):
    return subprocess.run([BUILD / "bin" / "ttl-jit", "debug", file, *options], input="\n".join(commands) + "\n",
                          capture_output=True, text=True, timeout=60)


def test_the_debugger_stops_in_kernels(module):
    done = debugged(module, ["break 9", "continue", "where", "buffers", "delete 1", "continue"], "--function=second")
    assert done.returncode == SUCCESS, done.stderr
    assert "breakpoint 1: model.mlir:9" in done.stdout
    assert '"ttir.exp"' in done.stdout and "in0: 2 pages of 4096 bytes" in done.stdout
    assert "second_0_exp has ended" in done.stdout and "second: result 0" in done.stdout


def test_lines_without_code(module):
    done = debugged(module, ["break 8", "break 30", "quit"], "--function=second")
    assert "the kernel has no code at line 8; it has code at line 9" in done.stdout
    assert "no code at or after line 30; its last line with code is 9" in done.stdout


def test_the_debugger_needs_tensor_functions(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text("func.func @main() {\n  return\n}\n")
    done = debugged(path, [])
    assert done.returncode == USAGE
    assert "debug needs a Python script or a module of ttir, ttnn or tosa" in done.stderr


# ===--------------------------------------------------------------------------=== #
# ttl-diff


def diff(*words):
    return subprocess.run([BUILD / "bin" / "ttl-diff", *map(str, words)], capture_output=True, text=True, timeout=120)


def test_ttl_diff_compares_modules(module, tmp_path):
    done = diff(module, "--stages=ttl,dst", f"--found={tmp_path / 'found'}")
    assert (done.returncode, done.stderr) == (SUCCESS, "")
    assert done.stdout.startswith("1 program, 22 runs, 0 differences")


@pytest.mark.parametrize("text, words, message", [
    (MODULE.replace("ttir.exp", "ttir.expp"), [],
     "model.mlir:9: unknown operation of ttir: 'expp'; did you mean exp?"),
    (MODULE, ["--mutate=2"], "--mutate changes scripts only"),
    ("module {\n}\n", [], "has no function of ops of ttir, ttnn or tosa"),
], ids=["op", "mutants", "empty"])
def test_what_ttl_diff_refuses(module, text, words, message):
    module.write_text(text)
    done = diff(module, *words)
    assert done.returncode == USAGE and message in done.stderr
