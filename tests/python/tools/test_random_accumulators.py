"""Random kernels with nested loops that carry values, compared with numpy."""
# feature: Sums over a loop

import pytest
from running import KERNELS, SUCCESS, run


@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_nested_loops_carry_what_python_says(engine):
    process = run(KERNELS / "random_accumulators.py", f"--engine={engine}", "--", "0", "24")
    assert process.returncode == SUCCESS, process.stderr


def test_values_of_nested_loops_stay_in_registers(tmp_path):
    """Three nested loops carry two values. The compiler adds no buffers, or removes those that it added."""
    script = tmp_path / "nested.py"
    script.write_text("""\
import numpy as np
import ttl

@ttl.operation(grid=(1, 1))
def nested(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        with a_dfb.reserve() as blk:
            ttl.copy(a[0, 0], blk).wait()

    @ttl.compute()
    def compute():
        with a_dfb.wait() as blk:
            total = ttl.zeros(shape=(1, 1))
            other = blk * 2.0
            for _ in range(2):
                for _ in range(3):
                    for _ in range(2):
                        total += blk
                        other = ttl.math.max(other, total)
            with y_dfb.reserve() as y_blk:
                y_blk.store(total + other)

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as blk:
            ttl.copy(blk, y[0, 0]).wait()

a = np.arange(1024, dtype=np.float32).reshape(32, 32) - 512
y = np.zeros((32, 32), np.float32)
nested(a, y)
assert np.array_equal(y, 12 * a + np.maximum(2 * a, np.maximum(a, 12 * a)))
""")
    for engine in ("jit", "interp"):
        process = run(script, f"--engine={engine}", "--dump=loops")
        assert process.returncode == SUCCESS, process.stderr
        assert "ttl.dst_tile" in process.stderr
        assert "compiler_made" not in process.stderr
