"""Options of ttl-jit run, the arguments of scripts, and exit statuses."""

import os
import re
import signal
import subprocess
import time

import pytest
from running import (COMPILE_ERROR, EXAMPLES, KERNELS, RUNTIME_FAULT, SCRIPT_FAILED, SUCCESS, TTL_JIT, USAGE,
                     environment, run, ttl_jit)

MISTAKES = KERNELS / "mistakes.py"
PROGRAM = KERNELS.parents[2] / "lit" / "programs" / "add.mlir"


# The script first limits its address space, and then places a tensor.
LIMITED = """
import resource
import ttnn
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
device = ttnn.open_device(device_id=0)
small = ttnn.full((32, 32), 1.0, layout=ttnn.TILE_LAYOUT, device=device)
try:
    ttnn.empty(
        (65536, 32768), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)
except (ValueError, MemoryError) as error:
    print(error)
print(ttnn.to_numpy(small).sum())
"""


def script(tmp_path, text):
    file = tmp_path / "script.py"
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["walk"], "unknown command 'walk'"),
        (["run"], "no file to run"),
        (["run", "--engine=fast", "x.py"], "expected one of auto, jit, interp, emitted; found 'fast'"),
        (["run", "--wings", "x.py"], "unknown option --wings"),
        (["run", "x.py", "--seed"], "--seed needs a value"),
        (["run", "--mesh=n300", "--arch=blackhole", PROGRAM],
         "the machine n300 of --mesh has chips of wormhole_b0, and --arch=blackhole is another chip; leave "
         "--arch out, or give --mesh the rows and columns: 1x2"),
        (["run", "--arch=wormhole_b0@4x4", "--mesh=p150x4", PROGRAM],
         "the machine p150x4 of --mesh has chips of blackhole"),
        (["run", "--compute-config=", PROGRAM], "expected NAME=VALUE, such as math_fidelity=HiFi2; found ''"),
        (["run", "--numerics=card", "x.py"], "expected host or device; found 'card'"),
        (["run", "--numerics=device", "--stage=dst", str(MISTAKES)],
         "--numerics=device needs stage loops or a later one, which says which unit of the card computes"),
        (["bisect", "--numerics=device", str(MISTAKES)], "--bisect compares every stage, and those before stage loops"),
        (["run", "no-such-file.py"], "no such file: no-such-file.py"),
        (["run", "/"], "expected a file; found the directory /"),
        (["run", "/dev/null"], "expected a regular file; found /dev/null"),
        (["run", PROGRAM, "--record=/no/such/folder/file"], "/no/such/folder is not a directory"),
        (["run", PROGRAM, "--record=/"], "--record: expected a file; found the directory /"),
        (["run", PROGRAM, "--emit=/dev/null/out"], "--emit: /dev/null is not a directory"),
        (["run", PROGRAM, "--emit", PROGRAM], "is not a directory"),
        (["run", PROGRAM, "--emit=/proc/out"], "--emit: cannot write into directory /proc"),
        (["run", PROGRAM, "--cache=/proc/code/here"], "--cache: cannot write into directory /proc"),
        (["run", PROGRAM, "--record=/proc/file"], "--record: cannot write into directory /proc"),
        (["run", PROGRAM, "--insert-pass=no-such-pass@compute"],
         "--insert-pass=no-such-pass@compute: 'no-such-pass' does not refer to a registered pass"),
        (["run", PROGRAM, "--insert-pass=canonicalize{nope=1}@compute"],
         "--insert-pass=canonicalize{nope=1}@compute: <Pass-Options-Parser>: no such option nope"),
        (["run", PROGRAM, "--wings"], "a .mlir program takes no arguments; found --wings"),
    ],
)
def test_usage_errors(arguments, message):
    process = ttl_jit(*arguments)
    assert process.returncode == USAGE
    assert message in process.stderr
    assert len(process.stderr.splitlines()) == 1


