"""`cmake --install` makes a tree that works without the build tree, also after it was moved."""

import os
import shutil
import subprocess

import pytest

from running import BUILD, ROOT

SCRIPT = """
import ttl_jit
assert "ttl" not in __import__("sys").modules
ttl_jit.activate()
import numpy, ttl, ttnn
print(ttl.__file__)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Installs into a folder, moves the folder, and returns its new path."""
    first = tmp_path_factory.mktemp("install") / "first"
    run = subprocess.run(
        ["cmake", "--install", BUILD, "--prefix", first], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    prefix = first.with_name("moved")
    shutil.move(first, prefix)
    return prefix


def clean_environment():
    """Returns an environment without the build tree's paths, but with the settings that a sanitizer needs."""
    sanitizer = ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
    kept = {name: os.environ[name] for name in sanitizer if name in os.environ}
    return {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"} | kept


def test_an_example_runs_from_the_installed_tree(installed):
    example = installed / "share" / "ttl-jit" / "examples" / "eltwise_add.py"
    run = subprocess.run(
        [installed / "bin" / "ttl-jit", "run", example],
        capture_output=True, text=True, cwd=installed, env=clean_environment(),
    )
    assert run.returncode == 0, run.stderr
    assert "max error 0 ulp" in run.stdout


def test_ttl_diff_runs_from_the_installed_tree(installed, tmp_path):
    example = installed / "share" / "ttl-jit" / "examples" / "eltwise_1d.py"
    run = subprocess.run(
        [installed / "bin" / "ttl-diff", example, "--dma=", "--switches=", "--schedules=fair"],
        capture_output=True, text=True, cwd=tmp_path, env=clean_environment(),
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("1 program, 2 runs, 0 differences"), run.stdout


def test_python_finds_the_packages_only_when_asked(installed):
    (package,) = installed.glob("lib*/**/ttl_jit/__init__.py")
    environment = clean_environment() | {"PYTHONPATH": str(package.parents[1])}
    run = subprocess.run(
        ["/usr/bin/python3", "-c", SCRIPT], capture_output=True, text=True, env=environment
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(str(package.parent))
    # ttl can be imported only after ttl_jit.activate().
    run = subprocess.run(
        ["/usr/bin/python3", "-c", "import ttl_jit, ttl"],
        capture_output=True, text=True, env=environment,
    )
    assert "No module named 'ttl'" in run.stderr


def test_the_other_names_and_the_plugin_of_pytest(installed, tmp_path):
    example = installed / "share" / "ttl-jit" / "examples" / "eltwise_add.py"
    run = subprocess.run(
        [installed / "bin" / "ttlang-sim", example],
        capture_output=True, text=True, cwd=installed, env=clean_environment(),
    )
    assert run.returncode == 0, run.stderr
    file = tmp_path / "test_device.py"
    file.write_text("import sim, ttlang\nfrom utils.correctness import assert_pcc\n"
                    "def test_device(device): assert device is not None\n")
    (package,) = installed.glob("lib*/**/ttl_jit/__init__.py")
    environment = clean_environment() | {"PYTHONPATH": str(package.parents[1])}
    run = subprocess.run(
        ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "-p", "ttl_jit.pytest_plugin", file],
        capture_output=True, text=True, cwd="/", env=environment,
    )
    assert "1 passed" in run.stdout, run.stdout + run.stderr


def test_nothing_names_the_build_tree(installed):
    binaries = [path for path in installed.rglob("*") if path.suffix == ".so" or path.parent.name == "bin"]
    assert len(binaries) >= 4
    for path in binaries:
        if path.read_bytes()[:2] == b"#!":
            continue
        tags = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
        assert "RUNPATH" in tags
        assert str(BUILD) not in tags and str(ROOT) not in tags, path
