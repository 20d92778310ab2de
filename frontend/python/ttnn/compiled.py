# SPDX-License-Identifier: Apache-2.0
"""The backend "compiled": a call becomes a function of TTIR, and the compiler makes kernels of it.

A builder (compiled_builders.py) writes the TTIR of one kind of call. Calls of the same function with
tensors of the same shapes and types, and with the same other arguments, have the same text and use the
same kernels. A call that TTIR cannot express raises NoCounterpart, and backend.py calls the golden
function. So does a call with wrong arguments, whose error the golden function reports."""

import collections
import functools
import inspect

from .compiled_builders import BUILDERS, EXTRAS, Call
from .compiled_text import ELEMENTS, NoCounterpart, Text
from .operands import finish, is_tensor, write
from .settings import current
from .types import as_dtype

_MOST = 512  # compiled functions that are kept; the one that was not used for longest is dropped
_functions = collections.OrderedDict()  # (text, options) -> ttl.ModelFunction

_OUTPUTS = ("output_tensor", "optional_output_tensor", "output")


def names():
    """Returns the names of the functions of ttnn that have a builder."""
    return sorted(BUILDERS)


@functools.cache
def _signature(function):
    return inspect.signature(function)


def _bound(function, args, kwargs):
    """Returns the arguments of a call by name, and its options."""
    try:
        bound = _signature(function).bind(*args, **kwargs)
    except TypeError as error:
        raise NoCounterpart(str(error)) from None
    bound.apply_defaults()
    given = dict(bound.arguments)
    return given, dict(given.pop("options", {}))


def _tensors_in(given):
    found = []
    for value in given.values():
        found += filter(is_tensor, value if isinstance(value, (list, tuple)) else [value])
    return found


def _check(tensors):
    if not tensors:
        raise NoCounterpart("no argument is a tensor")
    for tensor in tensors:
        if tensor.dtype not in ELEMENTS:
            raise NoCounterpart(f"kernels have no elements of {tensor.dtype.name.lower()}")
        if not tensor.is_allocated() or 0 in tensor.shape:
            raise NoCounterpart("a tensor has no elements")


def call(function, args, kwargs):
    """Computes a call with kernels. Raises NoCounterpart if TTIR cannot express the call."""
    name = function.__name__
    base = name if name in BUILDERS else name.removesuffix("_")
    if base not in BUILDERS:
        raise NoCounterpart("the compiler has no op for it")
    given, options = _bound(function, args, kwargs)
    tensors = _tensors_in(given)
    _check(tensors)
    like = tensors[0]
    if base != name:
        options["output_tensor"] = like
    dtype = _result_type(base, like, options)
    text = Text(f"ttnn_{base}")
    described = Call(text, given, options, ELEMENTS[dtype])
    made = BUILDERS[base](described)
    source = text.finish(text.cast(made, ELEMENTS[dtype]))
    array = _function_of(source, text.name)(*(each.to_numpy() for each in text.tensors))
    if base != name:
        return write(like, array, "input_tensor")
    result = finish(base, like, array, options, dtype)
    return EXTRAS[base](described, result) if base in EXTRAS else result


def _result_type(name, like, options):
    """Returns the element type of the result."""
    output = next((options[each] for each in _OUTPUTS if options.get(each) is not None), None)
    if is_tensor(output):
        dtype = output.dtype
    elif options.get("dtype") is not None:
        dtype = as_dtype(options["dtype"])
    else:
        dtype = as_dtype("uint32") if name == "argmax" else like.dtype
    if dtype not in ELEMENTS:
        raise NoCounterpart(f"kernels have no elements of {dtype.name.lower()}")
    return dtype


def _function_of(source, name):
    """Returns the compiled function of a TTIR text. Compiles a text that is new."""
    key = (source, current())
    found = _functions.get(key)
    if found is None:
        from ttl import _models  # ttl imports ttnn

        found = getattr(_models.load_mlir(source), name)
        _functions[key] = found
        if len(_functions) > _MOST:
            _functions.popitem(last=False)
    _functions.move_to_end(key)
    return found
