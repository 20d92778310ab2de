# ===- _ttnn.py - which package is ttnn ---------------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A real ttnn, the one for cards, may be installed beside ttl-jit's. Importing ttl must not hide it
# unless the user wants this. The environment variable TTL_TTNN says which of them `import ttnn` finds:
# ttl-jit's ("host") or the installed one ("device"). Under "device", ttl-jit's has the name
# ttl.ttnn. Modules of ttl take the parts of ttnn from here.
# ===--------------------------------------------------------------------------=== #

import importlib
import importlib.machinery
import importlib.util
import os
import sys

_PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OURS = os.path.join(_PACKAGES, "ttnn", "__init__.py")

_ADVICE = ("set TTL_TTNN=host to let `import ttnn` find ttl-jit's, for kernels on the emulated "
           "device, or TTL_TTNN=device to leave it the installed one; ttl-jit's is ttl.ttnn then")


def _is_ours(file):
    return file is not None and os.path.realpath(file) == os.path.realpath(_OURS)


def _installed():
    """Returns the file of another package ttnn on sys.path, or None."""
    loaded = sys.modules.get("ttnn")
    if loaded is not None:
        file = getattr(loaded, "__file__", None)
        return None if _is_ours(file) else file or "(in memory)"
    for folder in sys.path:
        spec = importlib.machinery.PathFinder.find_spec("ttnn", [folder])
        if spec is not None and spec.origin is not None and not _is_ours(spec.origin):
            return spec.origin
    return None


def _was_asked():
    """Returns whether ttl-jit's finder of modules is active. It serves the name ttnn."""
    return any(type(finder).__module__ == "_ttl_dropin" for finder in sys.meta_path)


def _import_as(name):
    """Imports ttl-jit's package as the module `name`."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(
        name, _OURS, submodule_search_locations=[os.path.dirname(_OURS)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _choose():
    choice = os.environ.get("TTL_TTNN", "")
    if choice not in ("", "host", "device"):
        raise ImportError(f"TTL_TTNN={choice}: expected host or device")
    if choice == "device":
        return _import_as("ttl.ttnn")
    if choice == "" and not _was_asked() and (other := _installed()):
        raise ImportError(f"there is another package ttnn: {other}; {_ADVICE}")
    loaded = sys.modules.get("ttnn")
    if loaded is not None and not _is_ours(getattr(loaded, "__file__", None)):
        raise ImportError("the program imported the installed ttnn before ttl, so that it has "
                          "objects of both packages: import ttl first")
    return _import_as("ttnn")


package = _choose()
fabric, settings, trace, types, words = (
    importlib.import_module(f"{package.__name__}.{name}")
    for name in ("fabric", "settings", "trace", "types", "words")
)
