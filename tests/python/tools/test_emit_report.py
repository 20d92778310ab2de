# SPDX-License-Identifier: Apache-2.0
"""The output of ttl-jit emit-report, and the cost of the C++ of all examples.

emit_totals.json has the totals of each example: `python3 tests/python/tools/test_emit_report.py --update`
writes the file.
"""

import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running import COMPILE_ERROR, EXAMPLES, SUCCESS, USAGE, ttl_jit  # noqa: E402

TOTALS = pathlib.Path(__file__).with_name("emit_totals.json")
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem != "check")

# A kernel whose loops have a known number of iterations.
LOOPS = """
import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def double(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        for i in range(3):
            with x_dfb.reserve() as block:
                ttl.copy(x[0, i], block).wait()

    @ttl.compute()
    def compute():
        for i in range(3):
            with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                y_block.store(x_block + x_block)

    @ttl.datamovement()
    def writer():
        for i in range(3):
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, i]).wait()


print("before")
double(np.ones((32, 96), np.float32), np.zeros((32, 96), np.float32))
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "double.py"
    path.write_text(LOOPS)
    return path


def report(file, *arguments):
    process = ttl_jit("emit-report", file, "--json", *arguments)
    assert process.returncode == SUCCESS, process.stderr
    return json.loads(process.stdout)


def test_calls_are_counted_in_the_text_and_as_often_as_they_run(script):
    kernels = {kernel["thread"]: kernel for kernel in report(script)["kernels"]}
    reader = kernels["reader"]
    assert reader["written"]["transfers"] == 1 and reader["executed"]["transfers"] == 3
    assert reader["written"]["bytes"] == 4096 and reader["executed"]["bytes"] == 3 * 4096
    assert reader["executed"]["barriers"] == 3
    compute = kernels["compute"]
    assert compute["executed"]["tile_operations"] == compute["executed"]["packs"] == 3
    assert compute["executed"]["inits"] == compute["written"]["inits"] == 2


def test_a_loop_of_unknown_length_counts_as_one_iteration():
    # The kernel's loops begin at the coordinates of the core, so their iterations are not known.
    compute, = (kernel for kernel in report(EXAMPLES / "exp_chain.py")["kernels"] if kernel["thread"] == "compute")
    assert compute["written"] == compute["executed"]


def test_the_total_is_the_sum_of_the_kernels(script):
    found = report(script)
    for kind in ("written", "executed"):
        for name, total in found["total"][kind].items():
            assert total == sum(kernel[kind][name] for kernel in found["kernels"])
    assert found["total"]["lines"] == sum(kernel["lines"] for kernel in found["kernels"])


def test_the_table_has_a_row_for_each_kernel(script):
    process = ttl_jit("emit-report", script)
    assert process.returncode == SUCCESS, process.stderr
    lines = process.stdout.splitlines()
    assert lines[0] == "before"
    assert lines[1].split()[:3] == ["kernel", "lines", "inits"]
    assert [line.split()[1] for line in lines[2:5]] == ["reader", "compute", "writer"]
    assert "1 (3)" in lines[2] and "4096 (12288)" in lines[2]
    assert lines[5].startswith("total ")


def test_both_paths_to_cpp_have_one_report(script):
    assert report(script) == report(script, "--emit-path=direct")


def test_programs_have_their_counts(script, tmp_path):
    found = report(script, f"--emit={tmp_path / 'out'}")
    program, = json.loads((tmp_path / "out" / "program.json").read_text())["programs"]
    counts = [kernel["counts"] for kernel in program["kernels"]]
    expected = [{name: kernel[name] for name in ("lines", "written", "executed")} for kernel in found["kernels"]]
    assert counts == expected


def test_a_program_of_mlir_has_a_report():
    file = EXAMPLES.parent / "tests" / "lit" / "programs" / "add.mlir"
    kernels = report(file)["kernels"]
    assert kernels and any(kernel["executed"]["tile_operations"] for kernel in kernels)


def test_errors_keep_their_status(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(LOOPS.replace("x_block + x_block", "x_block + nothing"))
    process = ttl_jit("emit-report", path, "--json")
    assert process.returncode == COMPILE_ERROR and "nothing" in process.stderr
    assert ttl_jit("run", path, "--emit-report=long").returncode == USAGE


def grown(name, found, limits):
    """Yields texts about the counts that are above their limits."""
    if found["lines"] > limits["lines"]:
        yield f"{name}: {found['lines']} lines of C++, {limits['lines']} before"
    for kind in ("written", "executed"):
        for count, limit in limits[kind].items():
            if found[kind][count] > limit:
                yield f"{name}: {found[kind][count]} {count} ({kind}), {limit} before"


@pytest.mark.parametrize("name", NAMES)
def test_no_example_costs_more_than_before(name):
    limits = json.loads(TOTALS.read_text())[name]
    assert not list(grown(name, report(EXAMPLES / f"{name}.py")["total"], limits))


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: test_emit_report.py --update")
    totals = {name: report(EXAMPLES / f"{name}.py")["total"] for name in NAMES}
    TOTALS.write_text(json.dumps(totals, indent=1, sort_keys=True) + "\n")
