# SPDX-License-Identifier: Apache-2.0
"""The interactive session (REPL), which reads its input from a pipe."""

import re
import signal
import subprocess
import time

import pytest
from running import ROOT, TTL_JIT, environment

OBJECTS = ROOT / "tests" / "python" / "objects"
START = f"""\
import sys
sys.path.insert(0, {str(OBJECTS)!r})
from copies import copy, scale, tensors
a, y = tensors(32)
scale(a, y, 2.0)
"""


def session(text, cwd=ROOT, status=0, **variables):
    """Runs a session with this input; returns the finished process."""
    result = subprocess.run([TTL_JIT], input=text, capture_output=True, text=True, timeout=120, cwd=cwd,
                            env=environment(**variables), check=False)
    assert result.returncode == status, result.stderr
    return result


def output(commands, **keywords):
    result = session(START + commands, **keywords)
    assert result.stderr == ""
    return result.stdout


def error(commands):
    return session(START + commands, status=1).stderr


def test_statements_print_their_values():
    text = "1 + 1\nfor i in range(2):\n    print(i)\nelse:\n    print('end')\n\nx = 3\nx\n"
    assert session(text).stdout == "2\n0\n1\nend\n3\n"


def test_a_definition_may_be_followed_by_a_statement_at_once():
    text = "@staticmethod\ndef f():\n    return 5\nf()\nif f():\n    'yes'\nelif 0:\n    'no'\n(1 +\n2)\n"
    assert session(text).stdout == "5\n'yes'\n3\n"


def test_the_names_are_imported():
    assert session("np.__name__, ttl.__name__, ttnn.__name__\n").stdout == "('numpy', 'ttl', 'ttnn')\n"


def test_an_error_does_not_end_the_session():
    result = session("1 / 0\nprint('on')\n)\n:ir\nprint('and on')\n", status=1)
    assert result.stdout == "on\nand on\n"
    assert 'File "<ttl-jit 1>", line 1' in result.stderr
    assert "    1 / 0\n" in result.stderr
    assert "SyntaxError" in result.stderr
    assert "error: no kernel was called yet: call one, or :load a script that does" in result.stderr


def test_kernels_typed_in_are_quoted_in_errors():
    text = """@ttl.operation(grid=(1, 1))
def wrong(a):
    @ttl.datamovement()
    def reader():
        a.wiat()

wrong(np.zeros((32, 32), np.float32))
"""
    stderr = session(text, status=1).stderr
    assert "at <ttl-jit 1>:5:9\n      a.wiat()\n      ^~~~~~\n" in stderr


def test_help_names_every_command():
    stdout = session(":help\n").stdout
    names = re.findall(r"^:(\w+)", stdout, re.M)
    assert len(names) == len(set(names)) == 32
    explained = session("".join(f":help {name}\n" for name in names)).stdout
    for name in names:
        assert re.search(rf"^:{name}\b.*\n  .*\n  example: :{name}\b", explained, re.M)


WRONG = {
    ":engin": "there is no command :engin; did you mean :engine?",
    ":xyz": "there is no command :xyz; :help lists the commands",
    ":diff jit": "usage: :diff A B",
    ":load 'x": ":load 'x: No closing quotation",
    ":engine fast": "--engine: expected one of auto, jit, interp, emitted; found 'fast'",
    ":tile z 0 0": "there is no tensor z",
    ":tile y 1 0": "y has 1x1 tiles, so there is no tile 1 0",
    ":tile y a 0": "ROW and COLUMN must be numbers, found a 0",
    ":time 0": "the count must be a number of 1 or more, found 0",
    ":diff jit fast": "fast is no engine, schedule, stage or pass",
    ":diff jit intrep": "intrep is no engine, schedule, stage or pass; did you mean interp?",
    ":ir llvm": "llvm is no step of the IR: use :llvm",
    "nothing?": "nothing?: name 'nothing' is not defined",
    ":unknown?": "there is no command :unknown; :help lists the commands",
    ":reload": "no file was loaded yet: :load FILE",
    ":load no.py": "[Errno 2] No such file or directory: 'no.py'",
}


def test_unknown_and_wrong_commands():
    assert error("\n".join(WRONG) + "\n").splitlines() == [f"error: {text}" for text in WRONG.values()]


def test_wrong_steps():
    stderr = error(":ir dts\n:engine interp\n:llvm\n")
    assert stderr.startswith("error: there is no step dts; did you mean dst? :passes lists the stages and passes")
    assert "error: kernel scale has no llvm text, because the interpreter runs it" in stderr


