"""While the JIT generates code of a small kernel, the interpreter runs the first launches."""
# SPDX-License-Identifier: Apache-2.0

import os
import subprocess




KERNEL = """
import sys, time
import numpy as np, ttl, ttnn

@ttl.operation(grid=(2, 2))
def add(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        x, row = ttl.node(dims=2)
        with a_dfb.reserve() as block:
            ttl.copy(a[row, x], block).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as block, y_dfb.reserve() as out:
            out.store(ttl.exp(block) + 1)

    @ttl.datamovement()
    def writer():
        x, row = ttl.node(dims=2)
        with y_dfb.wait() as block:
            ttl.copy(block, y[row, x]).wait()

a = ttnn.from_numpy(np.linspace(-4, 4, 4096, dtype=np.float32).reshape(64, 64), device=ttnn.open_device(device_id=0))
"""

# This process ends before the code is generated.
ONCE = """
y = ttnn.zeros_like(a)
add(a, y)
print(hash(ttnn.to_numpy(y).tobytes()))
"""

# Launches until the code is generated. Every launch must give the same bits.
UNTIL_READY = """
results = set()
for _ in range(100):
    y = ttnn.zeros_like(a)
    add(a, y)
    results.add(ttnn.to_numpy(y).tobytes())
    time.sleep(0.01)
print(len(results))
"""

FORK = """
import os
y = ttnn.zeros_like(a)
add(a, y)
child = os.fork()
if child == 0:
    z = ttnn.zeros_like(a)
    add(a, z)
    os._exit(0 if (ttnn.to_numpy(z) == ttnn.to_numpy(y)).all() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def run(tmp_path, text, *options, cache):
    script = tmp_path / "script.py"
    script.write_text(KERNEL + text)
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONHASHSEED": "0"}
    launcher = os.path.join(os.environ.get("TTJIT_BUILD", "build"), "bin", "ttl-jit")
    return subprocess.run(
        [launcher, "run", *options, str(script)], env=environment, capture_output=True, text=True,
        timeout=120,
    )


def test_a_process_ends_well_while_code_is_generated(tmp_path):
    outputs = set()
    for i in range(5):
        done = run(tmp_path, ONCE, cache=tmp_path / f"cache{i}")
        assert (done.returncode, done.stderr) == (0, "")
        outputs.add(done.stdout)
    for engine in "jit", "interp":
        outputs.add(run(tmp_path, ONCE, f"--engine={engine}", cache=tmp_path / "other").stdout)
    assert len(outputs) == 1


def test_the_code_is_in_the_cache_afterwards(tmp_path):
    cache = tmp_path / "cache"
    assert run(tmp_path, ONCE, cache=cache).returncode == 0
    statistics = run(tmp_path, ONCE, "--stats", cache=cache).stderr
    assert "jit-load" in statistics and "jit-generate" not in statistics


def test_launches_have_the_same_bits_before_and_after(tmp_path):
    done = run(tmp_path, UNTIL_READY, cache=tmp_path / "cache")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_a_fork_waits_for_the_code(tmp_path):
    done = run(tmp_path, FORK, cache=tmp_path / "cache")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


def test_statistics_are_those_of_generated_code(tmp_path):
    done = run(tmp_path, ONCE, "--stats", cache=tmp_path / "cache")
    assert "reader=jit compute=jit writer=jit" in done.stderr
