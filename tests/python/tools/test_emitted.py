"""--engine=emitted: the emitted C++, compiled for the host, has the bits of the other engines and
faults at the user's line."""

import pytest
from running import EXAMPLES, RUNTIME_FAULT, SUCCESS, USAGE, hashes, run
from test_examples import HASHES

FAULTY = """
import ttl, ttnn, numpy as np

@ttl.operation(grid=(1, 1))
def k(x, y):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, y_dfb.reserve() as out:
            out.store(a + a)
        with x_dfb.wait() as a, y_dfb.reserve() as out:  # the reader pushes one block
            out.store(a + a)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

device = ttnn.open_device(device_id=0)
x = ttnn.from_numpy(np.ones((32, 32), np.float32), device=device)
k(x, ttnn.empty((32, 32), dtype=ttnn.float32, device=device))
"""


@pytest.mark.parametrize("example", HASHES)
def test_examples_have_the_bits_of_the_other_engines(example):
    name, *arguments = example.split()
    process = run(EXAMPLES / f"{name}.py", "--engine=emitted", "--", "--hash", *arguments)
    assert hashes(process) == HASHES[example].split()
    assert process.stderr == "", "no warnings"


@pytest.mark.parametrize("schedule", (["--schedule=greedy"], ["--schedule=random", "--seed=1"],
                                      ["--schedule=parallel(2)"]))
def test_schedules_keep_the_bits(schedule):
    process = run(EXAMPLES / "matmul_multicast.py", "--engine=emitted", *schedule, "--", "--hash")
    assert hashes(process) == HASHES["matmul_multicast"].split()


def test_stats_name_the_engine():
    process = run(EXAMPLES / "eltwise_add.py", "--engine=emitted", "--stats")
    assert process.returncode == SUCCESS, process.stderr
    assert "reader=emitted compute=emitted writer=emitted" in process.stderr


def test_a_deadlock_names_the_line_in_python(tmp_path):
    file = tmp_path / "faulty.py"
    file.write_text(FAULTY)
    emitted = run(file, "--engine=emitted")
    assert emitted.returncode == RUNTIME_FAULT
    assert "deadlock" in emitted.stderr and "faulty.py:18:14" in emitted.stderr
    assert emitted.stderr == run(file, "--engine=jit").stderr


def test_only_the_interpreter_runs_earlier_stages():
    process = run(EXAMPLES / "eltwise_add.py", "--engine=emitted", "--stage=threads")
    assert process.returncode == USAGE
    assert "--engine=emitted runs stage ttkernel" in process.stderr
