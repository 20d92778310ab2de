"""`import ttl` returns before MLIR and LLVM are loaded."""

import os
import re
import subprocess

import pytest
from running import BUILD, environment

PYTHON = "/usr/bin/python3"
COMPILER = r"lib(?:MLIR|LLVM|ttjit-session)"


def python(code, **variables):
    variables = environment(PYTHONPATH=str(BUILD / "python"), TTL_CACHE="", **variables)
    return subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, timeout=100,
                          env=variables, cwd="/")


def output(code, **variables):
    process = python(code, **variables)
    assert process.returncode == 0, process.stderr
    return process.stdout


def needed(path):
    """Returns the libraries that a file needs, with those that libraries of the build need in turn."""
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
    found = set(re.findall(r"\(NEEDED\).*\[(.+)\]", text))
    own = [BUILD / "lib" / name for name in found if (BUILD / "lib" / name).exists()]
    return found.union(*map(needed, own))


def extension(name):
    (path,) = (BUILD / "python").glob(f"{name}.*.so")
    return path


def test_the_first_extension_needs_no_compiler():
    found = needed(extension("_ttjit"))
    assert "libttjit-device.so" in found
    assert not [name for name in found if re.match(COMPILER, name)]


def test_the_second_extension_has_the_compiler():
    assert {"libttjit-session.so", "libttjit-device.so"} <= needed(extension("_ttjit_compiler"))


def test_tensors_need_no_compiler():
    code = ("import ttl, ttnn, numpy as np, sys\n"
            "t = ttnn.from_numpy(np.ones((32, 32), np.float32))\n"
            "assert (ttnn.to_numpy(ttnn.add(t, t)) == 2).all()\n"
            "print('_ttjit_compiler' in sys.modules)")
    assert output(code) == "False\n"


def test_one_thread_loads_the_compiler():
    code = "import _ttjit, os\nprint(len(os.listdir('/proc/self/task')) <= 2)"
    assert output(code, OPENBLAS_NUM_THREADS="1") == "True\n"


# Two libraries. The constructor of the first holds the dynamic loader's lock until the program sets goOn; the
# second one loads the first on a thread.
SLOW = """
#include <unistd.h>
extern int isLoading, goOn;
__attribute__((constructor)) static void load(void) {
  isLoading = 1;
  for (int i = 0; i < 2000 && !*(volatile int *)&goOn; ++i)
    usleep(10000);
  isLoading = 0;
}
"""
LOADS_SLOW = """
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
int isLoading, goOn;
static void *load(void *path) { return dlopen(path, RTLD_LAZY); }
void begin(char *path) {
  pthread_t thread;
  pthread_create(&thread, 0, load, path);
  while (!*(volatile int *)&isLoading)
    usleep(1000);
}
"""
IMPORT_MEANWHILE = """
import ctypes, sys, numpy, _ttl_load
_ttl_load.load("_ttjit")
loader = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
is_loading, go_on = (ctypes.c_int.in_dll(loader, name) for name in ("isLoading", "goOn"))
loader.begin(sys.argv[2].encode())
import ttl
print(is_loading.value)
go_on.value = 1
"""


def library(folder, name, text):
    (folder / f"{name}.c").write_text(text)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / f"{name}.so", folder / f"{name}.c"], check=True)
    return folder / f"{name}.so"


def test_the_import_does_not_wait_for_a_thread_that_loads_a_library(tmp_path):
    loader, slow = library(tmp_path, "loader", LOADS_SLOW), library(tmp_path, "slow", SLOW)
    process = subprocess.run([PYTHON, "-c", IMPORT_MEANWHILE, loader, slow], capture_output=True, text=True,
                             timeout=100, cwd="/", env=environment(PYTHONPATH=str(BUILD / "python")))
    assert process.stdout == "1\n", process.stderr


def test_the_compiler_adds_its_functions():
    code = ("import _ttjit, ttl\n"
            "before = 'settings' in vars(_ttjit)\n"
            "made = _ttjit.settings([])\n"
            "print(before, 'settings' in vars(_ttjit), type(made).__module__)")
    assert output(code) == "False True _ttjit\n"


def test_an_unknown_attribute():
    code = "import ttl, _ttjit\ntry: _ttjit.nothing\nexcept AttributeError as e: print(e)"
    assert output(code) == "module '_ttjit' has no attribute 'nothing'\n"


@pytest.mark.parametrize("work", ["", "os._exit(0)", "raise SystemExit(0)"])
def test_the_process_may_end_at_once(work):
    for _ in range(5):
        assert output(f"import os, ttl\n{work}") == ""


