# SPDX-License-Identifier: Apache-2.0
"""Makes the Debian packages python3-ttl-jit and ttl-jit with CPack."""

import argparse
import pathlib
import shutil
import sys
import tempfile

from packages import tree, wheel

_TOOLS = "ttl-opt ttl-translate ttl-lsp-server"
_MAINTAINER = f"{tree.AUTHOR} <ttl-jit@localhost>"

_SCRIPT = """\
#!/usr/bin/python3
import sys

from {module} import main

sys.exit(main())
"""

# dpkg runs _POSTINST after it installs a package, to compile the Python modules, and _PRERM before it
# removes the package, to remove the bytecode.
_POSTINST = """\
#!/bin/sh
set -e
if command -v py3compile >/dev/null; then py3compile -p {name}; fi
"""
_PRERM = """\
#!/bin/sh
set -e
if command -v py3clean >/dev/null; then py3clean -p {name}; fi
"""

# The settings of CPack: https://cmake.org/cmake/help/latest/cpack_gen/deb.html
_CONFIG = """\
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME {name})
set(CPACK_PACKAGE_VERSION {version})
set(CPACK_PACKAGE_FILE_NAME {name}_{version})
set(CPACK_PACKAGE_DIRECTORY "{out}")
set(CPACK_INSTALLED_DIRECTORIES "{root};/")
set(CPACK_PACKAGING_INSTALL_PREFIX "/")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "{summary}")
set(CPACK_PACKAGE_DESCRIPTION "{description}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "{homepage}")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "{maintainer}")
set(CPACK_DEBIAN_PACKAGE_SECTION {section})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "{depends}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "{recommends}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "{suggests}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "{private}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "{scripts}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
"""


def _stage_python(root, build):
    """Puts the files of the Debian package python3-ttl-jit below `root`; returns the folder of the Python
    packages there."""
    packages = root / "usr" / "lib" / "python3" / "dist-packages"
    packages.mkdir(parents=True)
    wheel.fill(packages, build)
    for record in packages.glob("*.dist-info/entry_points.txt"):
        record.unlink()  # the package ttl-jit has the scripts
    shutil.rmtree(packages / "ttl_jit" / "bin")  # the package ttl-jit also has the language server
    return packages


def _stage_tools(root, packages, build, work):
    """Puts the files of the Debian package ttl-jit below `root`: programs, scripts and examples."""
    programs = root / "usr" / "bin"
    programs.mkdir(parents=True)
    tree.install(build, work / "prefix")
    for name in _TOOLS.split():
        shutil.move(work / "prefix" / "bin" / name, programs / name)
    for name, target in wheel.SCRIPTS.items():
        (programs / name).write_text(_SCRIPT.format(module=target.partition(":")[0]))
        (programs / name).chmod(0o755)
    share = root / "usr" / "share" / "ttl-jit"
    share.mkdir(parents=True)
    shutil.move(packages / "ttl_jit" / "examples", share / "examples")


def _add_documents(root, name):
    folder = root / "usr" / "share" / "doc" / name
    folder.mkdir(parents=True)
    shutil.copy(tree.ROOT / "LICENSE", folder / "copyright")
    shutil.copy(tree.ROOT / "README.md", folder)


def _pack(name, root, private, work, out, **settings):
    _add_documents(root, name)
    config = work / f"{name}.cmake"
    config.write_text(_CONFIG.format(
        name=name, root=root, private=private, work=work, out=out, version=tree.version(),
        maintainer=_MAINTAINER, homepage=tree.homepage() or "",
        **{"recommends": "", "suggests": "", "scripts": "", **settings}))
    tree.call("cpack", "--config", config, cwd=work)


def _scripts(work, name):
    """Writes the scripts that dpkg runs; returns their paths as a CMake list."""
    folder = work / f"scripts-{name}"
    folder.mkdir()
    for script, text in (("postinst", _POSTINST), ("prerm", _PRERM)):
        (folder / script).write_text(text.format(name=name))
        (folder / script).chmod(0o755)
    return f"{folder}/postinst;{folder}/prerm"


def make(out, build):
    """Writes both packages into the folder `out`; returns their paths."""
    out.mkdir(parents=True, exist_ok=True)
    major, minor = sys.version_info[:2]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        packages = _stage_python(work / "python", build)
        _stage_tools(work / "tools", packages, build, work)
        private = packages / "ttl_jit" / "lib"
        _pack("python3-ttl-jit", work / "python", private, work, out, section="python",
              summary=f"{tree.SUMMARY}: the packages ttl and ttnn",
              description="Compiles TT-Lang kernels for Tensix devices to host code, and runs them "
              "on an emulated device. This package has the modules of Python.",
              depends=f"python3 (>= {major}.{minor}), python3 (<< {major}.{minor + 1}), "
              "python3-numpy",
              recommends="python3-prompt-toolkit, python3-pygments",
              suggests="python3-torch, python3-pytest", scripts=_scripts(work, "python3-ttl-jit"))
        _pack("ttl-jit", work / "tools", private, work, out, section="devel",
              summary=f"{tree.SUMMARY}: the programs",
              description="Compiles TT-Lang kernels for Tensix devices to host code, and runs them "
              "on an emulated device. This package has ttl-jit, the tools for its IR, and examples.",
              depends=f"python3-ttl-jit (= {tree.version()})")
    return sorted(out.glob(f"*ttl-jit_{tree.version()}_*.deb"))


def main():
    parser = argparse.ArgumentParser(
        prog="tools/deb", description="Makes the Debian packages python3-ttl-jit and ttl-jit.")
    parser.add_argument("--out", type=pathlib.Path, default=tree.ROOT / "dist",
                        help="the folder for the packages (dist)")
    parser.add_argument("--build", type=pathlib.Path, help="the build folder (build)")
    options = parser.parse_args()
    try:
        build = tree.build_for_this_python(options.build, f"ttjit-complete {_TOOLS}")
        print(*make(options.out.resolve(), build), sep="\n")
    except (tree.PackagingError, OSError) as error:
        print(f"tools/deb: {error}", file=sys.stderr)
        return 1
    return 0
