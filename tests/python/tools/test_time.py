# SPDX-License-Identifier: Apache-2.0
"""`ttl-jit time`, `--time` and `op.time()`: estimates of the time on a card."""

import json
import subprocess

import numpy as np
import pytest
import ttl
from running import EXAMPLES, RUNTIME_FAULT, SCRIPT_FAILED, SUCCESS, TTL_JIT, USAGE, environment, run, ttl_jit

COPY = """
import numpy as np
import ttl


@ttl.operation(grid=(1, 1))
def twice(x, y):
    rows = x.shape[0] // 32
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=COUNT)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=COUNT)

    @ttl.datamovement()
    def reader():
        for row in range(rows):
            with x_dfb.reserve() as block:
                ttl.copy(x[row, 0], block).wait()

    @ttl.compute()
    def compute():
        for _ in range(rows):
            with x_dfb.wait() as x_block, y_dfb.reserve() as y_block:
                y_block.store(x_block + x_block)

    @ttl.datamovement()
    def writer():
        for row in range(rows):
            with y_dfb.wait() as block:
                ttl.copy(block, y[row, 0]).wait()


x, y = np.ones((512, 32), np.float32), np.zeros((512, 32), np.float32)
twice(x, y)
assert (y == REST).all()
"""


@pytest.fixture
def script(tmp_path):
    def write(count=2, rest="2"):
        file = tmp_path / f"twice{count}.py"
        file.write_text(COPY.replace("COUNT", str(count)).replace("REST", rest))
        return file
    return write


def figures(*arguments):
    process = ttl_jit("time", *arguments, "--json")
    assert process.returncode == SUCCESS, process.stderr
    return json.loads(process.stdout[process.stdout.index("["):])


def test_the_first_line_is_the_advice(script):
    process = ttl_jit("time", script())
    assert process.returncode == SUCCESS, process.stderr
    first, second = process.stdout.splitlines()[:2]
    assert first.startswith("advice: ")
    assert second.startswith("kernel twice on wormhole_b0, 1 node: ") and " us (between " in second
    for part in ("threads ", "resources:", "lines ", "what if:", "not modelled:"):
        assert f"\n{part}" in process.stdout, part


def test_every_engine_and_schedule_has_the_same_time(script):
    """Nothing but the events counts."""
    file = script()
    expected = figures(file, "--engine=jit")
    for options in (["--engine=interp"], ["--schedule=random", "--seed=3"], ["--schedule=greedy"],
                    ["--dma=eager"], ["--tile-loops=off"]):
        assert figures(file, *options) == expected, options


def test_a_dry_run_has_the_same_time(script):
    assert figures(script(rest="0"), "--dry-run") == figures(script())


def test_figures(script):
    (found,) = figures(script())
    assert found["kernel"] == "twice" and found["arch"] == "wormhole_b0" and found["nodes"] == 1
    assert found["lower"] < found["cycles"] < found["upper"]
    assert found["us"] == pytest.approx(found["cycles"] / found["clock_mhz"])
    assert found["dram_read_bytes"] == found["dram_write_bytes"] == 512 * 32 * 4
    assert sum(found["critical_path"].values()) + found["launch"] == pytest.approx(found["cycles"])
    assert [each["name"] for each in found["threads"]] == ["reader", "compute", "writer"]
    assert any("twice2.py" in line["file"] and line["path"] > 0 for line in found["lines"])


def test_another_chip_has_another_time(script):
    (wormhole,), (blackhole,) = figures(script()), figures(script(), "--arch=blackhole")
    assert blackhole["us"] < wormhole["us"]


def test_a_prediction_of_more_blocks_is_the_time_of_more_blocks(script):
    """Events are replayed with more blocks. A real run with more blocks is at least as fast as the replay."""
    (one,), (two,) = figures(script(1)), figures(script(2))
    assert two["cycles"] < one["cycles"]
    changes = {each["change"]: each["cycles"] for each in one["what_if"]}
    assert two["cycles"] <= changes["block_count=2 of 'x_dfb'"] <= one["cycles"]


