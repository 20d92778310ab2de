"""The warnings of ttl-jit run: each is printed once, and Python's warning filters apply."""
# feature: Warnings

import re

import running

KERNEL = """\
import numpy as np
import ttl

@ttl.operation(grid=(1, 1))
def kernel(a):
    dfbs = [ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2) for _ in range(5)]

    @ttl.datamovement()
    def reader():
        for dfb in dfbs:
            with dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()

    @ttl.compute()
    def compute():
        for dfb in dfbs:
            dfb.wait().pop()
        {last}

kernel(np.zeros((32, 32), np.float32))
"""


def run_kernel(tmp_path, last):
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL.format(last=last))
    return running.run(script)


def test_repeated_warning_is_counted(tmp_path):
    process = run_kernel(tmp_path, "pass")
    assert process.returncode == running.SUCCESS
    assert process.stderr.count("but nobody has read it") == 1
    assert "note: and 4 more like it here" in process.stderr


def test_finished_thread_ends_at_its_last_statement(tmp_path):
    process = run_kernel(tmp_path, "dfbs[0].wait().pop()")
    assert process.returncode == running.RUNTIME_FAULT
    assert f"reader(), finished at {tmp_path}/kernel.py:12:" in process.stderr


def test_filters_of_the_environment(tmp_path):
    script = tmp_path / "kernel.py"
    script.write_text(KERNEL.format(last="pass"))
    assert running.run(script, PYTHONWARNINGS="ignore::UserWarning").stderr == ""
    refused = running.run(script, PYTHONWARNINGS="error")
    assert refused.returncode == running.COMPILE_ERROR
    assert refused.stderr.startswith("error: this pops a block of 'dfbs[0]'")
    assert f"  at {script}:17:" in refused.stderr


def test_every_warning_of_the_compiler_has_a_kind():
    folders = ("diagnostics", "frontend", "hw", "interp", "ir", "jit", "passes", "tools")
    files = [file for folder in folders for file in (running.ROOT / folder).rglob("*.cpp")]
    plain = re.compile(r"(->|\.|mlir::)emitWarning\(")
    found = [file.name for file in files if plain.search(file.read_text())]
    assert found == ["Warnings.cpp"], "use emitWarning() of ir/Messages/Warnings.h"
