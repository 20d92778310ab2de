# ===- _ttl_load.py - loads the extensions ------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# By default Python tells the dynamic loader to look up every function that an extension may call when
# it loads the extension. These are tens of thousands of MLIR and LLVM, and a program calls few. load()
# lets the loader look up each at its first call, which saves 10 ms of the start.
# ===--------------------------------------------------------------------------=== #

import importlib
import importlib.util
import os
import re
import sys

# Parts of the dynamic loader's messages about a library that is missing, or that is damaged.
_MISSING = ("cannot open shared object file",)
_DAMAGED = ("file too short", "invalid ELF header", "wrong ELF class", "cannot read file data")

# Beginning of a library's file name -> its Debian package. {version} is the version in the file name.
_PACKAGES = {
    "libMLIR": "libmlir-22",
    "libLLVM": "libllvm22",
    "libclang-cpp": "libclang-cpp22",
    "libboost_context": "libboost-context{version}",
    "libfmt": "libfmt9",
    "libffi": "libffi8",
    "libzstd": "libzstd1",
}


def load(name):
    """Imports an extension and returns it. If a shared library is missing, the ImportError says
    what to install."""
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_LAZY)
    try:
        return importlib.import_module(name)
    except ImportError as error:
        advice = _advice(str(error))
        if advice is None:
            raise
        raise ImportError(f"{error}; {advice}") from None
    finally:
        sys.setdlopenflags(flags)


def load_on_demand(name, library):
    """Imports an extension that few programs need and returns it. A build tree may lack it; then the program
    build-library first builds it and the library `library` that it uses."""
    if importlib.util.find_spec(name) is None:
        folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        builder = os.path.join(folder, "lib", "build-library")
        if os.access(builder, os.X_OK):
            import subprocess  # most programs do not wait for this import

            subprocess.run([builder, library], check=False)
            importlib.invalidate_caches()
    return load(name)


def _advice(text):
    """Returns what to do about an error of the loader; None if no library is missing or damaged."""
    if not any(words in text for words in (*_MISSING, *_DAMAGED)):
        return None
    package = _package(text)
    if package is None:
        return f"install ttl-jit again, with all files of its build or package, or {_BUNDLE}"
    option = " --reinstall" if any(words in text for words in _DAMAGED) else ""
    return (f"this library is in the package {package}: install it, on Debian with "
            f"`apt-get install{option} {package}`, or {_BUNDLE}")


def _package(text):
    """Returns the package of the library that an error of the loader names, or None."""
    library = re.match(r"(?:[^:]*/)?(lib[^/:]*)\.so(?:\.([\d.]+))?:", text)
    if library is None:
        return None
    names = [name for start, name in _PACKAGES.items() if library[1].startswith(start)]
    return names[0].format(version=library[2]) if names else None


_BUNDLE = "use a wheel that contains the libraries (tools/wheel --bundle)"