def test_zones(tmp_path):
    file = tmp_path / "zone.py"
    file.write_text(COPY.replace("COUNT", "2").replace("REST", "2").replace(
        "        for row in range(rows):\n            with x_dfb",
        "        for row in range(rows):\n            with ttl.signpost('load'), x_dfb"))
    (found,) = figures(file)
    (zone,) = found["zones"]
    assert zone["name"] == "load" and zone["thread"] == "reader" and zone["count"] == 16
    assert 0 < zone["longest"] <= zone["cycles"]


def test_a_file_of_figures(script, tmp_path):
    file = tmp_path / "out.json"
    process = ttl_jit("time", script(), f"--json={file}")
    assert process.returncode == SUCCESS, process.stderr
    assert json.loads(file.read_text())[0]["kernel"] == "twice"


def test_time_is_an_option_of_run(script):
    process = run(script(), "--time")
    assert process.returncode == SUCCESS and process.stdout.startswith("advice: "), process.stderr


def test_without_the_option_nothing_is_printed(script):
    process = run(script())
    assert process.returncode == SUCCESS and process.stdout == ""


@pytest.mark.parametrize("arguments, message", [
    (["--json=out.txt"], "--json takes a file whose name ends in .json; found 'out.txt'"),
    (["--engine=emitted"], "--time needs an engine that runs stage ttkernel"),
    (["--compare=engines"], "--time records one run of each launch"),
    (["--stage=dst"], "--time needs the operations of stage ttkernel"),
])
def test_what_time_cannot_do(script, arguments, message):
    process = ttl_jit("time", script(), *arguments)
    assert process.returncode == USAGE and message in process.stderr, process.stderr


def test_no_file():
    process = ttl_jit("time", "no_such.py")
    assert process.returncode == USAGE and "no_such.py" in process.stderr


def test_a_fault_has_no_time(script):
    file = script()
    file.write_text(file.read_text().replace("for row in range(rows):", "for row in range(rows - 1):", 1))
    process = ttl_jit("time", file)
    assert process.returncode != SUCCESS
    assert "cannot estimate the time of kernel twice: the kernel ended with a fault" in process.stdout


@ttl.operation(grid=(1, 1))
def copied(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.datamovement()
    def writer():
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()


def test_time_of_an_operation():
    x, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    estimate = copied.time(x, y)
    assert (y == 1).all()
    assert estimate.lower <= estimate.cycles <= estimate.upper
    assert str(estimate).startswith(f"advice: {estimate.advice}")
    assert estimate.what_if("DRAM latency free") < estimate.cycles
    with pytest.raises(ValueError, match="no prediction for 'magic'"):
        estimate.what_if("magic")


def test_time_of_a_call_that_launches_nothing():
    x, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
    with ttl.options(compile_only=True), pytest.raises(ValueError, match="launched nothing"):
        copied.time(x, y)


def test_matmul_on_a_hundred_nodes():
    (found,) = figures(EXAMPLES / "matmul_multicore.py")
    assert found["nodes"] == 100 and found["flops"] >= 2 * 640**3


@pytest.mark.parametrize("option", ["--time=no/times.json", "--time=no/times.csv", "--time=noc:no/trace.json",
                                    "--stats=no/stats.json"])
def test_files_in_no_folder(script, option):
    process = run(script(), option)
    assert process.returncode == USAGE and "/no is not a directory" in process.stderr, process.stderr


def test_times_that_cannot_be_written(script, tmp_path):
    path, why = tmp_path / "full.json", "No space left on device"
    path.symlink_to("/dev/full")
    process = run(script(), f"--time={path}")
    assert process.returncode == RUNTIME_FAULT
    assert process.stderr.count(f"error: cannot write the times '{path}': {why}") == 1
    failed = run(script(rest="3"), f"--time={path}")  # its own failure counts more
    assert failed.returncode == SCRIPT_FAILED and "cannot write the times" in failed.stderr


def test_times_on_a_full_standard_output(script):
    with open("/dev/full", "w") as full:
        process = subprocess.run([TTL_JIT, "time", script()], stdout=full, stderr=subprocess.PIPE, text=True,
                                 env=environment(), check=False)
    assert process.returncode == SCRIPT_FAILED
    assert process.stderr == "ttl-jit: cannot write to standard output\n"


def test_times_are_written_once(script, tmp_path):
    file = tmp_path / "times.json"
    assert run(script(), f"--time={file}").returncode == SUCCESS
    assert len(json.loads(file.read_text())) == 1
