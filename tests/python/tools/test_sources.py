"""Kernel functions whose source is in no file, or in a file that was edited after its import."""

import os
import subprocess
import sys
import time
import zipfile

from running import BUILD, COMPILE_ERROR, SUCCESS, environment, run

KERNEL = """
import numpy as np
import ttl
{imports}

@ttl.operation(grid=(1, 1))
def fill(y):
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))

    @ttl.compute()
    def compute():
        with y_dfb.reserve() as blk:
            blk.store(ttl.math.fill({value}, shape=(1, 1)))

    @ttl.datamovement()
    def writer():
        with y_dfb.wait() as blk:
            ttl.copy(blk, y[0, 0]).wait()

def show():
    y = np.zeros((32, 32), np.float32)
    fill(y)
    print(y[0, 0], flush=True)
"""


def kernel(value="2.0", imports=""):
    return KERNEL.format(value=value, imports=imports)


def python(*arguments, **keywords):
    """Runs this Python with ttl's packages on its path; returns the finished process."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(
            PYTHONPATH=str(BUILD / "python"), LD_PRELOAD=os.environ.get("LD_PRELOAD", "")
        ),
        **keywords,
    )


def check(process, output):
    assert process.returncode == SUCCESS, process.stderr
    assert process.stdout == output


def test_program_of_the_command_line():
    check(python("-c", kernel() + "show()"), "2.0\n")


def test_program_of_standard_input(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(kernel() + "show()")
    with open(file) as stream:
        check(python("-", stdin=stream), "2.0\n")


def test_error_in_a_program_of_the_command_line_shows_its_line():
    process = python("-c", kernel("missing") + "show()")
    assert "name 'missing' is not defined" in process.stderr
    assert "at <string>:13:37" in process.stderr
    assert "blk.store(ttl.math.fill(missing, shape=(1, 1)))" in process.stderr


def test_doctest(tmp_path):
    operation, show = kernel().split("def show():")
    head, body = operation.split("@ttl.operation")
    text = ['"""']
    text += [">>> " + line for line in head.splitlines() if line]
    text += [">>> @ttl.operation" + body.splitlines()[0]]
    text += ["... " + line for line in body.splitlines()[1:] if line]
    text += [">>> def show():", *("... " + line for line in show.splitlines() if line)]
    text += [">>> show()", "2.0", '"""']
    file = tmp_path / "documented.py"
    file.write_text("\n".join(text) + "\n")
    process = python("-m", "doctest", "-v", file)
    assert "0 failed" in process.stdout and "show()" in process.stdout, process.stdout


def test_module_in_an_archive(tmp_path):
    archive = tmp_path / "kernels.zip"
    with zipfile.ZipFile(archive, "w") as stream:
        stream.writestr("packed.py", kernel("3.0"))
    text = f"import sys; sys.path.insert(0, {str(archive)!r}); import packed; packed.show()"
    check(python("-c", text), "3.0\n")


def test_source_that_is_nowhere(tmp_path):
    file = tmp_path / "script.py"
    text = kernel() + "show()"
    file.write_text(f"exec(compile({text!r}, '<made>', 'exec'), {{}})\n")
    process = run(file)
    assert process.returncode == COMPILE_ERROR, process.stderr
    assert "the source of kernel function compute() is not available" in process.stderr
    assert "Python read it from <made>:10" in process.stderr


def test_operation_that_was_edited_after_its_definition(tmp_path):
    (tmp_path / "module.py").write_text(kernel("4.0"))
    script = tmp_path / "script.py"
    script.write_text(
        "import pathlib, module\n"
        "file = pathlib.Path(module.__file__)\n"
        "file.write_text(file.read_text().replace('4.0', '5.0'))\n"
        "module.show()\n"
    )
    check(run(script), "4.0\n")


def test_script_that_was_edited_while_it_runs(tmp_path):
    script = tmp_path / "script.py"
    text = "import pathlib\nfile = pathlib.Path(__file__)\n"
    text += "file.write_text('# edited\\n' * 30)\n" + kernel("6.0") + "show()\n"
    script.write_text(text)
    check(run(script), "6.0\n")


def test_helper_that_was_edited_before_the_first_launch(tmp_path):
    helper = tmp_path / "helpers.py"
    helper.write_text("def value():\n    return 7.0\n")
    past = time.time() - 100
    os.utime(helper, (past, past))
    edit = "pathlib.Path(helpers.__file__).write_text('def value():\\n    return 8.0\\n')\n"
    script = tmp_path / "script.py"
    script.write_text(kernel("helpers.value()", "import pathlib, helpers") + edit + "show()\n")
    process = run(script)
    assert process.returncode == COMPILE_ERROR, process.stdout + process.stderr
    assert "helpers.py was edited after Python read value() from it" in process.stderr
    assert "helpers.py:1:1" in process.stderr
    assert "Traceback" not in process.stderr


def test_reloaded_module_has_its_new_source(tmp_path):
    (tmp_path / "module.py").write_text(kernel("4.0"))
    script = tmp_path / "script.py"
    script.write_text(
        "import importlib, os, pathlib, module\n"
        "file = pathlib.Path(module.__file__)\n"
        "module.show()\n"
        "old = module.show\n"
        "file.write_text('# moved\\n' + file.read_text().replace('4.0', '5.0'))\n"
        "importlib.reload(module).show()\n"
    )
    check(run(script), "4.0\n5.0\n")
