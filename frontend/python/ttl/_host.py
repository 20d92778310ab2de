# ===- _host.py - host functions that kernels call ----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import ctypes
import inspect

import _ttjit
import numpy

_MISSING = object()
_KINDS = {
    None: "none",
    type(None): "none",
    int: "int",
    float: "float",
    bool: "bool",
    ctypes.c_int: "int",
    ctypes.c_int32: "int",
    ctypes.c_float: "float",
    ctypes.c_bool: "bool",
    numpy.int32: "int",
    numpy.float32: "float",
    numpy.bool_: "bool",
}
_NAMES = {"None": "none", "int": "int", "float": "float", "bool": "bool"}


def _kind(type_, what):
    """Returns the kind of a function's result: none, int, float or bool."""
    try:
        return _KINDS[type_]
    except (KeyError, TypeError):
        raise TypeError(f"{what} must be int, float, bool or None, found {type_!r}") from None


@_ttjit.public_methods
class HostFunction:
    """A function of the host that kernels can call: a Python callable, or a C function of a
    library."""

    def __init__(self, target, symbol, restype, device_function):
        self.callable = self.library = None
        self.device_function = device_function
        if symbol is not None:
            self._open(target, symbol)
            self.result = "none" if restype is _MISSING else _kind(restype, "restype=")
            return
        if not callable(target):
            raise TypeError(
                "ttl.host_function must get a callable, or a library and the name of its "
                f"function; found {type(target).__name__}"
            )
        self.callable = target
        self.name = getattr(target, "__name__", type(target).__name__)
        self.result = _annotated(target) if restype is _MISSING else _kind(restype, "restype=")

    def _open(self, library, symbol):
        if not isinstance(symbol, str):
            raise TypeError(f"the name of a C function must be a string, found {symbol!r}")
        path = "" if library is None else getattr(library, "_name", library)
        self.library = "" if path is None else str(path)
        self.name = symbol
        # raises an exception if the library has no such function
        getattr(ctypes.CDLL(self.library or None), symbol)

    def __call__(self, *args):
        if self.callable is None:
            raise RuntimeError(f"the C function {self.name}() can only be called inside a kernel "
                               "function")
        return self.callable(*args)

    def __repr__(self):
        return f"<host function {self.name}>"


def _annotated(function):
    """Returns the kind of result that a callable's annotation declares, or "any" if it has
    none."""
    try:
        annotation = inspect.signature(function).return_annotation
    except (TypeError, ValueError):
        return "any"
    if annotation is inspect.Signature.empty:
        return "any"
    if isinstance(annotation, str):
        return _NAMES.get(annotation, "any")
    return _KINDS.get(annotation, "any") if annotation.__hash__ else "any"


@_ttjit.public
def host_function(function, symbol=None, *, restype=_MISSING, device_function=None):
    """Declares a function of the host that kernel functions may call: a Python callable, or the
    function `symbol` of a C library.

    restype is int, float, bool or None; without it the annotation of the callable counts. Emitted
    C++ calls the function `device_function` instead.

    Raises a TypeError for an object that cannot be called, and an OSError for a library that is not
    there.

    Example:

        seen = []
        note = ttl.host_function(seen.append, restype=None)
    """
    if device_function is not None and not isinstance(device_function, str):
        raise TypeError("device_function= must be the name of a function, found "
                        f"{device_function!r}")
    return HostFunction(function, symbol, restype, device_function)
