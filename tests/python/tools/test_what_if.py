# SPDX-License-Identifier: Apache-2.0
"""`ttl-jit time --what-if`: how long kernels take with other grids and blocks."""

import json
import os
import shlex
import subprocess
import sys

import numpy as np
import pytest
import ttl
from running import EXAMPLES, SUCCESS, USAGE, environment, run, ttl_jit

SCRIPT = """
import numpy as np
import ttl

BLOCK = 2


@ttl.operation(grid=GRID)
def doubled(x, y, width=2):
    columns, rows = ttl.grid_size(dims=2)
    high = x.shape[0] // 32 // rows
    wide = x.shape[1] // 32 // columns
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(BLOCK, width), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(BLOCK, width), block_count=2)

    @ttl.datamovement()
    def reader():
        column, row = ttl.node(dims=2)
        for i in range(row * high, row * high + high, BLOCK):
            for j in range(column * wide, column * wide + wide, width):
                with x_dfb.reserve() as block:
                    ttl.copy(x[i : i + BLOCK, j : j + width], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(0, high, BLOCK):
            for _ in range(0, wide, width):
                with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                    y_block.store(x_block + x_block)

    @ttl.datamovement()
    def writer():
        column, row = ttl.node(dims=2)
        for i in range(row * high, row * high + high, BLOCK):
            for j in range(column * wide, column * wide + wide, width):
                with y_dfb.wait() as block:
                    ttl.copy(block, y[i : i + BLOCK, j : j + width]).wait()


x, y = np.arange(SIZE * SIZE, dtype=np.float32).reshape(SIZE, SIZE), np.zeros((SIZE, SIZE), np.float32)
for _ in range(2):
    doubled(x, y)
assert (y == 2 * x).all()
"""


@pytest.fixture
def script(tmp_path):
    def write(grid="(2, 2)", size=256, text=SCRIPT):
        file = tmp_path / "doubled.py"
        file.write_text(text.replace("GRID", str(grid)).replace("SIZE", str(size)))
        return file
    return write


def changes(*arguments):
    """Returns the cycles of each change, why others are not possible, and the whole estimate."""
    process = ttl_jit("time", *arguments, "--json")
    assert process.returncode == SUCCESS, process.stderr
    (found,) = json.loads(process.stdout[process.stdout.index("["):])
    return ({each["change"]: each["cycles"] for each in found["what_if"]},
            {each["change"]: each["why"] for each in found["not_possible"]}, found)


def test_each_grid_is_what_a_run_with_it_takes(script):
    plain = changes(script())[0]
    tried, refused, found = changes(script(), "--what-if=grid")
    grids = {name for name in tried if name.startswith("grid=")}
    assert {"grid=(4,4)", "grid=(4,2)", "grid=(1,2)"} <= grids and "grid=(2,2)" not in grids
    assert {name: cycles for name, cycles in tried.items() if name not in grids} == plain
    assert tried["grid=(4,2)"] < found["cycles"] < tried["grid=(1,2)"] < tried["grid=(1,1)"]
    for grid in ((4, 2), (1, 1)):
        assert changes(script(grid))[2]["cycles"] == tried[f"grid=({grid[0]},{grid[1]})"]
    assert found["advice"].startswith("use grid=(4,2): ")
    # Grids of 8 in a direction are refused: each node would get one of 8 tiles, but blocks have two.
    assert {name for name in refused if "8" in name} == refused.keys()


def test_a_part_of_the_result_is_not_the_result(script):
    """The second call finds the results of the first in y: a run that leaves some out must not be right."""
    text = SCRIPT.replace("BLOCK = 2", "BLOCK = 1").replace("width=2", "width=1")
    tried, refused, _ = changes(script("(2, 2)", 192, text), "--what-if=grid")
    assert "grid=(1,1)" in tried
    assert refused["grid=(4,4)"].startswith("results: its results differ from those of the call by up to")


def test_blocks_are_numbers_in_shapes(script):
    tried, refused, found = changes(script(), "--what-if=blocks")
    assert {name for name in (*tried, *refused) if not name.startswith(("grid", "block_count"))} >= {
        "BLOCK=1", "BLOCK=4", "width=1", "width=4"}
    assert not any(name.startswith("grid") for name in (*tried, *refused))
    bytes_of = {each["change"]: each["l1_bytes"] for each in found["what_if"]}
    assert bytes_of["BLOCK=4"] == found["l1_bytes"] == 2 * 2 * 4 * 4096
    assert bytes_of["width=1"] == -found["l1_bytes"] // 2
    changed = script(text=SCRIPT.replace("BLOCK = 2", "BLOCK = 4"))
    assert changes(changed)[2]["cycles"] == tried["BLOCK=4"]