def test_bad_variable_is_a_usage_error(tmp_path):
    process = run(script(tmp_path, "print('ran')"), TTL_GRID="many")
    assert process.returncode == USAGE
    assert process.stderr == "ttl-jit: TTL_GRID: expected columns,rows as in 8,8; found 'many'\n"
    assert process.stdout == ""


def test_the_command_run_may_be_left_out(tmp_path):
    process = ttl_jit(script(tmp_path, "import sys; print(sys.argv[1:])"), "--engine=interp", "--", "x")
    assert process.returncode == SUCCESS and process.stdout == "['x']\n"
    assert ttl_jit(PROGRAM).returncode == SUCCESS


def test_help_and_version():
    assert "--schedule=fair|greedy|random|parallel[(N)]|replay:FILE" in ttl_jit("--help").stdout
    assert ttl_jit("run", "--help").stdout == ttl_jit("--help").stdout
    assert ttl_jit("--version").stdout.startswith("ttl-jit ")


@pytest.mark.parametrize(
    "text, status, stderr",
    [
        ("pass", SUCCESS, ""),
        ("import sys; sys.exit()", SUCCESS, ""),
        ("import sys; sys.exit(7)", 7, ""),
        ("import sys; sys.exit('enough')", SCRIPT_FAILED, "enough\n"),
        ("raise SystemExit(True)", 1, ""),
    ],
)
def test_exit_of_a_script(tmp_path, text, status, stderr):
    process = run(script(tmp_path, text))
    assert (process.returncode, process.stderr) == (status, stderr)


def test_uncaught_exception_is_a_traceback_from_the_script_on(tmp_path):
    process = run(script(tmp_path, "def f():\n    1 / 0\n\nf()\n"))
    assert process.returncode == SCRIPT_FAILED
    lines = process.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].endswith('script.py", line 4, in <module>')
    assert lines[-1] == "ZeroDivisionError: division by zero"


HOOK = """
import sys
def hook(kind, error, traceback):
    print("hook", kind.__name__, traceback.tb_lineno, file=sys.stderr)
sys.excepthook = hook
"""
COMPILE_ERROR_LINE = "import ttl; raise ttl.CompileError('no')\n"


@pytest.mark.parametrize(
    "text, status, stderr",
    [
        ("1 / 0\n", SCRIPT_FAILED, "hook ZeroDivisionError 6\n"),
        (COMPILE_ERROR_LINE, COMPILE_ERROR, "hook CompileError 6\n"),
        ("raise KeyboardInterrupt\n", 130, "hook KeyboardInterrupt 6\n"),
        ("raise SystemExit(5)\n", 5, ""),
        ("sys.excepthook = None\nraise SystemExit('out')\n", SCRIPT_FAILED, "out\n"),
    ],
)
def test_excepthook_of_the_script(tmp_path, text, status, stderr):
    process = run(script(tmp_path, HOOK + text))
    assert (process.returncode, process.stderr) == (status, stderr)


def test_excepthook_that_fails(tmp_path):
    text = "import sys\nsys.excepthook = lambda *a: {}['key']\nint('x')\n"
    process = run(script(tmp_path, text))
    assert process.returncode == SCRIPT_FAILED
    assert process.stderr.startswith("Error in sys.excepthook:\nTraceback")
    assert "KeyError: 'key'\n\nOriginal exception was:\nTraceback" in process.stderr
    assert process.stderr.endswith("literal for int() with base 10: 'x'\n")
    assert "_ttl_run" not in process.stderr


@pytest.mark.parametrize("closed", [1, 2])
@pytest.mark.parametrize("text", ["pass", "print('lost')", "import ttl; print('lost')"])
def test_closed_output_is_no_failure(tmp_path, closed, text):
    process = subprocess.run(
        [TTL_JIT, "run", script(tmp_path, text)],
        preexec_fn=lambda: os.close(closed),
        env=environment(),
    )
    assert process.returncode == SUCCESS


def test_output_that_the_script_dropped_is_no_failure(tmp_path):
    assert run(script(tmp_path, "import sys; sys.stdout = None")).returncode == SUCCESS
    assert run(script(tmp_path, "import sys; sys.stdout.close()")).returncode == SUCCESS


