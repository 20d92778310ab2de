# SPDX-License-Identifier: Apache-2.0
"""gdb stops at lines of kernels that ttl-jit runs with --gdb, and shows their variables' values."""

import re
import shutil
import subprocess

import pytest
from running import EXAMPLES, ROOT, TTL_JIT, environment, hashes, run

SCRIPT = ROOT / "frontend" / "python" / "ttl_jit" / "gdb" / "ttl_gdb.py"
ENGINES = ("jit", "emitted")

pytestmark = pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed")

LOOPS = """
import numpy as np
import ttl


def double(n):
    twice = n * 2
    return twice


@ttl.operation(grid=(2, 1))
def kernel(x, y):
    dfb = ttl.make_dataflow_buffer_like(x, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        node = ttl.node(dims=1)
        for outer in range(2):
            for inner in range(2):
                number = outer * 10 + double(inner) + node
                with dfb.reserve() as block:
                    ttl.copy(x[outer, inner], block).wait()  # COPY
                    if number == 12:
                        ttl.raw_element_write(block, 0, 0, value=float(number))  # HERE

    @ttl.datamovement()
    def writer():
        for outer in range(2):
            for inner in range(2):
                with dfb.wait() as block:
                    ttl.copy(block, y[outer, inner]).wait()  # BACK


x = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
kernel(x, np.zeros((64, 64), np.float32))
"""


def line_of(comment):
    return next(i for i, line in enumerate(LOOPS.splitlines(), 1) if comment in line)


def gdb(folder, engine, *commands):
    """Writes the script, runs gdb with these commands on it, and returns what gdb prints."""
    (folder / "loops.py").write_text(LOOPS)
    (folder / "commands").write_text("\n".join(
        ["set pagination off", "set confirm off", "set breakpoint pending on",
         "set debuginfod enabled off", f"source {SCRIPT}", *commands, "kill"]))
    process = subprocess.run(
        ["gdb", "-nx", "-batch", "-x", "commands", "--args", TTL_JIT, "run", "loops.py", "--gdb",
         f"--engine={engine}"],
        cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=300)
    return process.stdout + process.stderr


def values(text):
    return dict(re.findall(r"^(\w+) = (-?\d+)$", text, re.MULTILINE))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_breakpoint_shows_the_variables_and_the_stack(tmp_path, engine):
    line = line_of("# HERE")
    text = gdb(tmp_path, engine, f"break loops.py:{line}", "run", "info locals", "bt 1")
    assert f"at loops.py:{line}\n{line}\t" in text
    found = values(text)
    assert (found["outer"], found["inner"], found["number"]) == ("1", "1", "12")
    assert "<optimized out>" not in text
    assert re.search(rf"#0 .* at loops.py:{line}$", text, re.MULTILINE)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_place_of_a_line_has_the_variables(tmp_path, engine):
    """The compiler puts code of the thread's last line at several places; gdb must show variables at each."""
    text = gdb(tmp_path, engine, f"break loops.py:{line_of('# HERE')} if outer == 1 && inner == 1", "run",
               "info breakpoints", "continue", "info locals", "continue")
    assert "<MULTIPLE>" not in text and "Error in testing breakpoint condition" not in text
    assert text.count("hit Breakpoint 1") == 1  # only node 0 has number 12
    assert "exited normally" in text


@pytest.mark.parametrize("engine", ENGINES)
def test_a_condition_chooses_the_round(tmp_path, engine):
    line = line_of("# COPY")
    text = gdb(tmp_path, engine, f"break loops.py:{line} if outer == 1 && inner == 0", "run",
               "info locals", "ttl where", "ttl buffers", "ttl block dfb")
    assert (values(text)["outer"], values(text)["inner"]) == ("1", "0")
    assert "reader of node (0, 0)" in text
    assert re.search(r"<DataflowBuffer dfb shape=\(1, 1\) .*> filled=\d reserved=1 waited=0", text)


def test_variables_keep_their_values_after_their_last_use(tmp_path):
    line = line_of("# COPY")
    text = gdb(tmp_path, "jit", f"break loops.py:{line}", "run", "info locals", "echo ----\\n", "continue 3",
               "info locals")
    first, second = text.split("----")
    assert "<optimized out>" not in text
    assert [values(part)[name] for part in (first, second) for name in ("outer", "inner", "number", "twice")] == [
        "0", "0", "0", "0", "0", "1", "3", "2"]


def test_a_block_is_shown_by_its_own_name(tmp_path):
    text = gdb(tmp_path, "jit", f"break loops.py:{line_of('# HERE')}", "run", "ttl block block")
    assert re.search(r"<Block shape=\(1, 1\)>\n\[\[ *2080\.0 +2081\.0 +2082\.0 ", text)
    text = gdb(tmp_path, "jit", f"break loops.py:{line_of('# BACK')}", "run", "ttl block block")
    assert "'block' has no address yet: a block gets one at its first use; name its buffer, or go on by a line" in text


@pytest.mark.parametrize("engine", ENGINES)
def test_the_elements_of_a_block(tmp_path, engine):
    text = gdb(tmp_path, engine, f"break loops.py:{line_of('# BACK')} if inner == 1", "run",
               "ttl block dfb")
    assert re.search(r"<Block shape=\(1, 1\)>\n\[\[ *32\.0 +33\.0 +34\.0 ", text)


def test_mistakes_in_commands(tmp_path):
    text = gdb(tmp_path, "jit", f"break loops.py:{line_of('# BACK')}", "run", "ttl block x_dfb")
    assert "there is no block or buffer 'x_dfb': see `info locals` and `ttl buffers`" in text
    text = gdb(tmp_path, "jit", "ttl block")
    assert "ttl block: expected the name of a block or a buffer, such as a_dfb" in text
    text = gdb(tmp_path, "jit", "ttl where")
    assert "ttl: is a kernel running?" in text


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("example", ("eltwise_add", "softmax", "matmul_multicast", "ring_all_reduce"))
def test_results_have_the_same_bits(example, engine):
    expected = hashes(run(EXAMPLES / f"{example}.py", "--", "--hash"))
    assert hashes(run(EXAMPLES / f"{example}.py", "--gdb", f"--engine={engine}", "--", "--hash")) \
        == expected