def test_the_table_names_what_is_not_possible_and_the_search_of_all(script):
    file = script()
    process = ttl_jit("time", file, "--what-if")
    assert process.returncode == SUCCESS, process.stderr
    table, _, rest = process.stdout.partition("what if:")[2].partition("not possible:\n")
    assert "  grid=(4,4) " in table and "  BLOCK=1 " in table
    reasons = rest.partition("not modelled:")[0].splitlines()
    assert reasons and all(line.startswith("  grid=(") for line in reasons), reasons
    [command] = [line.partition(": ")[2] for line in table.splitlines() if line.startswith("  all combinations: ")]
    assert command.startswith("ttl-jit tune ") and "BLOCK=2,1,4" in command and "width=2,1,4" in command
    found = ttl_jit(*shlex.split(command)[1:], "--top=1")
    assert found.returncode == SUCCESS, found.stderr
    assert "\nbest: grid=(" in found.stdout


FILLS_MORE = """if columns == 4:
            for _ in range(3):
                with x_dfb.reserve() as block:
                    ttl.copy(x[0:BLOCK, 0:width], block).wait()"""
ENDLESS = """while columns == 4:
            row = row + 1 - 1"""


@pytest.mark.parametrize("kind, body, part", [
    ("failed", "if columns == 4:\n        raise KeyError('four')", "KeyError: 'four'"),
    ("failed", "1 / (columns - 4)", "ZeroDivisionError"),
    ("refused", "BLOCK = 0 if columns == 4 else 2", "doubled.py:"),
])
def test_a_change_that_fails_has_its_reason(script, kind, body, part):
    text = SCRIPT.replace("    high = ", f"    {body}\n    high = ")
    tried, refused, _ = changes(script(text=text), "--what-if=grid")
    assert refused["grid=(4,4)"].startswith(f"{kind}: ") and part in refused["grid=(4,4)"]
    assert "grid=(1,1)" in tried


@pytest.mark.parametrize("kind, body, part", [
    ("refused", FILLS_MORE, "doubled.py:"),
    ("fault", ENDLESS, "steps"),
])
def test_a_change_that_hangs_has_its_reason(script, kind, body, part):
    text = SCRIPT.replace("        column, row = ttl.node(dims=2)\n", "        column, row = ttl.node(dims=2)\n"
                          f"        {body}\n", 1)
    tried, refused, _ = changes(script(text=text), "--what-if=grid")
    assert refused["grid=(4,4)"].startswith(f"{kind}: ") and part in refused["grid=(4,4)"], refused
    assert "grid=(1,1)" in tried


@pytest.mark.parametrize("form, grid", [('"auto"', "(4,4)"), ('"full"', "(8,4)"), ("(4,)", "(2)"),
                                        ("lambda x, y, width=2: (2, 2)", "(4,4)")])
def test_every_form_of_a_grid_has_others(script, form, grid):
    tried, refused, _ = changes(script(form, 512), "--what-if=grid")
    assert any(name.startswith("grid=") for name in tried), refused
    assert f"grid={grid.replace('(2)', '(2,)')}" in {**tried, **refused}


def test_no_grid_is_larger_than_the_chip(script):
    tried, refused, _ = changes(script(), "--what-if=grid", "--arch=wormhole_b0@2x4")
    grids = {name for name in {**tried, **refused} if name.startswith("grid=")}
    assert grids == {"grid=(2,4)", "grid=(2,1)", "grid=(1,4)", "grid=(1,2)", "grid=(1,1)"}


UNIFIED = """
import numpy as np
import ttl


def operation(width):
    @ttl.operation(grid=(1, 1))
    def halved(x, y):
        for k in range(0, x.shape[1] // 32, width):
            x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, width), block_count=2)
            y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, width), block_count=2)
            ttl.copy(x[0:1, k : k + width], x_dfb.reserve())
            y_dfb.reserve().store(x_dfb.wait() * 0.5)
            ttl.copy(y_dfb.wait(), y[0:1, k : k + width])
    return halved


x, y = np.ones((32, 512), np.float32), np.zeros((32, 512), np.float32)
operation(2)(x, y)
assert (y == 0.5).all()
"""


def test_the_name_of_a_function_around_a_unified_body(script):
    tried, _, found = changes(script(text=UNIFIED), "--what-if")
    assert tried["width=4"] < found["cycles"] < tried["width=1"]


def test_blocks_of_literal_numbers(script):
    text = SCRIPT.replace("(BLOCK, width)", "(2, 2)")
    _, refused, _ = changes(script(text=text), "--what-if=blocks")
    assert refused["other blocks"].startswith("no block of doubled() has an extent at doubled.py:")
    assert "give the number a name" in refused["other blocks"]


def test_a_dry_run_has_the_same_times(script):
    compared, _, _ = changes(script(), "--what-if=grid")
    file = script(text=SCRIPT.replace("assert", "# assert"))
    dry, _, _ = changes(file, "--what-if=grid", "--dry-run")
    # Tensors may have other places in DRAM, and then other distances.
    assert {name: dry[name] for name in compared} == pytest.approx(compared, rel=1e-3)


@pytest.mark.parametrize("options, message", [
    (["--what-if=all"], "--what-if: expected on, off, grid, blocks or grid,blocks; found 'all'"),
    (["--what-if", "--csv=out.csv"], "has neither; leave one out"),
    (["--what-if", "--noc-trace=out.json"], "has neither; leave one out"),
    (["--what-if", "--trace=out.json"], "--what-if runs kernels again, and --trace, "),
    (["--what-if", "--stats"], "--what-if runs kernels again, and --trace, "),
])
def test_what_does_not_go_together(script, options, message):
    process = ttl_jit("time", script(), *options)
    assert process.returncode == USAGE and message in process.stderr, process.stderr