def test_traceback_of_a_wrong_call_ends_in_the_script(tmp_path):
    process = run(script(tmp_path, "import ttnn\n\nttnn.zeros((64, -32))\n"))
    assert process.returncode == SCRIPT_FAILED
    lines = process.stderr.splitlines()
    assert [line for line in lines if line.startswith("  File")] == [
        f'  File "{tmp_path}/script.py", line 3, in <module>'
    ]
    assert lines[-1] == "ValueError: shape (64, -32): extent -32 must be at least 1"


def test_syntax_error(tmp_path):
    process = run(script(tmp_path, "def f(:\n"))
    assert process.returncode == SCRIPT_FAILED
    assert "SyntaxError" in process.stderr


def test_a_script_is_main_and_has_its_arguments(tmp_path):
    file = script(
        tmp_path,
        "import sys, os, ttl, ttnn\n"
        "assert __name__ == '__main__' and sys.modules['__main__'].__file__ == __file__\n"
        "assert sys.path[0] == os.path.dirname(__file__)\n"
        "print(sys.argv[1:], os.environ['TTL_SEED'])\n",
    )
    process = run(file, "--seed=5", "--size", "3", "--engine=jit", TTL_SEED="4")
    assert process.stdout == "['--size', '3', '--engine=jit'] 5\n", process.stderr
    assert run(file, "--seed", "6", "--", "--seed=1").stdout == "['--seed=1'] 6\n"


def test_our_packages_win_over_the_script_folders(tmp_path):
    (tmp_path / "ttl.py").write_text("raise RuntimeError('the wrong ttl')\n")
    process = run(script(tmp_path, "import ttl; print(ttl.operation.__name__)"))
    assert process.stdout == "operation\n", process.stderr


def test_python3_works_too():
    process = subprocess.run(
        ["/usr/bin/python3", MISTAKES, "undefined_name"], capture_output=True, text=True,
        env=environment(PYTHONPATH=str(TTL_JIT.parents[1] / "python")),
    )
    if "ASan runtime" in process.stderr:
        pytest.skip("python3 itself has no sanitizer")
    assert process.returncode == 1
    assert "ttl.CompileError" in process.stderr


ENDLESS = """
ttl.kernel @endless() attributes {grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "worker" {
    scf.while : () -> () {
      %true = arith.constant true
      scf.condition(%true)
    } do {
      scf.yield
    }
  }
}
func.func @main() {
  ttl.launch @endless()
  return
}
"""


@pytest.mark.parametrize("kind", ["py", "mlir"])
def test_interrupt_ends_a_running_kernel_and_says_where_it_was(tmp_path, kind):
    (tmp_path / "endless.mlir").write_text(ENDLESS)
    arguments = [MISTAKES, "--engine=interp", "--", "endless_loop"]
    if kind == "mlir":
        arguments = [tmp_path / "endless.mlir", "--engine=interp"]
    process = subprocess.Popen(
        [TTL_JIT, "run", *arguments], stderr=subprocess.PIPE, text=True, env=environment()
    )
    time.sleep(3)  # longer than the start takes, much shorter than the run
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert stderr.startswith("error: interrupted\n  at ")
    assert "note: in thread" in stderr
    assert "Traceback" not in stderr


def test_output_that_cannot_be_written_is_a_failure(tmp_path):
    file = tmp_path / "print.mlir"
    file.write_text("func.func @main() {\n  %0 = ttltest.full 1.0 : tensor<4xf32>\n"
                    "  ttltest.print %0 : tensor<4xf32>\n  return\n}\n")
    with open("/dev/full", "w") as full:
        process = subprocess.run([TTL_JIT, "run", file], stdout=full, stderr=subprocess.PIPE,
                                 text=True, env=environment())
    assert process.returncode == SCRIPT_FAILED
    assert process.stderr == "ttl-jit: cannot write to standard output\n"