FORK = """
import os, ttl, ttnn
child = os.fork()
device = ttnn.open_device(device_id=0)
os.write(1, device.arch().encode() + b"\\n")
if child:
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_may_be_forked_at_once():
    for _ in range(5):
        assert output(FORK).splitlines() == ["wormhole_b0", "wormhole_b0", "0"]


def test_wrong_options_are_reported_by_the_import():
    process = python("import ttl", TTL_ENGINE="wrong")
    assert process.returncode == 1
    assert process.stderr.splitlines()[-1].startswith("ImportError: TTL_ENGINE: expected one of")


def test_threads_may_compile_at_once():
    code = ("import threading, ttnn, ttl\n"
            "def work(): devices.append(ttnn.open_device(device_id=0))\n"
            "devices, threads = [], [threading.Thread(target=work) for _ in range(8)]\n"
            "[t.start() for t in threads]; [t.join() for t in threads]\n"
            "print(len(devices), all(d is devices[0] for d in devices))")
    assert output(code) == "8 True\n"


# ===--------------------------------------------------------------------------=== #
# Missing libraries
# ===--------------------------------------------------------------------------=== #

FIRST_USE = """
import ttl, _ttjit
try:
    _ttjit.settings([])
except ImportError as error:
    print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hide a folder from a process")
def test_the_first_use_names_the_package_of_a_missing_library():
    """Hides the folder of libMLIR from the process, so that its first use fails."""
    hide = f"mount -t tmpfs none /usr/lib/llvm-22/lib && exec {PYTHON} -c \"$0\""
    process = subprocess.run(["unshare", "-m", "sh", "-c", hide, FIRST_USE], capture_output=True, text=True,
                             timeout=100, cwd="/",
                             env=environment(PYTHONPATH=str(BUILD / "python"), TTL_CACHE=""))
    if "mount:" in process.stderr or "unshare:" in process.stderr:
        pytest.skip("this host lets no process hide a folder")
    text = process.stdout + process.stderr
    assert "libMLIR.so.22.1: cannot open shared object file" in text
    assert "this library is in the package libmlir-22: install it, on Debian with `apt-get install libmlir-22`" in text


@pytest.mark.parametrize("text, advice", [
    ("libLLVM.so.22.1: cannot open shared object file: No such file or directory",
     "this library is in the package libllvm22: install it, on Debian with `apt-get install libllvm22`"),
    ("/usr/lib/llvm-22/lib/libMLIR.so.22.1: file too short",
     "this library is in the package libmlir-22: install it, on Debian with `apt-get install --reinstall libmlir-22`"),
    ("libboost_context.so.1.74.0: cannot open shared object file: No such file or directory",
     "this library is in the package libboost-context1.74.0: install it"),
    ("/opt/lib/libttjit-session.so: cannot open shared object file: No such file or directory",
     "install ttl-jit again, with all files of its build or package"),
])
def test_advice_on_libraries(text, advice):
    code = ("import sys, importlib, _ttl_load\n"
            "def fail(name): raise ImportError(sys.argv[1])\n"
            "importlib.import_module = fail\n"
            "try: _ttl_load.load('x')\nexcept ImportError as error: print(error)")
    process = subprocess.run([PYTHON, "-c", code, text], capture_output=True, text=True, timeout=100,
                             env=environment(PYTHONPATH=str(BUILD / "python")), cwd="/")
    assert process.stdout.startswith(f"{text}; {advice}"), process.stderr


# ===--- The program ----------------------------------------------------------=== #


def program(folder, *words, text="", **variables):
    (folder / "script.py").write_text(
        text or "import sys; print(sys.argv, *{line.split()[-1].split('/')[-1] for line in open('/proc/self/maps') "
                "if 'libMLIR' in line or 'libLLVM' in line})")
    return subprocess.run([BUILD / "bin" / "ttl-jit", *words], capture_output=True, text=True, timeout=100,
                          env=environment(**variables), cwd=folder)


def test_the_program_needs_no_compiler():
    assert not [name for name in needed(BUILD / "bin" / "ttl-jit") if re.match(COMPILER, name)]


@pytest.mark.parametrize("words, arguments", [
    (["script.py"], []),
    (["run", "script.py"], []),
    (["run", "script.py", "one", "two", "--", "three"], ["one", "two", "--", "three"]),
    (["script.py", "--", "--engine=jit", "--", "-x"], ["--engine=jit", "--", "-x"]),
])
def test_a_script_starts_without_the_compiler(tmp_path, words, arguments):
    process = program(tmp_path, *words)
    assert process.stdout == f"{['script.py', *arguments]}\n" and process.stderr == ""
    # The C++ library that reads options must give the script the same arguments.
    process = program(tmp_path, *words, TTL_STRICT="1")
    assert process.stdout.startswith(f"{['script.py', *arguments]} lib")


@pytest.mark.parametrize("words, variables, status, message", [
    (["script.py", "--engien=jit"], {}, 0, "did you mean --engine"),
    (["run", "--engine=fast", "script.py"], {}, 2, "--engine: expected one of"),
    (["script.py"], {"TTL_ENGINE": "fast"}, 2, "TTL_ENGINE"),
    (["missing.py"], {}, 2, "missing.py"),
    (["run"], {}, 2, "no file to run"),
    (["--version"], {}, 0, ""),
])
def test_other_commands_load_it(tmp_path, words, variables, status, message):
    process = program(tmp_path, *words, **variables)
    assert process.returncode == status and message in process.stderr
