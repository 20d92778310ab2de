# SPDX-License-Identifier: Apache-2.0
"""Builds and installs the tree from which wheels and Debian packages are made. cmake/Install.cmake says
what the tree contains."""

import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "ttl-jit"
AUTHOR = "The ttl-jit project"
SUMMARY = "Runs TT-Lang kernels on the host"


class PackagingError(Exception):
    """Raised if a package cannot be made. The text says why, and what to do."""


def version():
    """Returns the version of the project from CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(ttl-jit VERSION ([0-9.]+)", text)[1]


def homepage():
    """Returns the page of the repository from which this tree was cloned; None if there is none."""
    command = ["git", "-C", ROOT, "remote", "get-url", "origin"]
    try:
        url = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        return None
    url = re.sub(r"^(?:ssh://)?git@([\w.-]+)[:/]", r"https://\1/", url).removesuffix(".git")
    return url if re.fullmatch(r"https://[\w.-]+/[\w./-]+", url) else None


def call(*command, **keywords):
    """Runs a command; returns its output. Its messages go to standard error."""
    try:
        done = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, text=True, **keywords)
    except FileNotFoundError:
        raise PackagingError(f"{command[0]} is missing: install the package that has it") from None
    if done.returncode:
        shown = shlex.join(map(str, command))
        raise PackagingError(f"{shown} failed with exit status {done.returncode}: {done.stdout}")
    return done.stdout


def _cached(build, option):
    """Returns the value of one of CMake's options in a build folder, or None."""
    cache = build / "CMakeCache.txt"
    found = cache.is_file() and re.search(rf"^_?{option}:\w+=(.+)$", cache.read_text(), re.MULTILINE)
    return found[1] if found else None


def _python_of(build):
    """Returns the Python for which the extension in a build folder was made, or None."""
    return _cached(build, "Python3_EXECUTABLE")


def warn_if_slow(build, program):
    """Warns on standard error if kernels compile slower with this build than with an optimised one."""
    if _cached(build, "TTJIT_OPTIMIZE_COMPILER") == "OFF":
        print(f"{program}: the compiler in {build} is not optimised, so kernels compile more slowly than they could; "
              "tools/setup --optimize builds it optimised", file=sys.stderr)


def _has_abi(python):
    """Returns whether another Python can load extensions that are built for this one."""
    code = "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
    known = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return known.stdout.strip() == sysconfig.get_config_var("EXT_SUFFIX")


def build_for_this_python(folder=None, targets="ttjit-complete"):
    """Builds what is missing for the Python that runs this script; returns the build folder. Without
    `folder`, this is build/, or a folder named after this Python if build/ is for another one."""
    header = pathlib.Path(sysconfig.get_path("include")) / "Python.h"
    if not header.is_file():
        raise PackagingError(
            f"{sys.executable} has no headers for extensions: {header} is missing; install them (on "
            "Debian the package python3-dev has those of /usr/bin/python3), or run this script with "
            "another Python")
    chosen, folder = folder, folder or ROOT / "build"
    python = _python_of(folder)
    if python is not None and not _has_abi(python):
        if chosen:
            raise PackagingError(f"{folder} is a build for {python}, not for {sys.executable}: name "
                                 "another folder, or leave --build out")
        folder = ROOT / f"build-{sys.implementation.cache_tag}"
    options = [] if (folder / "build.ninja").is_file() else [
        f"-DPython3_EXECUTABLE={sys.executable}", "-DTTJIT_OPTIMIZE_COMPILER=ON"]
    script = '. tools/common.sh; ensure_packages "${run_packages[@]}"; build_in "$@"'
    call("bash", "-c", script, "-", folder, targets, *options, cwd=ROOT)
    warn_if_slow(folder, pathlib.Path(sys.argv[0]).name)
    return folder


def install(build, prefix, *component):
    """Installs the build into the folder `prefix`, without debug symbols; returns the folder of the package
    ttl_jit in it."""
    only = ("--component", *component) if component else ()
    call("cmake", "--install", build, "--prefix", prefix, "--strip", *only)
    (package,) = prefix.glob("lib*/**/python/ttl_jit")
    return package


def binaries(folder):
    """Returns the shared libraries and programs in a folder."""
    return [file for file in sorted(folder.rglob("*"))
            if file.is_file() and not file.is_symlink() and file.read_bytes()[:4] == b"\x7fELF"]