def test_load_and_reload(tmp_path):
    (tmp_path / "script.py").write_text("import os\nprint('ran', __file__)\nvalue = 7\n")
    text = f":load {tmp_path}/script.py\nvalue\n:reload\n"
    assert session(text).stdout == f"ran {tmp_path}/script.py\n7\nran {tmp_path}/script.py\n"


def test_an_error_in_a_loaded_script_names_its_line(tmp_path):
    (tmp_path / "script.py").write_text("x = 1\nint('a')\n")
    result = session(f":load {tmp_path}/script.py\n", status=1)
    assert f'File "{tmp_path}/script.py", line 2' in result.stderr
    assert "ttl_jit" not in result.stderr


def test_mlir(tmp_path):
    program = ROOT / "tests" / "lit" / "programs" / "add.mlir"
    assert session(f":load {program}\n").stdout == session(f":mlir\n{_without_blanks(program)}\n\n").stdout


def _without_blanks(file):
    return "\n".join(line for line in file.read_text().splitlines() if line.strip())


def test_kernels():
    assert re.search(r"^scale\(a, y, factor\)  .*/copies.py:\d+$", output(":kernels\n"), re.M)


def test_engine_arch_grid_schedule():
    assert output(
        ":engine\n:engine interp\n:engine\nscale.compile(a, y, 2.0).engines['reader']\n"
        ":arch blackhole\nttnn.open_device().arch()\n:grid 2,1\n:grid\n"
        ":schedule random 3\n:schedule\n:run\n"
    ).splitlines() == ["engine: as given to ttl-jit", "engine: interp", "'interp'", "'blackhole'",
                       "grid: 2,1", "schedule: random"]


def test_layout_shows_what_the_command_shows():
    command = subprocess.run([TTL_JIT, "layout", "33x128", "--at=5,100"], capture_output=True, text=True,
                             env=environment(), check=True)
    assert session(":layout 33x128 --at=5,100\n").stdout == command.stdout
    assert "cores of blackhole" in session(":arch blackhole\n:layout 33x128\n").stdout
    wrong = session(":layout 33x128 --gird=2x4\n", status=1).stderr
    assert wrong == "error: unknown option: '--gird'; did you mean --grid?\n"


def test_run_repeats_the_last_call():
    assert output("y[:] = 0\n:run interp\nbool((y == 2 * a).all())\n") == "True\n"


SHOWN = {
    ":ir dst": "func.func @scale__reader",
    ":ir input": "ttl.kernel @scale",
    ":llvm": "define",
    ":asm": "scale__reader",
    ":cpp reader": "noc_async_read",
    ":l1": "source",
    ":dst": "mul_unary",
    ":passes": "ttl: ",
    ":graph": "  reader --[source: 2 blocks of 1 page, 8192 bytes]--> multiply\n"
              "  multiply --[result: 2 blocks of 1 page, 8192 bytes]--> writer\n",
}


def test_texts():
    parts = output("".join(f"print('-----')\n{command}\n" for command in SHOWN)).split("-----\n")
    for command, part in zip(SHOWN, parts[1:]):
        assert SHOWN[command] in part, command


def test_diff_of_equal_results():
    pairs = ("jit interp", "jit buffers", "fair random", "greedy fair")
    assert output("".join(f":diff {pair}\n" for pair in pairs)) == "equal bits\n" * 4


def test_diff_shows_the_first_element_that_differs():
    commands = """\
class Once:
    calls = 0
count = Once()
@ttl.host_function
def next_value() -> float:
    count.calls += 1
    return float(count.calls)
@ttl.operation(grid=(1, 1))
def counted(y):
    out = ttl.make_dataflow_buffer_like(y, shape=(1, 1), buffer_factor=2)
    @ttl.compute()
    def fill():
        with out.reserve() as block:
            block.store(ttl.math.fill(block, next_value()))
    @ttl.datamovement()
    def writer():
        with out.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

counted(y)
:diff jit interp
"""
    stdout = output(commands)
    assert stdout.startswith("y: 1024 of 1024 elements differ; the first is [0, 0]: ")
    assert stdout.endswith("different bits\n")


def test_time_and_stats():
    lines = output(":time 3\n:stats\n").splitlines()
    assert re.match(r"compile: [\d.]+ ms \(ttl [\d.]+, .*\)$", lines[0])
    assert re.match(r"launch: [\d.]+ ms, median of 3$", lines[1])
    assert re.match(r"on wormhole_b0: \d+ cycles = [\d.]+ us \(between \d+ and \d+ cycles\); .+", lines[2])
    assert "bytes_read: 4096" in lines


def test_time_card():
    lines = output(":time card\n").splitlines()
    assert lines[0].startswith("advice: ") and lines[1].startswith("kernel ")
    assert "what if:" in "\n".join(lines)


