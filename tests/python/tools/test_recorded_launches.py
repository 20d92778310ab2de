# SPDX-License-Identifier: Apache-2.0
"""--emit records the launches; the emitted run_on_device.py repeats them and compares their results."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from running import BUILD, ROOT

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.py") if path.stem != "check")

SCRIPT = '''
import sys

import numpy as np
import ttl
import ttnn

DTYPE, MEMORY = getattr(ttnn, sys.argv[1]), getattr(ttnn, sys.argv[2])


@ttl.operation(grid=(1, 1))
def add(a, y, step):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    with a_dfb.reserve() as block:
        ttl.copy(a[0, 0], block).wait()
    with a_dfb.wait() as block, y_dfb.reserve() as out:
        out.store(block + step)
    with y_dfb.wait() as block:
        ttl.copy(block, y[0, 0]).wait()


device = ttnn.open_device(device_id=0)
values = np.arange(1024).reshape(32, 32) % 50
kind = np.float32 if DTYPE in (ttnn.float32, ttnn.bfloat16, ttnn.bfloat8_b) else np.int32


def tensor(array):
    return ttnn.from_numpy(array.astype(kind), dtype=DTYPE, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=MEMORY)


a, y = tensor(values), tensor(0 * values)
add(a, y, 1)
add(y, a, 2)  # what the first launch wrote
add(a, y, 3)
array, result = values.astype(np.float32), np.zeros((32, 32), np.float32)
add(array, result, 0.5)  # memory of the host
array += 1
add(array, result, 0.25)
'''


def emit(folder, script, *arguments, options=()):
    command = [BUILD / "bin" / "ttl-jit", "run", f"--emit={folder}", *options, script, "--", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)


def repeat(folder, *arguments):
    command = [sys.executable, "-W", "ignore", folder / "run_on_device.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_pass(name, tmp_path):
    emit(tmp_path / "out", ROOT / "examples" / f"{name}.py")
    process = repeat(tmp_path / "out")
    assert process.returncode == 0, process.stdout + process.stderr
    lines = process.stdout.splitlines()
    assert lines and all(": largest error 0, largest magnitude " in line for line in lines)


@pytest.mark.parametrize("memory", ("DRAM_MEMORY_CONFIG", "L1_MEMORY_CONFIG"))
@pytest.mark.parametrize("dtype", ("float32", "bfloat16", "bfloat8_b", "int32", "uint32"))
def test_several_launches(script, tmp_path, dtype, memory):
    out = tmp_path / "out"
    emit(out, script, dtype, memory)
    process = repeat(out)
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stdout.count("pass: ") == 5
    launches = [json.loads(line) for line in (out / "launches.jsonl").read_text().splitlines()]
    files = [[sorted(entry.keys() & {"before", "after"}) for entry in each["tensors"]] for each in launches]
    # Values that an earlier launch has written are not saved again before a launch.
    assert files[:3] == [[["before"], ["after", "before"]], [[], ["after"]], [[], ["after"]]]


def altered(path, change):
    array = np.load(path)
    change(array)
    np.save(path, array)


def test_an_altered_output_fails(script, tmp_path):
    out = tmp_path / "out"
    emit(out, script, "float32", "DRAM_MEMORY_CONFIG")
    change = np.float32(0.5)
    altered(out / "launches/2-y-after.npy", lambda array: array.__setitem__((31, 31), array[31, 31] + change))
    process = repeat(out)
    assert process.returncode == 1
    wrong = [line for line in process.stdout.splitlines() if not line.startswith("pass")]
    assert wrong == ["FAIL: launch 3 of add, y: largest error 0.5, largest magnitude 55"]
    assert repeat(out, "--tolerance=0.02").returncode == 0
    assert repeat(out, "--tolerance=0.001").returncode == 1


@pytest.mark.parametrize("value", (np.nan, np.inf))
def test_special_values_are_compared(script, tmp_path, value):
    out = tmp_path / "out"
    emit(out, script, "float32", "DRAM_MEMORY_CONFIG")
    altered(out / "launches/0-y-after.npy", lambda array: array.__setitem__((0, 0), value))
    process = repeat(out, "--tolerance=0.5")
    assert process.returncode == 1 and "FAIL: launch 1" in process.stdout


def test_a_program_on_random_inputs(script, tmp_path):
    out = tmp_path / "out"
    emit(out, script, "float32", "DRAM_MEMORY_CONFIG")
    program = json.loads((out / "program.json").read_text())["programs"][0]["name"]
    assert repeat(out, program).returncode == 0
    process = repeat(out, "nosuch")
    assert process.returncode == 2 and "invalid choice: 'nosuch'" in process.stderr


def test_device_numerics_have_a_tolerance(script, tmp_path):
    script.write_text(script.read_text().replace("block + step", "ttl.math.exp(block * 0.01 + step)"))
    out = tmp_path / "out"
    emit(out, script, "bfloat16", "DRAM_MEMORY_CONFIG", options=["--numerics=device"])
    process = repeat(out)
    assert process.returncode == 0, process.stdout
    assert repeat(out, "--tolerance=0").returncode == 1


def test_a_launch_with_a_fault_is_not_recorded(script, tmp_path):
    text = script.read_text().replace("ttl.copy(block, y[0, 0]).wait()",
                                      "ttl.copy(block, y[int(y.shape[0] > 32), 0]).wait()")
    script.write_text(text + "\nadd(a, ttnn.zeros((64, 32), dtype=DTYPE, layout=ttnn.TILE_LAYOUT, "
                             "device=device), 1)\nraise SystemExit(0)\n")
    out = tmp_path / "out"
    emit(out, script, "float32", "DRAM_MEMORY_CONFIG")
    assert len((out / "launches.jsonl").read_text().splitlines()) == 6
    assert repeat(out).returncode == 0


def test_large_tensors_are_not_recorded(script, tmp_path):
    text = "import ttl._recorded_launches as r\nr.MAX_BYTES = 20000\n" + script.read_text()
    script.write_text(text)
    out = tmp_path / "out"
    process = emit(out, script, "float32", "DRAM_MEMORY_CONFIG")
    assert "run_on_device.py repeats only 2 launches" in process.stderr
    assert repeat(out).stdout.count("pass: ") == 2


def test_a_folder_is_written_anew(script, tmp_path):
    out = tmp_path / "out"
    emit(out, script, "int32", "DRAM_MEMORY_CONFIG")
    emit(out, pathlib.Path(ROOT / "examples" / "softmax.py"))
    assert repeat(out).stdout.count("pass: ") == 1


WITHOUT_TENSORS = '''
import ttl


@ttl.operation(grid=(2, 1))
def hello():
    @ttl.datamovement()
    def say():
        print("I am", ttl.node(dims=1))


hello()
'''


@pytest.mark.parametrize("arguments", ((), ("hello",)))
def test_operations_without_tensors(arguments, tmp_path):
    script, out = tmp_path / "script.py", tmp_path / "out"
    script.write_text(WITHOUT_TENSORS)
    command = [BUILD / "bin" / "ttl-jit", "run", f"--emit={out}", script]
    subprocess.run(command, capture_output=True, check=True, cwd=ROOT)
    process = repeat(out, *arguments)
    assert process.returncode == 0, process.stderr
    assert "I am 0" in process.stdout and "I am 1" in process.stdout
    compared = "pass: launch 1 of hello: it has no tensors, so nothing is compared\n"
    assert process.stdout.endswith(compared) == (arguments == ())


def test_a_program_without_tensors_needs_a_device(tmp_path):
    script, out = tmp_path / "script.py", tmp_path / "out"
    script.write_text(WITHOUT_TENSORS)
    command = [BUILD / "bin" / "ttl-jit", "run", f"--emit={out}", script]
    subprocess.run(command, capture_output=True, check=True, cwd=ROOT)
    code = "import run_on_device; run_on_device.run('hello', [])"
    process = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, cwd=out)
    assert "ValueError: hello has no tensors: pass device=, the device or mesh that runs it" in process.stderr
