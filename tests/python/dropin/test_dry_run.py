"""--dry-run: kernels move data and follow the protocol of buffers, but compute nothing. Also, statistics."""

import pytest

from scripts import ADD, BUILD, finished, printed, run, write

SCRIPT = f"""
import numpy as np
import ttl
{ADD}
a, y = np.ones((32, 32), dtype=np.float32), np.full((32, 32), 7, dtype=np.float32)
add(a, a, y)
print(y.min(), y.max())
"""
ENGINES = "auto", "jit", "interp", "emitted"
SUMMARY = "dry run: no findings in 1 launch; blocks that kernels compute are zeros\n"

# A kernel with products in a loop, reductions, and a block that the compiler adds.
LARGER = """
import numpy as np
import ttl

@ttl.operation(grid=(2, 2), fp32_dest_acc_en=True)
def product(a, b, y, copied):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(2, 2))
    b_dfb = ttl.make_dataflow_buffer_like(b, shape=(2, 2))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(2, 2))

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            for k in range(2):
                with a_dfb.wait() as x, b_dfb.wait() as w:
                    out += ttl.exp(x) @ w + ttl.math.broadcast(
                        ttl.math.reduce_max(x, dims=[1]), dims=[1], shape=(2, 2))

    @ttl.datamovement()
    def reader():
        x, y = ttl.node(dims=2)
        for k in range(2):
            with a_dfb.reserve() as block:
                ttl.copy(a[2 * y:2 * y + 2, 2 * k:2 * k + 2], block).wait()
            with b_dfb.reserve() as block:
                ttl.copy(b[2 * k:2 * k + 2, 2 * x:2 * x + 2], block).wait()

    @ttl.datamovement()
    def writer():
        column, row = ttl.node(dims=2)
        with y_dfb.wait() as block:
            ttl.copy(block, y[2 * row:2 * row + 2, 2 * column:2 * column + 2]).wait()

a = np.random.default_rng(1).random((128, 128), dtype=np.float32)
y = np.full((128, 128), 7, dtype=np.float32)
product(a, a, y, y)
print(y.min(), y.max())
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_blocks_are_zeros(tmp_path, engine):
    for number, text in enumerate((SCRIPT, LARGER)):
        process = run(write(tmp_path, f"script{number}.py", text), f"--engine={engine}", "--dry-run")
        assert printed(process) == "0.0 0.0\n"
        assert process.stderr == SUMMARY


@pytest.mark.parametrize("program", ["tt-lang-sim", "ttlang-sim"])
def test_the_simulators_option(tmp_path, program):
    script = write(tmp_path, "script.py", SCRIPT)
    assert printed(run(script, "--dry-run", program=program)) == "0.0 0.0\n"
    assert printed(run(script, "--", "--dry-run", program=program)) == "2.0 2.0\n"


DEADLOCK = ("with a_dfb.wait() as a_blk,", "with a_dfb.wait() as a_blk, a_dfb.wait() as again,")
UNWRITTEN = ("ttl.copy(b[0, 0], b_blk).wait()", "pass")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("change, status, message", [
    (DEADLOCK, 4, "deadlock"), (UNWRITTEN, 3, "nobody has written it since it was reserved")])
def test_the_protocol_is_checked(tmp_path, engine, change, status, message):
    script = write(tmp_path, "script.py", SCRIPT.replace(*change))
    process, whole = run(script, f"--engine={engine}", "--dry-run"), run(script, f"--engine={engine}")
    assert process.returncode == whole.returncode == status
    assert message in process.stderr and "dry run" not in process.stderr
    assert process.stderr == whole.stderr


def test_checks_go_on(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT)
    process = run(script, "--dry-run", "--check=race,init")
    assert process.returncode == 0
    assert process.stderr == SUMMARY + "checks: no findings (race, init)\n"


def test_numbers_of_tensors_control_the_kernel(tmp_path):
    """--dry-run moves data, so a number that a kernel reads from an input tensor has its right value."""
    script = write(tmp_path, "script.py", SCRIPT.replace("ttl.copy(y_blk, y[0, 0]).wait()", """
                if ttl.raw_element_read(y_blk, 0, 0) == 0:
                    ttl.copy(y_blk, y[0, 0]).wait()""").replace("ttl.copy(b[0, 0], b_blk).wait()", """
            ttl.copy(b[0, 0], b_blk).wait()
            assert ttl.raw_element_read(b_blk, 0, 0) == 1"""))
    assert printed(run(script, "--dry-run")) == "0.0 0.0\n"


def test_assertions_of_the_script(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT + "assert y[0, 0] == 2\n")
    process = run(script, "--dry-run")
    assert process.returncode == 1 and "AssertionError" in process.stderr and SUMMARY in process.stderr
    assert printed(run(script, "--dry-run", PYTHONOPTIMIZE="1")) == "0.0 0.0\n"


def test_a_block_of_statements(tmp_path):
    script = write(tmp_path, "script.py", SCRIPT + """
