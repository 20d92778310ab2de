"""Kernels print the same text on every engine and at every stage that the interpreter can run."""
# feature: print

import running

SCRIPT = """
import numpy as np
import ttl


@ttl.operation(grid=(2, 1))
def op(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 2), block_count=3)
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 2), block_count=2)

    @ttl.datamovement()
    def reader():
        x = ttl.node(dims=1)
        for i in range(3):
            blk = a_dfb.reserve()
            ttl.copy(a[x, 0:2], blk).wait()
            print(f"{i}: {float(i) / 3:.3f}", blk)
            if i == 0:
                print(a_dfb)
            blk.push()

    @ttl.compute()
    def compute():
        total = ttl.block.fill(0, shape=(1, 2))
        for i in range(3):
            with a_dfb.wait() as b:
                total += b
                print(i, b)
        with y_dfb.reserve() as r:
            r.store(total)
            print(r, y_dfb)

    @ttl.datamovement()
    def writer():
        x = ttl.node(dims=1)
        with y_dfb.wait() as blk:
            print("got", blk)
            ttl.copy(blk, y[x, 0:2]).wait()


a = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
y = np.zeros_like(a)
op(a, y)
assert np.array_equal(y, 3 * a)
"""

STAGES = ["input", "ttl", "compute", "sync", "threads", "buffers", "dst", "loops"]


def lines_by_thread(text):
    threads = {}
    for line in text.splitlines():
        thread, _, rest = line.partition(": ")
        threads.setdefault(thread, []).append(rest)
    return threads


def test_every_engine_and_stage_prints_the_same(tmp_path):
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)

    def output(*options):
        done = running.run(file, *options)
        assert done.returncode == running.SUCCESS, done.stderr
        return done.stdout

    jit = output("--engine=jit")
    assert len(lines_by_thread(jit)) == 6 and jit.count("\n") > 100
    assert output("--engine=interp") == jit
    for stage in STAGES:
        assert lines_by_thread(output(f"--stage={stage}")) == lines_by_thread(jit), stage
