# SPDX-License-Identifier: Apache-2.0
"""Ranks: a program on several processes prints and computes the same as on one process."""

import pathlib
import re
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
import ttl
from meshes import joined, numbers, opened, put
from running import BUILD, ROOT, RUNTIME_FAULT, SCRIPT_FAILED, SUCCESS, TTL_JIT, environment, ttl_jit

import _ttjit

BROKEN = ROOT / "tests" / "broken" / "mesh"
SCRIPTS = pathlib.Path(__file__).parent / "scripts"

ring = ttl.DeviceDomain((4, 1))
right = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, axis=0, wrap=True))


# ===--------------------------------------------------------------------------=== #
# Ranks as threads of this process, whose messages have random delays


@ttl.operation(grid=(2, 1), device_domain=ring)
def shift(x, y):
    sent = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    received = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def send():
        column, _ = ttl.node(dims=2)
        for _ in range(3):
            with sent.reserve() as block:
                ttl.copy(x[0, column], block).wait()
            with sent.wait() as block:
                right.if_src(lambda pipe: ttl.copy(block, pipe).wait())

    @ttl.datamovement()
    def receive():
        column, _ = ttl.node(dims=2)
        for _ in range(3):
            with received.reserve() as block:
                right.if_dst(lambda pipe: ttl.copy(pipe, block).wait())
            with received.wait() as block:
                ttl.copy(block, y[0, column]).wait()


relay = ttl.PipeNet(graph=ttl.TransferGraph.axis_neighbor(ring, wrap=True))


@ttl.operation(grid=(1, 1), device_domain=ring)
def gather(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 2))

    @ttl.datamovement()
    def move():
        for distance in range(4):
            if distance > 0:
                place = y[distance - 1, 0:2]
                relay.if_dst(lambda pipe: ttl.copy(pipe, place, shape=(1, 2)).wait())
            if distance < 3:
                with dfb.reserve() as block:
                    if distance == 0:
                        ttl.copy(x[0, 0:2], block).wait()
                    else:
                        ttl.copy(y[distance - 1, 0:2], block).wait()
                with dfb.wait() as block:
                    relay.if_src(lambda pipe: ttl.copy(block, pipe).wait())


@ttl.operation(grid=(1, 1), device_domain=ring)
def barrier(x, y):
    arrived = ttl.Semaphore()
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 2))

    @ttl.datamovement()
    def move():
        for turn in range(3):
            arrived.get_remote(ring[0, 0].at_node(0, 0)).inc(1)
            if ring.is_current((0, 0)):
                arrived.wait_ge(4 * (turn + 1))
        with dfb.reserve() as block:
            ttl.copy(x[0, 0:2], block).wait()

    @ttl.datamovement()
    def write():
        with dfb.wait() as block:
            ttl.copy(block, y[0, 0:2]).wait()


KERNELS = {"shift": (shift, 1), "gather": (gather, 3), "barrier": (barrier, 1)}


@pytest.fixture(params=KERNELS)
def launched(request):
    """Returns a function that launches a kernel with options and returns its results and statistics."""
    kernel, rows = KERNELS[request.param]
    with opened(4, 1) as mesh:
        x = put(numbers(128, 64), mesh)

        def launch(options):
            y = put(np.zeros((128 * rows, 64), np.float32), mesh)
            kernel(x, y, options=options)
            return joined(y), ttl.last_run().stats

        yield launch


@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_ranks_with_random_delays(launched, engine):
    values, stats = launched(f"--engine={engine}")
    for seed in range(34):
        _ttjit.use_ranks_in_process(2 if seed % 2 else 4, seed)
        try:
            schedule, check = "fair" if seed % 3 else "parallel(2)", "--check=off" if seed % 4 < 2 else ""
            found, found_stats = launched(f"--engine={engine} --schedule={schedule} {check}")
        finally:
            _ttjit.use_ranks_in_process(0, 0)
        assert np.array_equal(found, values) and found_stats == stats


@pytest.mark.parametrize("threads", (1, 2, 3, 8))
def test_host_threads_show_what_one_shows(launched, threads):
    values, stats = launched("--schedule=fair")
    # With a checker, which observes the run, there is only one host thread.
    for check in (*("",) * 3, *("--check=off",) * 10):
        found, found_stats = launched(f"--schedule=parallel({threads}) {check}")
        assert np.array_equal(found, values) and found_stats == stats


def test_what_ranks_cannot_do_is_an_error_at_the_kernel():
    with opened(4, 1) as mesh:
        x, y = put(numbers(128, 64), mesh), put(numbers(128, 64), mesh)
        _ttjit.use_ranks_in_process(2, 0)
        try:
            for options in ("--schedule=greedy", "--dma=eager", "--limit=100000", "--stage=ttl --engine=interp"):
                with pytest.raises(ttl.RuntimeFault, match="or run one process") as raised:
                    shift(x, y, options=options)
                assert "test_ranks.py:" in str(raised.value)
            _ttjit.use_ranks_in_process(5, 0)
            with pytest.raises(ttl.RuntimeFault, match="5 ranks cannot run a mesh of 4 devices"):
                shift(x, y)
        finally:
            _ttjit.use_ranks_in_process(0, 0)