def test_tile():
    lines = output("y[:] = 0\ny[0, 0] = 1\ny[1, 1] = float('nan')\n:tile y 0 0\n").splitlines()
    assert len(lines) == 33
    assert lines[0] == "@" + " " * 31
    assert lines[1] == " !" + " " * 30
    assert lines[32] == "min 0, max 1, mean 0.000977517, 1 NaN or infinite (!)"


@pytest.mark.parametrize("end", ["\n", ".\n"])
def test_a_saved_program_in_mlir_is_replayed(tmp_path, end):
    file, program = tmp_path / "session.ttl", ROOT / "tests" / "lit" / "programs" / "add.mlir"
    session(f":mlir\n{_without_blanks(program)}\n{end}x = 5\n:save {file}\n")
    assert session(f":replay {file}\nx\n").stdout == "5\n"


def test_errors_of_mlir_name_it_like_a_statement():
    done = session("x = 1\n:mlir\nmodule { nothing }\n\n", status=1)
    assert "\n  at <ttl-jit 2>:1:10\n" in done.stderr


def test_the_page_has_all_commands():
    from ttl_jit.repl._commands import Commands

    page = (ROOT / "docs" / "repl.md").read_text()
    missing = [name for name in Commands.names() if f"`:{name}" not in page]
    assert not missing


def test_save_and_replay(tmp_path):
    file = tmp_path / "saved.ttl"
    assert session(f"x = 2\nfor i in range(x):\n    print(i)\n\n:save {file}\n").stdout == "0\n1\n"
    assert session(f":replay {file}\nx\n").stdout == "0\n1\n2\n"


def test_quit_ends_the_session():
    assert session("print(1)\n:quit\nprint(2)\n").stdout == "1\n"
    assert session("exit()\nprint(2)\n").stdout == ""


@pytest.mark.parametrize("statement, status, text", [
    ("exit(7)", 7, ""), ("exit(0)", 0, ""), ("import sys\nsys.exit('bye')", 1, "bye\n"),
    ("raise SystemExit(True)", 1, "")])
def test_the_status_of_exit(statement, status, text):
    ended = session(f"print(1)\n{statement}\nprint(2)\n", status=status)
    assert (ended.stdout, ended.stderr) == ("1\n", text)


def test_a_wrong_variable_is_a_usage_error():
    result = session("", status=2, TTL_ENGINE="fast")
    assert "TTL_ENGINE: " in result.stderr


def test_a_kernel_that_did_not_compile_is_not_the_last_one():
    text = START + """@ttl.operation(grid=(1, 1))
def wrong(a):
    @ttl.datamovement()
    def reader():
        a.wiat()

wrong(a)
:graph
"""
    assert session(text, status=1).stdout.startswith("scale: threads")


def test_watch(tmp_path):
    file = tmp_path / "watched.py"
    file.write_text("print('first', flush=True)\n")
    process = subprocess.Popen([TTL_JIT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env=environment(), bufsize=1)
    process.stdin.write(f":watch {file}\nprint('on')\n")
    process.stdin.close()
    lines = [process.stdout.readline() for _ in range(3)]
    time.sleep(0.05)
    file.write_text("1 / 0\n# longer\n")
    file.write_text("print('second, longer', flush=True)\n")
    lines += [process.stdout.readline() for _ in range(2)]
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait(timeout=60) == 0
    assert "first\n" in lines and f"{file} ended\n" in lines
    assert "second, longer\n" in lines + rest.splitlines(keepends=True)
    assert rest.endswith("no longer watching\non\n")


def test_ctrl_c_stops_the_kernel_and_not_the_session():
    text = START + """import os, signal, threading
@ttl.operation(grid=(1, 1))
def spin(a):
    @ttl.datamovement()
    def reader():
        x, _ = ttl.node(dims=2)
        while x == 0:
            pass

:engine interp
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start(); spin(a)
print('on')
"""
    result = session(text, status=1)
    assert result.stdout.endswith("on\n")
    assert "interrupted" in result.stderr


@pytest.mark.parametrize("page", ["docs/repl.md", "docs/device-numerics.md"])
def test_the_transcripts_of_the_pages(page):
    text = re.search(r"^```\n(?:\$ ttl-jit\n)?(ttl> .*?)^```", (ROOT / page).read_text(), re.M | re.S)[1]
    entered = "".join(line[len("ttl> "):] for line in text.splitlines(keepends=True) if line.startswith("ttl> "))
    shown = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("ttl> "))
    printed = session(entered).stdout
    assert _without_times(printed).startswith(_without_times(shown))