GARBAGE = {
    "empty.mlir": b"",
    "text.mlir": b"hello, world\n",
    "bytecode.mlir": b"ML\xefR\x06MLIR22\0" + bytes(range(256)),
    "latin1.mlir": b"func.func @main() { \"\xe9\xff\xfe\" }\n",
    "deep.mlir": b"module {" * 5000,
    "deep_types.mlir": b"func.func @main() -> " + b"tuple<" * 100000,
    "long_sum.mlir": b"#m = affine_map<(d0) -> (d0" + b" + d0" * 200000 + b")>",
    "elf.mlir": None,  # replaced by the program ttl-jit itself
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_refused(tmp_path, name):
    file = tmp_path / name
    file.write_bytes(TTL_JIT.read_bytes() if GARBAGE[name] is None else GARBAGE[name])
    process = run(file)
    assert process.returncode == COMPILE_ERROR, process.stderr
    assert process.stderr.startswith("error: ")


def test_truncated_and_mutated_programs_never_crash(tmp_path):
    text = PROGRAM.read_bytes()
    for i in range(40):
        cut = text[: len(text) * i // 40]
        at = (i * 7919) % len(text)
        mutated = text[:at] + bytes([text[at] ^ (1 << i % 7)]) + text[at + 1 :]
        for number, content in enumerate((cut, mutated)):
            file = tmp_path / f"{i}-{number}.mlir"
            file.write_bytes(content)
            status = run(file, "--limit=1000000").returncode
            assert status in (0, 1, 3, 4), f"variant {i}-{number} ended with {status}"


def test_emit_writes_one_file_per_thread(tmp_path):
    process = run(EXAMPLES / "eltwise_add.py", f"--emit={tmp_path / 'out'}")
    assert process.returncode == SUCCESS, process.stderr
    files = sorted((tmp_path / "out").glob("*.cpp"))
    assert len(files) == 3
    assert all(re.search(r"void (kernel_main|MAIN)", file.read_text()) for file in files)


@pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer maps more memory than the limit allows"
)
def test_address_space_that_is_too_small_is_named(tmp_path):
    file = script(tmp_path, LIMITED)
    process = run(file)
    assert process.returncode == SUCCESS, process.stderr
    assert "its limit of 4.0 GiB (ulimit -v)" in process.stdout
    assert process.stdout.endswith("1024.0\n")


@pytest.mark.skipif(
    "asan" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer maps more memory than the limit allows"
)
@pytest.mark.parametrize("gigabytes", (2, 4))
@pytest.mark.parametrize("example", ("eltwise_add.py", "matmul_multicast.py"))
@pytest.mark.parametrize("engine", ("jit", "interp", "emitted"))
def test_examples_run_with_little_address_space(example, gigabytes, engine):
    command = f"ulimit -v {gigabytes << 20}; exec {TTL_JIT} run {EXAMPLES / example} --engine={engine}"
    process = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300,
                             env=environment(), check=False)
    assert process.returncode == SUCCESS, process.stderr


def test_statistics_on_a_full_disk(tmp_path):
    file = tmp_path / "full.json"
    file.symlink_to("/dev/full")
    for program in (EXAMPLES / "eltwise_add.py", PROGRAM):
        process = run(program, f"--stats={file}")
        assert process.returncode == RUNTIME_FAULT
        assert process.stderr.count(f"error: cannot write the statistics '{file}': "
                                    "No space left on device") == 1
    failed = run(script(tmp_path, "import ttl\nraise SystemExit(7)"), f"--stats={file}")
    assert failed.returncode == 7


# ===--------------------------------------------------------------------------=== #
# Signals
# ===--------------------------------------------------------------------------=== #

WAITS = """
import sys, time
print("ready", flush=True)
time.sleep(60)
"""