# ===--------------------------------------------------------------------------=== #
# Ranks as processes that mpirun starts

needs_mpi = pytest.mark.skipif(
    shutil.which("mpirun") is None or not (BUILD / "lib" / "libttjit-mpi.so").exists(),
    reason="Open MPI is not installed, or the build does not have it")


# In seconds. After the first time mpirun ends all ranks. After the second, mpirun itself is killed: it hangs,
# and its ranks end when they lose it.
MOST_SECONDS, MOST_SECONDS_OF_MPIRUN = 200, 230


def command(ranks, *arguments):
    return ["mpirun", "--oversubscribe", "--timeout", str(MOST_SECONDS), "-n", str(ranks), TTL_JIT, "run",
            *map(str, arguments)]


def mpi_environment():
    return environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_btl_vader_single_copy_mechanism="none")


def mpirun(ranks, *arguments, cwd=SCRIPTS):
    return subprocess.run(command(ranks, *arguments), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=MOST_SECONDS_OF_MPIRUN, cwd=cwd, env=mpi_environment())


def plain(text):
    """Returns the output without lines that differ between two runs."""
    return re.sub(r"^ +(compile|run): .*\n", "", text, flags=re.MULTILINE)


# Starting a process takes most of the time of these tests, so each process runs as much as it can.


@pytest.fixture(scope="module")
def ring_alone(tmp_path_factory):
    """Returns the finished run of ring.py on one process, and the bytes of its trace."""
    trace = tmp_path_factory.mktemp("ring") / "one.json"
    process = ttl_jit("run", "ring.py", "--mesh=4x1", "--stats", f"--trace={trace}", cwd=SCRIPTS)
    assert process.returncode == SUCCESS and "ring: True" in process.stdout
    return process, trace.read_bytes()


@needs_mpi
@pytest.mark.parametrize("ranks", (2, 4))
def test_output_statistics_and_traces_are_those_of_one_process(ring_alone, ranks, tmp_path):
    alone, trace = ring_alone
    several = tmp_path / "several.json"
    together = mpirun(ranks, "ring.py", "--mesh=4x1", "--stats", f"--trace={several}")
    assert together.returncode == SUCCESS, together.stderr
    assert together.stdout == alone.stdout
    assert plain(together.stderr) == plain(alone.stderr)
    assert several.read_bytes() == trace


def test_the_transcript_of_the_page(ring_alone):
    page = (ROOT / "docs" / "mesh.md").read_text()
    [transcript] = re.findall(r"^\$ mpirun -n 2 ttl-jit run --mesh=4x1 ring.py\n(.*?)^```", page, re.M | re.S)
    assert ring_alone[0].stdout == transcript


@needs_mpi
def test_a_trace_in_cycles_of_the_card_is_that_of_one_process(tmp_path):
    one, several = tmp_path / "one.json", tmp_path / "several.json"
    options = "ring.py", "--mesh=4x1", "--trace-time=cycles"
    assert ttl_jit("run", *options, f"--trace={one}", cwd=SCRIPTS).returncode == 0
    assert mpirun(2, *options, f"--trace={several}").returncode == 0
    assert several.read_bytes() == one.read_bytes() and b"cycles" in one.read_bytes()


@needs_mpi
@pytest.mark.parametrize("switch", ("--rank-output", "--rank-output=off"))
def test_the_output_of_ranks(ring_alone, switch):
    process = mpirun(2, "ring.py", "--mesh=4x1", "--schedule=parallel(2)", switch)
    lines = ring_alone[0].stdout.splitlines()
    expected = [f"rank {rank}: {line}" for rank in (0, 1) for line in lines]
    assert process.returncode == SUCCESS, process.stderr
    assert sorted(process.stdout.splitlines()) == (sorted(expected) if switch == "--rank-output" else sorted(lines))


@needs_mpi
def test_a_rank_has_memory_for_its_own_chips():
    process = mpirun(4, "memory.py", "--mesh=4x1", "--rank-output")
    assert process.returncode == SUCCESS, process.stderr
    used = re.findall(r"rank \d: made (\d+), read (\d+), launched (\d+) MiB: True", process.stdout)
    assert len(used) == 4, process.stdout
    for made, read, launched in (map(int, each) for each in used):
        # Each device has 16 MiB of each of two tensors; then one tensor is read. Freed memory may stay in the
        # heap. The two whole tensors would have 128 MiB.
        assert 30 <= made < 60 and read >= made + 40 and launched < 100, process.stdout


COLLECTIVES = ("all_gather", "reduce_scatter", "all_reduce")


