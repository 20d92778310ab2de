"""--engine=emitted: the emitted C++, compiled for the host, has the bits of the other engines and
faults at the user's line."""

import os
import pathlib
import subprocess
import sys

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
    assert process.stderr == "", "expected no warnings"


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


FUNCTION = """
import ttl, ttnn, numpy as np

@ttl.operation(grid=(1, 1), fp32_dest_acc_en=True)
def k(x, y, z):
    x_dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    z_dfb = ttl.make_dataflow_buffer_like(z, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with x_dfb.reserve() as a, y_dfb.reserve() as b:
            ttl.copy(x[0, 0], a).wait()
            ttl.copy(y[0, 0], b).wait()

    @ttl.compute()
    def compute():
        with x_dfb.wait() as a, y_dfb.wait() as b, z_dfb.reserve() as out:
            out.store({expression})

    @ttl.datamovement()
    def writer():
        with z_dfb.wait() as block:
            ttl.copy(block, z[0, 0]).wait()

device = ttnn.open_device(device_id=0)
random = np.random.default_rng(1)
x = random.integers(-50, 50, (32, 32)).astype(np.{dtype})
y = random.integers(0, 2, (32, 32)).astype(np.{dtype})
z = ttnn.empty((32, 32), dtype=ttnn.{result}, device=device)
k(ttnn.from_numpy(x, device=device), ttnn.from_numpy(y, device=device), z)
print(ttnn.to_numpy(z).tobytes().hex())
"""


@pytest.mark.parametrize("expression, dtype, result", (
    ("ttl.math.mask(a, b)", "float32", "float32"),
    ("ttl.math.mask(a, b) + b", "float32", "float32"),
    ("ttl.math.mask_posinf(a, b)", "float32", "float32"),
    ("ttl.math.where(b, a, b)", "float32", "float32"),
    ("a * b + a - b", "int32", "int32"),
    ("a * 3", "int32", "int32"),
    ("ttl.math.where(b, a, b)", "int32", "int32"),
    ("ttl.math.typecast(a, ttnn.float32) * 0.5", "int32", "float32"),
    ("ttl.math.typecast(a * 0.3, ttnn.int32)", "float32", "int32"),
))
def test_masks_integers_and_typecasts(tmp_path, expression, dtype, result):
    file = tmp_path / "function.py"
    file.write_text(FUNCTION.format(expression=expression, dtype=dtype, result=result))
    emitted, jit = (run(file, f"--engine={engine}") for engine in ("emitted", "jit"))
    assert emitted.returncode == jit.returncode == SUCCESS, emitted.stderr + jit.stderr
    assert emitted.stdout == jit.stdout
    assert len(set(emitted.stdout.strip())) > 1, "the results must not all be zero"


MAPS = """
maps = open("/proc/self/maps").read()
print("clang" if "libclang-cpp" in maps else "no clang")
"""
GENERIC = (EXAMPLES / "metalium" / "transpose.py").read_text()


@pytest.mark.parametrize("script", ("emitted", "generic_op"))
def test_a_cached_program_does_not_load_clang(tmp_path, script):
    text = FAULTY.split("        with x_dfb.wait() as a, y_dfb.reserve() as out:  # the")[0] \
        + "\n    @ttl.datamovement()" + FAULTY.rsplit("@ttl.datamovement()", 1)[1]
    if script == "generic_op":
        text = GENERIC.replace("from programs",
                               f"import sys\nsys.path.insert(0, {str(EXAMPLES / 'metalium')!r})\nfrom programs")
    (tmp_path / "script.py").write_text(text + MAPS)
    outputs = []
    for _ in range(2):
        process = run(tmp_path / "script.py", "--engine=emitted",
                      XDG_CACHE_HOME=str(tmp_path / "cache"))
        assert process.returncode == SUCCESS, process.stderr
        outputs.append(process.stdout.splitlines()[-1])
    assert outputs == ["clang", "no clang"]


def test_a_cached_program_names_its_lines(tmp_path):
    (tmp_path / "faulty.py").write_text(FAULTY)
    texts = [run(tmp_path / "faulty.py", "--engine=emitted",
                 XDG_CACHE_HOME=str(tmp_path / "cache")).stderr for _ in range(2)]
    assert texts[0] == texts[1] and "faulty.py:" in texts[0]


def test_other_code_is_compiled_again(tmp_path):
    for number in (1.0, 2.0):
        (tmp_path / "fill.py").write_text(f"""
import ttl, ttnn, numpy as np

@ttl.operation(grid=(1, 1))
def k(y):
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as out:
            out.store(ttl.block.fill({number}, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

y = np.zeros((32, 32), np.float32)
k(y)
print(y[0, 0])
""")
        process = run(tmp_path / "fill.py", "--engine=emitted",
                      XDG_CACHE_HOME=str(tmp_path / "cache"))
        assert process.stdout == f"{number}\n", process.stderr


# Tests of engines, caches, processes and of errors before emission: the kernels in them are those of the
# other tests.
NOT_OF_THE_LANGUAGE = ("attributes", "checked_launches", "common_mistakes", "compile_time", "engines", "every_schedule",
                       "launch_cache", "refusals", "shared_arrays", "static_eval", "wrong_calls")


def check_language(*arguments, **variables):
    """Runs tests of the language on this engine."""
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        capture_output=True, text=True, env={**os.environ, "TTL_ENGINE": "emitted", **variables})
    assert process.returncode == 0, process.stdout + process.stderr


FRONTEND = pathlib.Path(__file__).parents[1] / "frontend"


def test_the_language():
    """The tests of the language pass on this engine, but for kernels that Metalium C++ cannot express."""
    # Tests that name their engine run the same on each. The time is that of Clang, a second for each kernel:
    # tests with many parameters run with the first ones.
    check_language(*(f"--ignore={FRONTEND}/test_{name}.py" for name in NOT_OF_THE_LANGUAGE), FRONTEND,
                   "-k", "not (jit or interp or emitted)", "--variants=3")


# Files of which each has many forms of the language. TTL_EMIT_PATH=direct runs any others.
ON_THE_DIRECT_PATH = ("accumulate", "buffer_resets", "copy_waits", "extern_calls", "integer_indices", "pipe_patterns",
                      "print", "processors", "runtime_resources", "unified_semaphores", "values_across_regions")


def test_a_part_of_the_language_on_the_direct_path():
    check_language(*(FRONTEND / f"test_{name}.py" for name in ON_THE_DIRECT_PATH), "--variants=2",
                   TTL_EMIT_PATH="direct")


STORE = "out.store(ttl.reduce_sum(a, a, dims=[0]))  # refused"
REFUSED = FAULTY.replace("out.store(a + a)\n        with", f"{STORE}\n        with").replace(
    "np.float32", "np.int32").replace("ttnn.float32", "ttnn.int32")


def test_a_refusal_names_the_line_that_emission_names(tmp_path):
    file = tmp_path / "refused.py"
    file.write_text(REFUSED)
    emitted, written = run(file, "--engine=emitted"), run(file, f"--emit={tmp_path / 'cpp'}")
    line = REFUSED.splitlines().index(f"            {STORE}") + 1
    assert f"refused.py:{line}:" in emitted.stderr
    assert emitted.stderr == written.stderr