def signalled(number, program, *arguments, wait=True):
    """Sends a signal to a program, after its first line of output if `wait`; returns status and stderr."""
    process = subprocess.Popen([TTL_JIT, "run", program, *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment())
    if wait:
        assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    _, stderr = process.communicate(timeout=60)
    return process.returncode, stderr


@pytest.mark.parametrize("number, text", ((signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")))
def test_a_signal_before_a_kernel_starts(number, text, tmp_path):
    assert signalled(number, script(tmp_path, WAITS)) == (128 + number, text + "\n")


def test_sigterm_ends_a_running_kernel():
    process = subprocess.Popen([TTL_JIT, "run", MISTAKES, "--engine=interp", "--", "endless_loop"],
                               stderr=subprocess.PIPE, text=True, env=environment())
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (143, "terminated\n")


OWN_HANDLER = """
import os, signal, sys, time
assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
print("ready", flush=True)
time.sleep(60)
"""


def test_a_handler_of_the_script_counts(tmp_path):
    assert signalled(signal.SIGTERM, script(tmp_path, OWN_HANDLER)) == (9, "")


CHILD = """
import os, signal, time
child = os.fork()
if not child:
    time.sleep(60)
time.sleep(0.2)
os.kill(child, signal.SIGTERM)
_, status = os.waitpid(child, 0)
assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGTERM, status
"""


def test_children_end_as_other_processes_do(tmp_path):
    process = run(script(tmp_path, CHILD))
    assert (process.returncode, process.stderr) == (SUCCESS, "")


def test_ignored_signals_stay_ignored(tmp_path):
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\nprint('here')"
    command = f"trap '' TERM; exec {TTL_JIT} run {script(tmp_path, text)}"
    process = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60,
                             env=environment(), check=False)
    assert (process.returncode, process.stdout) == (SUCCESS, "here\n")


def test_dump_shows_every_stage():
    process = run(EXAMPLES / "eltwise_add.py", "--engine=jit", "--dump=all")
    assert process.returncode == SUCCESS, process.stderr
    stages = [line.split()[2].rstrip(":") for line in process.stderr.splitlines()
              if line.startswith("// ----- ")]
    assert stages == ["ttl", "compute", "sync", "threads", "buffers", "dst-assignment",
                      "dst", "loops", "ttkernel",
                      "l1", "config", "llvm", "asm"]


def test_an_option_with_one_dash(tmp_path):
    program = script(tmp_path, "print('ran')")
    process = run(program, "-engine=jit")
    assert "has no option -engine, so " in process.stderr and "did you mean --engine?" in process.stderr
    assert process.stdout == "ran\n"
    process = ttl_jit("run", "-engine=jit", program)
    assert process.returncode == USAGE and "unknown option -engine=jit; did you mean --engine=jit?" in process.stderr
    process = run(program, "--stats=numbers.txt")
    assert process.returncode == USAGE and "expected on, off, or a file whose name ends in .json" in process.stderr
    assert "143 SIGTERM" in ttl_jit("--help").stdout


@pytest.mark.parametrize("text", ["import ttl\n", "print(end='')\n"])
@pytest.mark.parametrize("command, message", [
    ("bisect", "bisect: nothing to compare: no kernel was launched"),
    ("emit-report", "emit-report: no kernel was compiled"),
    ("explore", "explore: no kernel was launched"),
    ("numerics", "numerics: no kernel was launched"),
    ("time", "time: no kernel was launched"),
])
def test_a_script_without_a_launch(tmp_path, command, message, text):
    process = ttl_jit(command, script(tmp_path, text))
    assert (process.returncode, process.stdout + process.stderr) == (SUCCESS, f"{message}\n")
    assert "launched" not in ttl_jit("run", script(tmp_path, text)).stderr


def test_times_of_a_script_without_a_launch(tmp_path):
    program = script(tmp_path, "pass\n")
    process = ttl_jit("time", program, "--vs", program)
    assert process.returncode == USAGE and "launched 0 kernels" in process.stderr


def test_orders_of_a_script_in_another_encoding(tmp_path):
    program = tmp_path / "latin.py"
    program.write_bytes("# coding: latin-1\nprint('\xe9')\n".encode("latin-1"))
    process = ttl_jit("explore", program, "--orders=2")
    assert process.returncode == SUCCESS and "explore: no kernel was launched" in process.stdout