@pytest.fixture(scope="module")
def collectives_alone():
    process = ttl_jit("run", "collectives.py", "--mesh=4x1", "--", *COLLECTIVES, cwd=SCRIPTS)
    assert process.returncode == SUCCESS, process.stderr
    assert all(process.stdout.count(name) == 8 for name in COLLECTIVES)
    return process.stdout


@needs_mpi
@pytest.mark.parametrize("ranks", (2, 4))
def test_collectives_have_the_bits_of_one_process(collectives_alone, ranks):
    together = mpirun(ranks, "collectives.py", "--mesh=4x1", "--", *COLLECTIVES)
    assert (together.returncode, together.stdout) == (SUCCESS, collectives_alone), together.stderr


@needs_mpi
def test_modules_with_distributed_tensors_have_the_bits_of_one_process():
    alone = ttl_jit("run", "redistribute.mlir", "--mesh=2x4", cwd=SCRIPTS)
    together = mpirun(2, "redistribute.mlir", "--mesh=2x4")
    assert alone.returncode == SUCCESS and "hash" in alone.stdout
    assert (together.returncode, together.stdout) == (SUCCESS, alone.stdout), together.stderr


@needs_mpi
def test_a_fault_is_that_of_one_process():
    process = mpirun(2, "fault_of_one_device.py", cwd=BROKEN)
    # mpirun adds that a process has failed
    assert process.stderr.startswith((BROKEN / "fault_of_one_device.expected").read_text())
    assert process.returncode == RUNTIME_FAULT and "rank 1" not in process.stderr


@needs_mpi
def test_reports_are_those_of_one_process():
    names = "ring_of_waits", "no_room", "two_setters", "early_read", "reset_race", "overwritten_slice"
    process = mpirun(2, SCRIPTS / "reports.py", "--", *(f"{name}.py" for name in names), cwd=BROKEN)
    assert process.stdout == "".join((BROKEN / f"{name}.expected").read_text() for name in names)
    assert process.returncode == SUCCESS, process.stderr


@needs_mpi
@pytest.mark.parametrize("what, message", [
    ("launches", "rank 0 launches 'add' at differ.py:47, rank 1 launches 'mul' at differ.py:45: every rank "
                 "must run the same calls in the same order"),
    ("reads", "rank 0 reads tensor 'x', rank 1 launches 'mul' at differ.py:49"),
    ("data", "rank 0 gives elements to device 0 of a tensor of shape (32, 32), rank 1 gives it other "
             "elements: every rank must compute the same tensors; seed random numbers"),
    ("ends", "rank 0 launches 'add' at differ.py:47, rank 1 ends with status 0"),
    ("raises", "rank 1: ValueError: only here"),
])
def test_ranks_that_do_different_things(what, message):
    process = mpirun(2, "differ.py", "--mesh=2x1", "--", what)
    assert message in process.stderr
    assert process.returncode == SCRIPT_FAILED


@needs_mpi
def test_a_mesh_grid_runs_in_one_process():
    process = mpirun(2, "mesh_grid.py", "--mesh=2x1")
    assert process.returncode == SCRIPT_FAILED, process.stderr
    assert "operation copied() has the mesh grid (2, 1, 1), which runs in one process" in process.stderr


@needs_mpi
def test_a_mesh_has_at_least_as_many_devices_as_there_are_ranks():
    process = mpirun(3, "differ.py", "--mesh=2x1", "--", "same")
    assert "3 ranks cannot run a mesh of 2 devices" in process.stderr
    assert process.returncode == RUNTIME_FAULT


def has_ended(argument):
    """Returns whether all processes with this argument end within 20 seconds."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if subprocess.run(["pgrep", "-f", argument], capture_output=True).returncode == 1:
            return True
        time.sleep(0.1)
    return False


@needs_mpi
def test_a_rank_that_dies_ends_the_others(tmp_path):
    shutil.copy(SCRIPTS / "differ.py", tmp_path)
    process = mpirun(2, tmp_path / "differ.py", "--mesh=2x1", "--", "dies")
    assert process.returncode == 128 + signal.SIGKILL
    assert "rank 1 with PID" in process.stderr
    assert has_ended(str(tmp_path / "differ.py"))


@pytest.fixture
def endless(tmp_path):
    """Starts mpirun with ranks whose kernel never ends; returns the process, and the file of the script."""
    file = shutil.copy(SCRIPTS / "endless.py", tmp_path)
    process = subprocess.Popen(command(2, "--mesh=2x1", file), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env=mpi_environment())
    assert process.stdout.readline() == "begins\n"
    yield process, str(file)
    process.kill()
    process.communicate()


@needs_mpi
def test_ctrl_c_ends_all_ranks(endless):
    process, file = endless
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=MOST_SECONDS)
    assert process.returncode != SUCCESS
    assert "interrupted" in errors
    assert has_ended(file)


@needs_mpi
def test_no_rank_outlives_mpirun(endless):
    process, file = endless
    process.kill()
    assert has_ended(file)
