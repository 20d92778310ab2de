"""If a real package ttnn is installed, too, TTL_TTNN says which one `import ttnn` finds."""

import os
import subprocess
import sys

import pytest

BUILD = os.environ["TTJIT_BUILD"]

KERNEL = """
import numpy as np

@ttl.operation(grid=(1, 1))
def double(a, y):
    a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    y_dfb = ttl.make_dataflow_buffer_like(y, shape=(1, 1))
    ttl.copy(a[0, 0], a_dfb.reserve()).wait()
    y_dfb.reserve().store(a_dfb.wait() * 2.0)
    ttl.copy(y_dfb.wait(), y[0, 0]).wait()

a = np.ones((32, 32), np.float32)
y, z = np.zeros_like(a), host.zeros((32, 32), dtype=host.float32)
double(a, y)
double(host.from_numpy(a), z)
assert np.all(y == 2) and np.all(host.to_numpy(z) == 2)
assert "open_device" in dir(host) and type(z).__module__.startswith(host.__name__)
"""


@pytest.fixture
def real(tmp_path):
    """Makes a folder with another package ttnn, which stands for the real one."""
    package = tmp_path / "site" / "ttnn"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("REAL = True\n")
    return package.parent


def python(code, *folders, **variables):
    path = os.pathsep.join(map(str, folders))
    kept = {name: value for name, value in os.environ.items() if name != "TTL_TTNN"}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**kept, "PYTHONPATH": path, **variables})


def check(process):
    assert (process.returncode, process.stdout) == (0, ""), process.stderr


@pytest.mark.parametrize("first", [True, False])
def test_without_a_choice_the_import_explains(real, first):
    folders = [real, f"{BUILD}/python"]
    process = python("import ttl", *(folders if first else reversed(folders)))
    assert process.returncode == 1
    last = process.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: there is another package ttnn: {real}/ttnn/__init__.py; ")
    assert "TTL_TTNN=host" in last and "TTL_TTNN=device" in last


def test_host(real):
    code = f"import ttl, ttnn as host\n{KERNEL}\nassert host is ttl.ttnn and not hasattr(host, 'REAL')"
    check(python(code, real, f"{BUILD}/python", TTL_TTNN="host"))


@pytest.mark.parametrize("imports", ["import ttl, ttnn", "import ttnn, ttl"])
def test_device(real, imports):
    code = f"{imports}\nhost = ttl.ttnn\n{KERNEL}\nassert ttnn.REAL and host.__name__ == 'ttl.ttnn'"
    check(python(code, real, f"{BUILD}/python", TTL_TTNN="device"))


def test_device_without_an_installed_one():
    check(python(f"import ttl\nhost = ttl.ttnn\n{KERNEL}", f"{BUILD}/python", TTL_TTNN="device"))


def test_alone():
    check(python(f"import ttl, ttnn as host\n{KERNEL}", f"{BUILD}/python"))
    check(python(f"import ttnn as host, ttl\n{KERNEL}", f"{BUILD}/python"))


def test_asked_by_name(real):
    """After ttl_jit.activate(), `import ttnn` finds ttl-jit's package, unless TTL_TTNN=device."""
    code = f"import ttl_jit; ttl_jit.activate()\nimport ttnn as host, ttl\n{KERNEL}"
    check(python(code, real, f"{BUILD}/python"))
    code = "import ttl_jit; ttl_jit.activate()\nimport ttnn, ttl, sim\nassert ttnn.REAL"
    check(python(code + "\nassert sim.ttnn is ttl.ttnn", real, f"{BUILD}/python", TTL_TTNN="device"))


def test_mistakes(real):
    process = python("import ttl", f"{BUILD}/python", TTL_TTNN="card")
    assert process.stderr.endswith("ImportError: TTL_TTNN=card: expected host or device\n")
    process = python("import ttl, ttnn", f"{BUILD}/python", real, TTL_TTNN="device")
    assert "put it before" in process.stderr and "ttl-jit's is ttl.ttnn" in process.stderr
    process = python("import ttnn, ttl", real, f"{BUILD}/python", TTL_TTNN="host")
    assert "the program imported the installed ttnn before ttl" in process.stderr
