"""Threads with thousands of operations: which engine runs them, and that their results are equal."""

import pytest

from running import SUCCESS, run

SCRIPT = """
import numpy as np, ttl, ttnn

@ttl.operation(grid=(1, 1))
def big(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.compute()
    def compute():
        with a_dfb.wait() as x:
{stores}

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as x:
            ttl.copy(a[0, 0], x).wait()

    @ttl.datamovement()
    def writer():
        for i in range({count}):
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, i % 7]).wait()

device = ttnn.open_device(device_id=0)
def tensor(values):
    return ttnn.from_numpy(values, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)
a = tensor(np.arange(1024, dtype=np.float32).reshape(32, 32))
y = tensor(np.zeros((32, 224), np.float32))
big(a, y)
result = ttnn.to_numpy(y)
print(result.tobytes().hex()[:64], result.sum())
"""


def script(path, count):
    line = "            with y_dfb.reserve() as o: o.store(ttl.math.exp(x * {}) + x)"
    stores = "\n".join(line.format((i % 100 + 1) / 1e5) for i in range(count))
    path.write_text(SCRIPT.format(stores=stores, count=count))
    return path


@pytest.mark.parametrize("count, engine", [(20, "jit"), (150, "jit"), (1500, "interp")])
def test_auto_chooses_by_size(tmp_path, count, engine):
    file = script(tmp_path / "big.py", count)
    auto = run(file, "--stats")
    assert auto.returncode == SUCCESS, auto.stderr
    assert f"engines: compute={engine} reader=jit writer=jit" in auto.stderr
    assert "warning" not in auto.stderr
    other = {"jit": "interp", "interp": "jit"}[engine]
    compared = run(file, f"--engine={other}", "--stats")
    assert f"compute={other}" in compared.stderr
    assert compared.stdout == auto.stdout
