# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel for the Python that runs this script."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from packages import tree

# Libraries that `--bundle` does not copy: every Linux has them, and a process must not load a second copy.
_SYSTEM = re.compile(r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s))\.so")

# Scripts that a wheel installs, and the functions that they call. Debian packages have SCRIPTS only: they
# contain the language server as a program.
SCRIPTS = {"ttl-jit": "ttl_jit.main:main", "ttlang-sim": "ttl_jit.main:main",
            "tt-lang-sim": "ttl_jit.main:main", "ttlang-sim-stats": "ttl_jit.main:main",
            "tt-lang-sim-stats": "ttl_jit.main:main", "ttl-diff": "ttl_jit.diff.cli:main"}
LANGUAGE_SERVER = {"ttl-lsp-server": "ttl_jit.main:language_server"}

_METADATA = """\
Metadata-Version: 2.1
Name: ttl-jit
Version: {version}
Summary: {summary}
{homepage}Author: {author}
License: Apache-2.0
Keywords: TT-Lang,Tensix,MLIR,JIT
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: {python}
Classifier: Topic :: Software Development :: Compilers
Classifier: Typing :: Typed
Requires-Python: =={python}.*
Requires-Dist: numpy
Requires-Dist: prompt_toolkit
Requires-Dist: pygments
Description-Content-Type: text/markdown

{readme}"""

_WHEEL = """\
Wheel-Version: 1.0
Generator: ttl-jit tools/wheel
Root-Is-Purelib: false
Tag: {tag}
"""


def tag():
    """Returns the tag of wheels for this Python, such as cp313-cp313-linux_x86_64."""
    name = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{name}-{name}-{platform}"


def _copy_licences(folder, copied):
    """Puts the copyright file of each library's Debian package beside the libraries."""
    for name, path in sorted(copied.items()):
        # Debian lists some libraries under /lib, which is a link to /usr/lib.
        owner = tree.call("dpkg", "--search", f"*/{path.name}").partition(":")[0]
        (folder / "licences").mkdir(exist_ok=True)
        shutil.copy(f"/usr/share/doc/{owner}/copyright", folder / "licences" / f"{name}.txt")


def _needed(file):
    """Returns the shared libraries that a file needs, directly or not: name -> path."""
    found = {}
    text = tree.call("ldd", file)
    for name, path in re.findall(r"^\s*(\S+) => (\S+)", text, re.MULTILINE):
        if path == "not":
            raise tree.PackagingError(f"{file.name} needs {name}, which is not installed")
        found[name] = pathlib.Path(path)
    return found


def bundle(package):
    """Copies the libraries that the package needs into it, and sets the rpath of each file to them."""
    folder, copied = package / "lib", {}
    for file in tree.binaries(package):
        for name, path in _needed(file).items():
            if not _SYSTEM.match(name) and not (folder / name).exists():
                shutil.copyfile(path, folder / name)
                copied[name] = path.resolve()
    _copy_licences(folder, copied)
    for name in copied:
        (folder / name).chmod(0o755)
        tree.call("strip", "--strip-unneeded", folder / name)
    for file in tree.binaries(package):
        place = "$ORIGIN" if file.parent == folder else "$ORIGIN/../lib"
        tree.call("patchelf", "--set-rpath", place, file)


def _with_links(readme, home):
    """Returns the README, with links and pictures that lead to the repository's page if it has one."""
    if home is None:
        return readme
    return re.sub(r"\]\((?!\w+:|#)([^)\s]+)\)", rf"]({home}/blob/main/\1)", readme)


def _write_metadata(root):
    info = root / f"ttl_jit-{tree.version()}.dist-info"
    info.mkdir()
    readme, home = (tree.ROOT / "README.md").read_text(), tree.homepage()
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    (info / "METADATA").write_text(
        _METADATA.format(version=tree.version(), python=python, readme=_with_links(readme, home),
                         summary=tree.SUMMARY, author=tree.AUTHOR,
                         homepage=f"Home-page: {home}\n" if home else ""))
    (info / "WHEEL").write_text(_WHEEL.format(tag=tag()))
    all_scripts = {**SCRIPTS, **LANGUAGE_SERVER}
    scripts = "".join(f"{name} = {target}\n" for name, target in all_scripts.items())
    (info / "entry_points.txt").write_text(f"[console_scripts]\n{scripts}")
    shutil.copy(tree.ROOT / "LICENSE", info)


def fill(root, build, is_bundle=False):
    """Puts what a wheel contains into the empty folder `root`."""
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder)
        shutil.move(tree.install(build, prefix, "python"), root / "ttl_jit")
        shutil.move(prefix / "share" / "ttl-jit" / "examples", root / "ttl_jit" / "examples")
    # stubs.py imports the built packages, so it runs in a process of its own that finds them.
    environment = {**os.environ, "PYTHONPATH": str(build / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    tree.call(sys.executable, tree.ROOT / "tools" / "packages" / "stubs.py", root / "ttl_jit" / "packages",
              env=environment)
    # Python appends the folder that this file names to sys.path, so an installed ttnn is found first.
    (root / "ttl_jit.pth").write_text("ttl_jit/packages\n")
    if is_bundle:
        bundle(root / "ttl_jit")
    _write_metadata(root)


def make(out, build, is_bundle):
    """Writes the wheel into the folder `out`; returns its path."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "wheel"
        root.mkdir()
        fill(root, build, is_bundle)
        tree.call(sys.executable, "-m", "wheel", "pack", root, "--dest-dir", out)
    return out / f"ttl_jit-{tree.version()}-{tag()}.whl"


def _has_wheel():
    return subprocess.run([sys.executable, "-m", "wheel", "version"],
                          capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser(
        prog="tools/wheel", description="Makes a wheel of ttl-jit for the Python that runs this "
        "script: /usr/bin/python3, or PYTHON in `PYTHON tools/wheel`.")
    parser.add_argument("--bundle", action="store_true",
                        help="puts LLVM, MLIR and the other libraries into the wheel")
    parser.add_argument("--out", type=pathlib.Path, default=tree.ROOT / "dist",
                        help="the folder for the wheel (dist)")
    parser.add_argument("--build", type=pathlib.Path, help="the build folder (build)")
    options = parser.parse_args()
    try:
        if not _has_wheel():
            raise tree.PackagingError(f"{sys.executable} lacks the package wheel: install it (on "
                                      "Debian python3-wheel)")
        build = tree.build_for_this_python(options.build, "ttjit-complete ttl-lsp-server")
        print(make(options.out.resolve(), build, options.bundle))
    except (tree.PackagingError, OSError) as error:
        print(f"tools/wheel: {error}", file=sys.stderr)
        return 1
    return 0