def test_without_a_report_there_is_no_place_for_changes(script, tmp_path):
    process = run(script(), "--what-if")
    assert process.returncode == USAGE and "add --time, or use ttl-jit time" in process.stderr
    module = tmp_path / "empty.mlir"
    module.write_text("module {}\n")
    process = ttl_jit("time", module, "--what-if")
    assert process.returncode == USAGE and "calls the operations of a script (.py) again" in process.stderr


def test_an_ordinary_python_process(script):
    process = subprocess.run([sys.executable, script()], capture_output=True, text=True, check=False,
                             env={**environment(), "TTL_TIME": "on", "TTL_WHAT_IF": "grid",
                                  "PYTHONPATH": os.environ["PYTHONPATH"]})
    assert process.returncode == SUCCESS, process.stderr
    assert process.stdout.startswith("advice: use grid=(4,2)") and "\n  grid=(4,2) " in process.stdout


def test_the_multicore_matmul_has_faster_grids():
    tried, refused, _ = changes(EXAMPLES / "matmul_multicore.py", "--what-if")
    assert {name for name in {**tried, **refused} if name.startswith("grid=")} == {
        f"grid=({x},{y})" for x in (5, 10, 13) for y in (5, 10) if (x, y) != (10, 10)}
    assert refused["grid=(13,10)"].startswith("results: ")
    assert {"K_BLOCK=1", "K_BLOCK=4", "grid=(5,10)"} <= tried.keys()


# ===--------------------------------------------------------------------------=== #
# In Python
# ===--------------------------------------------------------------------------=== #


@ttl.operation(grid=(1, 1))
def tripled(x, y, wide: int):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, wide), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, wide), block_count=2)

    @ttl.datamovement()
    def reader():
        column = ttl.node(dims=2)[0]
        size = x.shape[1] // 32 // ttl.grid_size(dims=2)[0]
        for j in range(column * size, column * size + size, wide):
            with x_dfb.reserve() as block:
                ttl.copy(x[0:1, j : j + wide], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(0, x.shape[1] // 32 // ttl.grid_size(dims=2)[0], wide):
            with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                y_block.store(x_block * 3)

    @ttl.datamovement()
    def writer():
        column = ttl.node(dims=2)[0]
        size = x.shape[1] // 32 // ttl.grid_size(dims=2)[0]
        for j in range(column * size, column * size + size, wide):
            with y_dfb.wait() as block:
                ttl.copy(block, y[0:1, j : j + wide]).wait()


def test_an_estimate_in_python_has_the_changes():
    x, y = np.ones((32, 512), np.float32), np.zeros((32, 512), np.float32)
    plain = tripled.time(x, y, 2)
    y[:] = 0
    with ttl.options(what_if=True):
        estimate = tripled.time(x, y, 2)
    assert (y == 3).all() and estimate.cycles == plain.cycles
    assert estimate.what_if("grid=(8,1)") < estimate.what_if("grid=(2,1)") < estimate.cycles
    assert estimate.what_if("wide=4") < estimate.what_if("wide=1")
    # All rows of nodes would do the same.
    assert estimate.what_if("grid=(1,2)") >= estimate.cycles
    with ttl.options(what_if="blocks"):
        estimate = tripled.time(x, y, 2)
    assert not any(each["change"].startswith("grid") for each in estimate.figures["what_if"])
    assert plain.figures["what_if"] == [each for each in estimate.figures["what_if"] if "wide" not in each["change"]]


def test_a_change_that_is_not_possible_says_why():
    x, y = np.ones((32, 96), np.float32), np.zeros((32, 96), np.float32)
    with ttl.options(what_if="grid"):
        estimate = tripled.time(x, y, 1)
    with pytest.raises(ValueError, match=r"grid=\(2,1\) is not possible: results: .* no finite difference"):
        estimate.what_if("grid=(2,1)")


def test_a_kernel_that_adds_to_what_is_there():
    """Its output is an input, too, and is not hidden."""
    @ttl.operation(grid=(1, 1))
    def added(x, y, wide: int):
        for k in range(0, x.shape[1] // 32, wide):
            x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, wide))
            in_dfb, out_dfb = (ttl.make_dataflow_buffer_like(y, shape=(1, wide)) for _ in range(2))
            ttl.copy(x[0:1, k : k + wide], x_dfb.reserve())
            ttl.copy(y[0:1, k : k + wide], in_dfb.reserve())
            out_dfb.reserve().store(x_dfb.wait() + in_dfb.wait())
            ttl.copy(out_dfb.wait(), y[0:1, k : k + wide])

    x, y = np.ones((32, 256), np.float32), np.full((32, 256), 2, np.float32)
    with ttl.options(what_if=True):
        estimate = added.time(x, y, 2)
    assert (y == 3).all()
    assert estimate.what_if("wide=4") < estimate.cycles