def _without_times(text):
    return re.sub(r"\d+\.\d ms", "T ms", text)


def test_magics_of_a_notebook(monkeypatch, capsys):
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    shell.run_line_magic("load_ext", "ttl")
    shell.run_cell(START)
    shell.run_line_magic("ttl", "graph")
    assert capsys.readouterr().out.startswith("scale: threads reader")
    shell.run_line_magic("ttl", "numerics")
    assert capsys.readouterr().out.startswith("scale, device numerics: wormhole_b0, HiFi4, ")
    with pytest.raises(Exception, match="there is no command :nope"):
        shell.run_line_magic("ttl", "nope")
    shell.user_ns["_ttl_shell"].calls.stop()


# ===--------------------------------------------------------------------------=== #
# Debugging
# ===--------------------------------------------------------------------------=== #

COPY_LINE = max(number for number, line in enumerate((OBJECTS / "copies.py").read_text().splitlines(), 1)
                if "ttl.copy(" in line)


def test_a_breakpoint_stops_the_next_calls():
    text = output(f":break copies.py:{COPY_LINE}\nscale(a, y, 3.0)\n:where\n:threads\n:next\n:back 1\n"
                  ":delete 1\n:continue\nprint('and on')\nscale(a, y, 3.0)\nprint('end')\n")
    assert f"breakpoint 1: copies.py:{COPY_LINE}" in text
    assert text.count(f"copies.py:{COPY_LINE}:") >= 2
    assert text.endswith("and on\nend\n")


def test_a_debugging_command_needs_a_stopped_kernel():
    assert error(":step\n") == "error: no kernel is stopped: :break a line and call a kernel, then :step\n"
    assert error(":check perhaps\n") == "error: expected on or off, found perhaps\n"
    assert error(":break (\n").startswith("error: expected LINE, FILE:LINE, FUNCTION, op NAME or event NAME")


def test_checks_are_switched_on_and_off():
    assert output(":check on\nscale(a, y, 3.0)\n:check off\nscale(a, y, 3.0)\nprint('end')\n") == "end\n"


def test_the_input_may_end_while_a_kernel_is_stopped():
    result = session(START + ":break event push\nscale(a, y, 3.0)\n", status=1)
    assert "the debugger ended the run" in result.stderr


def test_the_floating_point_environment_of_the_program():
    """A session keeps the floating-point environment that its statements set. Kernels do not use it."""
    folder = ROOT / "tests" / "python" / "frontend"
    result = session(f"""\
import sys
sys.path.insert(0, {str(folder)!r})
import float_environment as environment, test_float_environment as tests
expected = tests.run(tests.make_operation("jit"))
environment.write(environment.DEFAULT | environment.FLUSH | environment.DENORMALS_ARE_ZERO)
found = tests.run(tests.make_operation("jit"))
print((found == expected).all(), hex(found[1, 0]), hex(environment.read()))
""")
    assert "True 0x22d84 0x9fc0" in result.stdout


def test_wrong_statements_show_no_frames_of_the_session():
    for text in ("1 +", "x = = 3", "f(\n", "'a\n", "(" * 300 + "\n", "'\\N{nothing}'", "1\0"):
        stderr = session(text + "\n", status=1).stderr
        assert "codeop" not in stderr and "ttl_jit/" not in stderr, stderr
        assert "rror" in stderr


def test_diff_knows_the_emitted_engine():
    assert output(":diff jit emitted\n") == "equal bits\n"


def test_a_question_mark_shows_what_a_name_is():
    lines = output("scale?\n?tensors\na?\nttl.math.exp ?\nnp?\n:diff?\nint?\nttl.Pipe?\n").splitlines()
    text = "\n".join(lines)
    assert lines[0].startswith("scale(a, y, factor): Operation")
    assert any(re.match(r"  defined at .*/copies\.py:\d+$", line) for line in lines)
    assert re.search(r"^tensors\(rows=64\): function$", text, re.M)
    assert re.search(r"^a: ndarray = array\(", text, re.M)
    assert re.search(r"^ttl.math.exp\(x, ", text, re.M) and "Example, in a compute function:" in text
    assert re.search(r"^ttl.Pipe\(src=None, ", text, re.M)
    assert re.search(r"^np: module numpy$", text, re.M)
    assert re.search(r"^:diff A B\n  Runs the last call twice .*\n  example: :diff jit interp$", text, re.M)
    assert re.search(r"^int\(", text, re.M)


def test_conditions_of_breakpoints_keep_their_quotes():
    assert '"x" in "xy"' in output(':break 12 if "x" in "xy"\n:break\n')
