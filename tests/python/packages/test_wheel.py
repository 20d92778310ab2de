"""The wheel is installed in a new virtual environment, and works there."""
# SPDX-License-Identifier: Apache-2.0

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import installing
from installing import ENVIRONMENT, Environment, call

pytestmark = installing.needs_plain_build


def test_the_kernel_of_the_readme(environment):
    installing.run_readme(environment.python)


def test_the_program_is_a_script_of_that_python(environment, tmp_path):
    script = tmp_path / "where.py"
    script.write_text(f"import sys, ttl\nprint(sys.executable, sys.argv)\n{installing.NO_TREE}")
    process = environment.script("ttl-jit", "run", script, "--engine=interp", "--", "x")
    assert process.stdout == f"{environment.python} ['{script}', 'x']\n"
    example = environment.package / "examples" / "eltwise_add.py"
    for name, command in (("ttl-jit", ["run"]), ("ttl-jit", []), ("ttlang-sim", []), ("tt-lang-sim", [])):
        process = environment.script(name, *command, example, "--stats")
        assert "max error 0 ulp" in process.stdout
        assert "engines: reader=jit compute=jit writer=jit" in process.stderr
    assert re.match(r"ttl-jit [0-9.]+ \(LLVM 22", environment.script("ttl-jit", "--version").stdout)
    assert environment.script("ttl-jit", input="1 + 2\n").stdout == "3\n"
    difference = environment.script("ttl-diff", example, "--dma=", "--switches=", "--schedules=fair")
    assert "0 differences" in difference.stdout


def test_the_language_server_starts(environment):
    text = environment.script("ttl-lsp-server", "--help").stdout
    assert "MLIR LSP Language Server" in text
    request = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    exiting = '{"jsonrpc":"2.0","method":"exit"}'
    said = subprocess.run(
        [environment.folder / "bin" / "ttl-lsp-server"], capture_output=True, text=True, env=ENVIRONMENT,
        input="".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in (request, exiting)))
    assert '"hoverProvider":true' in said.stdout, said.stderr


def test_editors_find_stubs(environment):
    code = ("import ast, pathlib, ttl, ttnn\n"
            "for module in (ttl, ttnn):\n"
            "    folder = pathlib.Path(module.__file__).parent\n"
            "    assert (folder / 'py.typed').exists()\n"
            "    tree = ast.parse((folder / '__init__.pyi').read_text())\n"
            "    print(len(tree.body) > 100)")
    assert call(environment.python, "-c", code).stdout == "True\nTrue\n"


def test_metadata(environment):
    code = ("from importlib.metadata import metadata\nfound = metadata('ttl-jit')\n"
            "print(*(found[name] for name in ('Summary', 'Author', 'License', 'Version')), sep='; ')")
    *said, version = call(environment.python, "-c", code).stdout.rstrip().split("; ")
    assert said == ["Runs TT-Lang kernels on the host", "The ttl-jit project", "Apache-2.0"]
    assert f"ttl-jit {version} " in environment.script("ttl-jit", "--version").stdout


@pytest.mark.parametrize("url, home", [
    ("git@git.example.com:group/ttl-jit.git", "https://git.example.com/group/ttl-jit"),
    ("https://git.example.com/group/ttl-jit", "https://git.example.com/group/ttl-jit"),
    ("https://user:secret@git.example.com/group/ttl-jit", None),
    ("/somewhere/ttl-jit", None),
    (None, None),
])
def test_the_homepage_is_that_of_the_repository(tmp_path, url, home):
    code = (f"import sys\nsys.path.insert(0, {str(installing.ROOT / 'tools')!r})\nimport pathlib\n"
            f"from packages import tree, wheel\ntree.ROOT = pathlib.Path({str(tmp_path)!r})\n"
            "print(tree.homepage(), wheel._with_links('[a](b.md) [c](https://d)', tree.homepage()))")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    if url:
        subprocess.run(["git", "-C", tmp_path, "remote", "add", "origin", url], check=True)
    link = f"{home}/blob/main/b.md" if home else "b.md"
    assert call(sys.executable, "-c", code).stdout == f"{home} [a]({link}) [c](https://d)\n"


def test_exit_statuses(environment, tmp_path):
    wrong = tmp_path / "wrong.py"
    for text, status in (("import sys; sys.exit(7)", 7), ("1 / 0", 1), ("raise KeyboardInterrupt", 130)):
        wrong.write_text(text)
        process = subprocess.run([environment.folder / "bin" / "ttl-jit", "run", wrong],
                                 capture_output=True, text=True, env=ENVIRONMENT)
        assert process.returncode == status, process.stderr
    process = subprocess.run([environment.folder / "bin" / "ttl-jit", "run", "--engin=jit", wrong],
                             capture_output=True, text=True, env=ENVIRONMENT)
    assert process.returncode == 2 and "did you mean --engine" in process.stderr


