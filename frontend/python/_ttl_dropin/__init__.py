# ===- __init__.py - the names under which scripts import TT-Lang -------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# TT-Lang was renamed several times, and scripts put folders of other installations first on
# sys.path. install() therefore puts a module finder before all others. For every name that TT-Lang
# has had, it finds a module of ttl-jit.
# ===--------------------------------------------------------------------------=== #

"""Makes ttl-jit's modules importable under every name that TT-Lang has had."""

import importlib
import importlib.machinery
import os
import sys

from _ttl_dropin._names import ALIASES, GENERIC

_MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "modules")


class _Alias:
    """Loads a module with the contents of the module `target`, under another name."""

    def __init__(self, target):
        self.target = target

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        target = importlib.import_module(self.target)
        own = {name: value for name, value in vars(target).items() if not _is_special(name)}
        module.__dict__.update(own)
        module.__doc__ = target.__doc__
        module.__getattr__ = _from(self.target, module.__name__)
        if hasattr(target, "__all__"):
            module.__all__ = target.__all__


class _WithFallback:
    """Loads the user's own module. Names that it lacks come from ttl-jit's module."""

    def __init__(self, loader, target):
        self.loader = loader
        self.target = target

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def exec_module(self, module):
        self.loader.exec_module(module)
        module.__dict__.setdefault("__getattr__", _from(self.target, module.__name__))


def _is_special(name):
    return name.startswith("__") and name.endswith("__") and name != "__version__"


def _from(target, name):
    """Returns a __getattr__ for a module that looks names up in the module `target`."""

    def get(attribute):
        if not _is_special(attribute):
            try:
                return getattr(importlib.import_module(target), attribute)
            except AttributeError:
                pass
        raise AttributeError(f"module '{name}' has no attribute '{attribute}'")

    return get


def _is_package(name):
    return any(other.startswith(name + ".") for other in ALIASES)


class Finder:
    """Finds ttl-jit's modules before any module that a script puts on sys.path. `folder` is the
    folder of the running script, or of the test file that pytest imports. A module of that folder with
    a generic name such as `utils` is found before ttl-jit's."""

    def __init__(self, packages):
        self.packages = {name.partition(".")[0]: packages for name in os.listdir(packages)}
        self.packages.update((name.partition(".")[0], _MODULES) for name in os.listdir(_MODULES))
        self.aliases = ALIASES
        if os.environ.get("TTL_TTNN") == "device":
            # `import ttnn` finds the installed package, and ttl-jit's is ttl.ttnn: see ttl/_ttnn.py.
            del self.packages["ttnn"]
            self.aliases = {name: "ttl.ttnn" if other == "ttnn" else other
                            for name, other in ALIASES.items()}
        self.folder = None

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in GENERIC and not name.startswith("python.sim"):
            own = self._users(name, path)
            if own is not None:
                return own
        if name in self.aliases:
            loader = _Alias(self.aliases[name])
            return importlib.machinery.ModuleSpec(name, loader, is_package=_is_package(name))
        if path is None and name in self.packages:
            return importlib.machinery.PathFinder.find_spec(name, [self.packages[name]], target)
        return None

    def _users(self, name, path):
        """Returns the spec of the user's own module with a generic name, or None."""
        spec = self._others(name, path)
        if spec is None or spec.loader is None or (path is None and not self._is_local(spec)):
            return None
        if name in self.aliases:
            spec.loader = _WithFallback(spec.loader, self.aliases[name])
            if spec.submodule_search_locations is None and _is_package(name):
                spec.submodule_search_locations = []
        return spec

    def _others(self, name, path):
        finders = (finder for finder in sys.meta_path if finder is not self)
        specs = (finder.find_spec(name, path) for finder in finders if hasattr(finder, "find_spec"))
        return next((spec for spec in specs if spec is not None), None)

    def _is_local(self, spec):
        if self.folder is None or not spec.origin:
            return False
        place = os.path.dirname(os.path.abspath(spec.origin))
        if spec.submodule_search_locations is not None:
            place = os.path.dirname(place)
        return os.path.realpath(place) == os.path.realpath(self.folder)


def install(packages):
    """Puts the finder of these packages before all others, once. Returns the finder."""
    for finder in sys.meta_path:
        if isinstance(finder, Finder):
            return finder
    finder = Finder(packages)
    sys.meta_path.insert(0, finder)
    # Scripts read this variable to find out whether there is a device to run on.
    os.environ.setdefault("TTLANG_HAS_DEVICE", "1")
    return finder
