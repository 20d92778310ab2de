# SPDX-License-Identifier: Apache-2.0
"""A crash of the compiler becomes an error at the user's line, and the process continues."""

import re
import subprocess

import pytest
from running import BUILD, COMPILE_ERROR, ROOT, SUCCESS, run

PLUGIN = BUILD / "lib" / "ttjit-test-passes.so"

# {crash} is replaced by a statement of the first operation's reader.
SCRIPT = """
import ctypes
import numpy as np
import ttl

null = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(8)  # with the GIL
null_without_gil = ctypes.CFUNCTYPE(ctypes.py_object, ctypes.py_object)(8)

class Crash:
    directly = property(null)
    without_gil = property(null_without_gil)
    @property
    def in_python(self):
        return [ctypes.string_at(8) for _ in range(2)]
    @property
    def by_abort(self):
        ctypes.CDLL(None).abort()

crash = Crash()

def operation(statement):
    @ttl.operation(grid=(1, 1))
    def op(a, y):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
        y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
        @ttl.datamovement()
        def reader():
            if statement:
                for i in range(ttl.node(dims=1) + 1):
                    {crash}
            with a_dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()
        @ttl.compute()
        def compute():
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                y_blk.store(a_blk + a_blk)
        @ttl.datamovement()
        def writer():
            with y_dfb.wait() as block:
                ttl.copy(block, y[0, 0]).wait()
    return op

a, y = np.ones((32, 32), np.float32), np.zeros((32, 32), np.float32)
for _ in range(3):  # a second crash is like the first
    try:
        operation(True)(a, y)
    except ttl.CompileError as error:
        print(f"{{error.line}}:{{error.column}}: {{error.message}}")
    operation(False)(a, y)
    assert (y == 2).all()
    y[:] = 0
print("went on", sum(range(10)))
"""

STATEMENTS = ["x = crash.directly", "x = crash.without_gil", "x = crash.in_python",
              "x = crash.by_abort", "with crash.directly as x: pass",
              "while crash.directly: pass", "x = [crash.in_python for _ in range(2)]"]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_crash_of_the_frontend(tmp_path, statement):
    script = tmp_path / "crash.py"
    script.write_text(SCRIPT.format(crash=statement))
    process = run(script)
    assert process.returncode == SUCCESS, process.stdout + process.stderr
    line = 1 + script.read_text().splitlines().index(" " * 20 + statement)
    signal = "SIGABRT" if "abort" in statement else "SIGSEGV"
    wanted = (rf"{line}:21: internal error: the compiler crashed at this statement "
              rf"\({signal}: .*\); please report it together with the program")
    *errors, last = process.stdout.splitlines()
    assert len(errors) == 3 and all(re.fullmatch(wanted, error) for error in errors), process.stdout
    assert last == "went on 45"


def test_an_uncaught_crash_has_the_status_of_a_compile_error(tmp_path):
    script = tmp_path / "crash.py"
    script.write_text(SCRIPT.format(crash="x = crash.directly").replace("except ttl.CompileError",
                                                                        "except KeyError"))
    process = run(script)
    assert process.returncode == COMPILE_ERROR, process.stdout + process.stderr
    assert "crash.py:" in process.stderr and "internal error: the compiler crashed" in process.stderr


ADD = """
import numpy as np
import ttl

@ttl.operation(grid=(1, 1))
def op(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    @ttl.datamovement()
    def reader():
        for i in range(2):
            with a_dfb.reserve() as block:
                ttl.copy(a[i, 0], block).wait()
    @ttl.compute()
    def compute():
        for i in range(2):
            with a_dfb.wait() as a_blk, y_dfb.reserve() as y_blk:
                y_blk.store(ttl.math.exp(a_blk))  # here
    @ttl.datamovement()
    def writer():
        for i in range(2):
            with y_dfb.wait() as block:
                ttl.copy(block, y[i, 0]).wait()

a, y = np.ones((64, 32), np.float32), np.zeros((64, 32), np.float32)
for _ in range(2):
    try:
        op(a, y)
    except ttl.CompileError as error:
        print(f"{error.line}: {error.message}")
print("went on", a.sum())
"""


@pytest.mark.parametrize("kind, signal", [
    ("null", "SIGSEGV: invalid memory access"), ("division", "SIGFPE: arithmetic exception"),
    ("trap", "SIGILL: illegal instruction"), ("abort", "SIGABRT: the code called abort()"),
    ("fatal", "SIGABRT: the code called abort()"), ("stack", "SIGSEGV: the stack is used up")])
@pytest.mark.parametrize("engine", ["jit", "interp", "emitted"])
def test_a_crash_of_a_pass(tmp_path, kind, signal, engine):
    script = tmp_path / "crash.py"
    script.write_text(ADD)
    process = run(script, f"--engine={engine}", f"--pass-plugin={PLUGIN}",
                  f"--insert-pass=test-crash{{kind={kind} op=ttl.block_exp}}@ttl")
    assert process.returncode == SUCCESS, process.stdout + process.stderr
    line = 1 + next(i for i, text in enumerate(ADD.splitlines()) if "# here" in text)
    error = (f"{line}: internal error: the compiler crashed in pass test-crash ({signal}); please "
             "report it together with the program")
    assert process.stdout.splitlines() == [error, error, "went on 2048.0"]


PROGRAM = ROOT / "tests" / "corpus" / "overwrite.mlir"
TTL_OPT = BUILD / "bin" / "ttl-opt"


def first_line_of(op):
    return 1 + next(i for i, line in enumerate(PROGRAM.read_text().splitlines()) if op in line)


@pytest.mark.parametrize("kind", ["null", "division", "abort", "stack"])
def test_a_crash_in_a_program_in_mlir(kind):
    process = run(PROGRAM, f"--pass-plugin={PLUGIN}",
                  f"--insert-pass=test-crash{{kind={kind} op=ttl.copy}}@ttl")
    assert process.returncode == COMPILE_ERROR, process.stdout + process.stderr
    assert f"{PROGRAM}:{first_line_of('ttl.copy')}:" in process.stderr
    assert "internal error: the compiler crashed in pass test-crash (SIG" in process.stderr


@pytest.mark.parametrize("threads", [[], ["--mlir-disable-threading=true"]])
@pytest.mark.parametrize("kind", ["null", "division", "abort", "stack", "fatal", "trap"])
def test_a_crash_in_ttl_opt(tmp_path, kind, threads):
    output = tmp_path / "out.mlir"
    process = subprocess.run(
        [TTL_OPT, PROGRAM, f"--load-pass-plugin={PLUGIN}", "-o", output, *threads,
         f"--pass-pipeline=builtin.module(test-crash{{kind={kind} op=ttl.copy}})"],
        capture_output=True, text=True, timeout=300)
    assert process.returncode == COMPILE_ERROR, process.stdout + process.stderr
    assert f"{PROGRAM}:{first_line_of('ttl.copy')}:" in process.stderr
    assert "internal error: the compiler crashed in pass test-crash (SIG" in process.stderr
    assert not output.exists()