def test_output_that_cannot_be_written(environment):
    with open("/dev/full", "w") as full:
        process = subprocess.run([environment.folder / "bin" / "ttl-jit", "--help"], stdout=full,
                                 stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    assert process.returncode == 1
    assert process.stderr == "ttl-jit: cannot write to standard output\n"


def test_pytest(environment, tmp_path):
    installing.run_pytest(environment.python, tmp_path)


def test_a_real_ttnn_keeps_its_name(environment, wheel, tmp_path):
    site = environment.package.parent
    (site / "ttnn").mkdir()
    (site / "ttnn" / "__init__.py").write_text("REAL = True\n")
    try:
        call(environment.python, "-c", "import ttnn; assert ttnn.REAL")
        process = subprocess.run([environment.python, "-c", "import ttl"], capture_output=True,
                                 text=True, env=ENVIRONMENT, cwd="/")
        assert "there is another package ttnn" in process.stderr
        for choice in ("host", "device"):
            call(environment.python, "-c", f"import ttl, ttnn; assert hasattr(ttnn, 'REAL') == "
                 f"({choice!r} == 'device') and ttl.ttnn.from_numpy",
                 environment={"TTL_TTNN": choice})
    finally:
        shutil.rmtree(site / "ttnn")


def test_uninstalling_leaves_nothing(wheel, tmp_path):
    environment = Environment(tmp_path / "venv", wheel)
    call(environment.python, "-m", "pip", "uninstall", "--quiet", "--yes", "ttl-jit")
    left = [path for path in environment.folder.rglob("*") if "ttl" in path.name.lower()]
    assert left == []


def test_the_import_is_quick(environment):
    """Does not measure time: it checks that slow modules are not imported."""
    code = ("import sys, ttl\n"
            "slow = {'torch', 'prompt_toolkit', 'pygments', 'IPython', 'asyncio', 'multiprocessing'}\n"
            "print(sorted(slow & set(sys.modules)))")
    assert call(environment.python, "-c", code).stdout == "[]\n"


def test_a_missing_library_is_explained(environment, tmp_path):
    copy = tmp_path / "ttl_jit"
    shutil.copytree(environment.package, copy)
    os.remove(copy / "lib" / "libttjit-session.so")
    process = subprocess.run(
        ["/usr/bin/python3", "-c", "import ttl"], capture_output=True, text=True, cwd="/",
        env={**ENVIRONMENT, "PYTHONPATH": str(copy / "packages")})
    last = process.stderr.splitlines()[-1]
    assert "libttjit-session.so: cannot open shared object file" in last
    assert "install ttl-jit again, with all files of its build or package" in last


@pytest.mark.skipif(shutil.which("patchelf") is None, reason="needs patchelf")
def test_a_bundle_needs_no_library_of_llvm(tmp_path):
    (wheel,) = installing.make("wheel", "--bundle", "--out", tmp_path)
    environment = Environment(tmp_path / "venv", wheel)
    code = ("import re, ttl, numpy as np\n"
            "used = set(re.findall(r'(/\\S+/lib(?:LLVM|MLIR|clang|ttjit|fmt|z3|boost)\\S*)', "
            "open('/proc/self/maps').read()))\n"
            "assert len(used) >= 8 and any('clang-cpp' in u for u in used), used\n"
            f"assert all(u.startswith({str(environment.package)!r}) for u in used),"
            " used")
    options = {"TTL_ENGINE": "emitted", "TTL_CACHE": "off"}  # this engine also loads Clang
    call(environment.python, "-c", installing.readme_kernel() + code, environment=options)
    licences = {path.name for path in (environment.package / "lib" / "licences").iterdir()}
    assert {"libLLVM.so.22.1.txt", "libMLIR.so.22.1.txt", "libfmt.so.9.txt"} <= licences


def refused(change, *arguments):
    """Returns the error of tools/wheel in a Python that `change` makes differ from this one."""
    code = ("import sys, sysconfig\n"
            f"sys.path.insert(0, {str(installing.ROOT / 'tools')!r})\n"
            f"from packages import wheel\n{change}\n"
            f"sys.argv = {['wheel', *map(str, arguments)]}\nsys.exit(wheel.main())")
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.returncode == 1 and process.stdout == ""
    return process.stderr


def test_a_python_without_headers_is_told():
    said = refused("sysconfig.get_path = lambda name: '/nonexistent'")
    assert said.startswith(f"tools/wheel: {sys.executable} has no headers for extensions: "
                           "/nonexistent/Python.h is missing; install them")


def test_a_build_for_another_python_is_refused():
    said = refused("sysconfig.get_config_var = lambda name: '.other.so'", "--build", installing.BUILD)
    assert said == (f"tools/wheel: {installing.BUILD} is a build for {sys.executable}, not for "
                    f"{sys.executable}: name another folder, or leave --build out\n")


def test_the_record_lists_every_file(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (record,) = [name for name in names if name.endswith(".dist-info/RECORD")]
        listed = [line.split(",")[0] for line in archive.read(record).decode().splitlines()]
    assert sorted(listed) == sorted(names)
    assert not any("__pycache__" in name or pathlib.PurePath(name).is_absolute() for name in names)
