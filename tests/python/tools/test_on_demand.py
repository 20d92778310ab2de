"""Libraries that few runs need are loaded when needed; in a build tree, they are also built only then."""

import collections
import os
import stat
import subprocess
import sys

import pytest
from running import BUILD, ttl_jit

KERNEL = """
import numpy as np, ttl, ttnn

@ttl.operation(grid=(1, 1))
def negate(x, y):
    a = ttl.make_dataflow_buffer_like(x, shape=(1, 1), block_count=2)
    b = ttl.make_dataflow_buffer_like(y, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def read():
        with a.reserve() as block:
            ttl.copy(x[0, 0], block).wait()

    @ttl.compute()
    def compute():
        with a.wait() as block, b.reserve() as out:
            out.store(-block)

    @ttl.datamovement()
    def write():
        with b.wait() as block:
            ttl.copy(block, y[0, 0]).wait()

device = ttnn.open_device(device_id=0)
x = ttnn.from_numpy(np.ones((32, 32), np.float32), layout=ttnn.TILE_LAYOUT, device=device)
y = ttnn.empty_like(x)
negate(x, y)
print(ttnn.to_numpy(y)[0, 0])
"""

SCHEDULE = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
"""

MODULE = """
func.func @main() {
  return
}
"""

# {library: (options of a run that needs it, other libraries on demand that this run needs)}
USES = {
    "ttjit-clang": (["kernel.py", "--engine=emitted"], ["ttjit-emission"]),
    "ttjit-device-kernels": (["kernel.py", "--numerics=device"], []),
    "ttjit-emission": (["kernel.py", "--emit=out"], []),
    "ttjit-schedule": (["kernel.py", "--schedule-file=schedule.mlir"], []),
    "ttjit-modules": (["module.mlir"], []),
}


@pytest.fixture
def tree(tmp_path):
    """Makes a folder with files to run, and a folder lib with the libraries that the first build makes."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    (tmp_path / "schedule.mlir").write_text(SCHEDULE)
    (tmp_path / "module.mlir").write_text(MODULE)
    lib = tmp_path / "lib"
    lib.mkdir()
    for name in ("ttjit-device", "ttjit-session"):
        add_library(tmp_path, name)
    return tmp_path


def add_library(tree, name):
    (tree / "lib" / f"lib{name}.so").symlink_to(BUILD / "lib" / f"lib{name}.so")


def add_builder(tree, action):
    builder = tree / "lib" / "build-library"
    builder.write_text(f'#!/bin/sh\necho "building $1" >&2\n{action}\n')
    builder.chmod(builder.stat().st_mode | stat.S_IXUSR)


def run_with(tree, library):
    """Runs a program that needs the library; adds the other libraries that it needs to the folder lib."""
    arguments, others = USES[library]
    for other in others:
        if not (tree / "lib" / f"lib{other}.so").exists():
            add_library(tree, other)
    return run(tree, arguments)


def run(tree, arguments):
    return ttl_jit("run", *arguments, cwd=tree, LD_LIBRARY_PATH=str(tree / "lib"), TTL_CACHE="")


@pytest.mark.parametrize("library", USES)
def test_a_missing_library_is_built_once(tree, library):
    add_builder(tree, f'ln -s "{BUILD}/lib/lib$1.so" "{tree}/lib/lib$1.so"')
    process = run_with(tree, library)
    assert process.returncode == 0, process.stderr
    assert process.stderr.count("building") == 1 and f"building {library}\n" in process.stderr
    again = run_with(tree, library)
    assert again.returncode == 0 and "building" not in again.stderr and again.stdout == process.stdout


@pytest.mark.parametrize("library", USES)
@pytest.mark.parametrize("builds", [False, True])
def test_a_library_that_cannot_be_loaded_is_named(tree, library, builds):
    damaged = f"{tree}/lib/lib{library}.so"
    if builds:
        add_builder(tree, f': > "{damaged}"; exit 1')
    else:
        open(damaged, "w").close()
    process = run_with(tree, library)
    assert process.returncode not in (0, None) and process.returncode > 0
    assert f"lib{library}.so" in process.stderr and "again" in process.stderr
    assert ("building" in process.stderr) == builds
    assert "Traceback" not in process.stderr or "kernel.py" in process.stderr


def test_other_runs_need_none_of_them(tree):
    process = run(tree, ["kernel.py"])
    assert process.returncode == 0 and process.stdout == "-1.0\n", process.stderr
    assert sorted(os.listdir(tree / "lib")) == ["libttjit-device.so", "libttjit-session.so"]


def shared_symbols():
    """Returns {name: libraries} for functions and variables that several libraries define."""
    owners = collections.defaultdict(list)
    for library in ("ttjit-device", "ttjit-session", *USES):
        command = ["nm", "-D", "--defined-only", BUILD / "lib" / f"lib{library}.so"]
        listing = subprocess.run(command, capture_output=True, text=True, check=True)
        for line in listing.stdout.splitlines():
            _, kind, name = line.split(maxsplit=2)
            if kind in "BDRT":  # weak symbols may be in several: the loader uses one of them
                owners[name].append(library)
    assert len(owners) > 1000
    return {name: libraries for name, libraries in owners.items() if len(libraries) > 1}


def test_every_function_is_in_one_library():
    """A second copy of the device in a library would have its own variables, such as the table of numerics."""
    assert shared_symbols() == {}


def test_device_numerics_after_a_module(tree):
    """The library for modules is loaded first. It must not contain a device of its own."""
    (tree / "both.py").write_text("import _ttl_load\n_ttl_load.load('_ttjit_models')\n" + KERNEL)
    process = subprocess.run([sys.executable, "both.py"], cwd=tree, capture_output=True, text=True,
                             env={**os.environ, "TTL_NUMERICS": "device", "PYTHONPATH": str(BUILD / "python")})
    assert process.returncode == 0 and process.stdout == "-1.0\n", process.stderr