with ttl.options(dry_run=True):
    add(a, a, y)
    print(y[0, 0])
add(a, a, y)
print(y[0, 0])
""")
    assert printed(run(script)) == "2.0 2.0\n0.0\n2.0\n"


def test_a_program_of_mlir():
    file = BUILD.parent / "tests" / "lit" / "programs" / "grid.mlir"
    process = finished([BUILD / "bin" / "ttl-jit", "run", "--dry-run", file], "/", {})
    assert "dry run: no findings in" in process.stderr or process.returncode == 1


@pytest.mark.parametrize("options, message", [
    (["--emit=out"], "--emit would write kernels that compute nothing; leave --dry-run out"),
    (["--stage=dst"], "--dry-run changes stage ttkernel, and --stage=dst stops before it"),
    (["--compare=engines"], "--dry-run computes nothing that --bisect, --compare and --explore could compare"),
    (["--debug=on"], "the debugger runs kernels before the stage that --dry-run changes"),
])
def test_options_that_do_not_go_together(tmp_path, options, message):
    process = run(write(tmp_path, "script.py", SCRIPT), "--dry-run", *options)
    assert process.returncode == 2 and message in process.stderr


# ===--------------------------------------------------------------------------=== #
# Statistics
# ===--------------------------------------------------------------------------=== #


@pytest.mark.parametrize("program", ["tt-lang-sim-stats", "ttlang-sim-stats"])
def test_counts_of_a_trace(tmp_path, program):
    script = write(tmp_path, "script.py", SCRIPT)
    printed(run(script, "--trace", "--dry-run", program="tt-lang-sim", folder=tmp_path))
    process = finished([BUILD / "bin" / program, "trace.jsonl"], tmp_path, {})
    lines = [line.split() for line in printed(process).splitlines()]
    assert lines[0] == "kernel add, launch 1 of 1".split()
    assert [line for line in lines if line and line[0].startswith(f"{tmp_path}/script.py:")] == [
        [f"{tmp_path}/script.py:19", "1", "0", "0", "4096", "0", "0"],
        [f"{tmp_path}/script.py:20", "1", "0", "0", "4096", "0", "0"],
        [f"{tmp_path}/script.py:25", "0", "1", "0", "0", "4096", "0"]]
    assert ["total", "2", "1", "0", "8192", "4096", "0"] in lines
    assert ["a_dfb", "on", "node", "(0,", "0)", "1", "1", "1", "1"] in lines
    assert lines[-1] == ["total", "3", "3", "3", "3"]


def test_show_stats(tmp_path):
    process = run(write(tmp_path, "script.py", SCRIPT), "--show-stats", program="ttlang-sim")
    assert printed(process) == "2.0 2.0\n" and "add" in process.stderr


@pytest.mark.parametrize("tool", ["profile", "cycles"])
def test_tools_that_measure_a_simulator(tmp_path, tool):
    process = finished([BUILD / "bin" / f"tt-lang-sim-{tool}", "script.py"], tmp_path, {})
    assert process.returncode == 2
    assert f"there is no tt-lang-sim-{tool}: ttl-jit run FILE --stats" in process.stderr
