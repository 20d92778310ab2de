# ===- _external.py - C++ functions that kernels call -------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# ttl.call_extern_func() calls a function of a C++ header of the user, and states what the function
# does with buffers. The compiler evaluates the arguments of the call and gives them to contracts(),
# which checks all rules.
# ===--------------------------------------------------------------------------=== #

import math
import os
import re
import struct

import numpy
from ttl import _buffers, _errors, _external_arguments, _headers, _selectors
from ttl._external_arguments import (
    Argument,
    DispatchCondition,
    Effect,
    Inspect,
    Repeat,
    ScalarType,
    dfb_descriptor,
    get_dfb_id,
    raw_addr,
    uint32,
)

is_maker = _external_arguments.is_maker  # the compiler looks for is_maker() in this module

_MOST_EFFECTS = 4096


# ===--------------------------------------------------------------------------=== #
# Arguments that the compiler gives
# ===--------------------------------------------------------------------------=== #


class RunTime:
    """A number that is known when the kernel runs: operand `number` of the call."""

    def __init__(self, number):
        self.number = number


class Other:
    """A value that cannot be an argument, such as a block; `kind` is "block", "slice" or ""."""

    def __init__(self, text, kind):
        self.text, self.kind = text, kind


class ContractError(Exception):
    """A rule that the argument `keyword` breaks."""

    def __init__(self, keyword, message):
        super().__init__(message)
        self.keyword, self.message = keyword, message


class Contract:
    """What one call of a C++ function passes to the function, and what the function does with
    buffers, in one thread. The buffers that it uses are its dependencies."""

    def __init__(self, thread):
        self.thread = thread  # a name that _selectors.threads_of() returns; None in kernel functions
        self.templates = []  # (kind, value) of each template argument
        self.arguments = []  # (kind, value) of each function argument
        self.dependencies = []  # the buffers that the function uses
        self.effects = []  # (kind, number of the dependency, tiles)
        self.inspected = []  # numbers of the dependencies that the function only looks at
        self.defines = []  # macros of the thread: "NAME VALUE"

    def number(self, buffer):
        for number, known in enumerate(self.dependencies):
            if known is buffer.canonical:
                return number
        return None

    def depend(self, buffer):
        number = self.number(buffer)
        if number is None:
            self.dependencies.append(buffer.canonical)
            number = len(self.dependencies) - 1
        return number


def _fail(keyword, message):
    raise ContractError(keyword, message)


def _found(value):
    if isinstance(value, RunTime):
        return "a run-time number"
    if isinstance(value, Other):
        return value.text
    if isinstance(value, (bool, int, float, str, type(None))):
        return repr(value)
    if isinstance(value, Argument):
        return f"ttl.{type(value).__name__}(...)"
    if isinstance(value, (Effect, Repeat)):
        return "a ttl.DFBEffect"
    return f"an object of type {type(value).__name__}"


def _buffer(value, keyword, what):
    if not isinstance(value, _buffers.DataflowBuffer):
        _fail(keyword, f"{what} must be a buffer, found {_found(value)}")
    return value


def _list(value, keyword):
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        _fail(keyword, f"{keyword}= must be a list, found {_found(value)}")
    return list(value)


def _text(value, keyword):
    if not isinstance(value, str) or not value:
        _fail(keyword, f"{keyword} must be a string that is known at compile time, found "
                       f"{_found(value)}")
    return value


def _is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


# ===--------------------------------------------------------------------------=== #
# Headers
# ===--------------------------------------------------------------------------=== #


def _check_callee(callee):
    parts = _text(callee, "callee").split("::")
    if not all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", part) for part in parts):
        _fail("callee", "callee must be the name of a C++ function, such as 'take' or 'ops::take'; "
                        f"its template arguments are template_args=; found {callee!r}")


def _folders(include_paths, script):
    own = os.path.dirname(os.path.abspath(script))
    paths = [_text(path, "include_paths") for path in _list(include_paths, "include_paths")]
    given = [os.path.normpath(os.path.join(own, path)) for path in paths]
    for path, folder in zip(paths, given):
        if not os.path.isdir(folder):
            _fail("include_paths", f"there is no folder {path!r} (looked for {folder})")
    return own, given


def _resolve(header, include_paths, script):
    """Returns the path of a header, and the folders in which #include looks."""
    _text(header, "header")
    own, given = _folders(include_paths, script)
    folders = list(dict.fromkeys([own, *given, os.getcwd()]))
    for folder in [""] if os.path.isabs(header) else folders:
        path = os.path.normpath(os.path.join(folder, header))
        if os.path.isfile(path):
            if any(c in path for c in '"\\\n'):
                _fail("header", "the path of a header must not contain a double quote, a backslash or "
                                f"a line break, found {path!r}: rename the file or folder")
            return path, given
    looked = "" if os.path.isabs(header) else ": looked in " + ", ".join(folders)
    _fail("header", f"cannot find the header {header!r}{looked}; name its folder in include_paths=")


# ===--------------------------------------------------------------------------=== #
# Arguments
# ===--------------------------------------------------------------------------=== #


def _unsigned(value, keyword):
    value = _plain(value)
    if not _is_int(value) or not 0 <= value < 1 << 32:
        _fail(keyword, "ttl.uint32() must get an integer from 0 to 4294967295 that is known at "
                       f"compile time, found {_found(value)}")
    return value


def _signed(value, keyword):
    if not -(1 << 31) <= value < 1 << 31:
        _fail(keyword, f"{value} is no signed integer of 32 bits: write ttl.uint32({value})"
              if 0 <= value < 1 << 32 else f"{value} does not fit in 32 bits")
    return value


def _bits(value):
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0x7F800000 if value > 0 else 0xFF800000


def _plain(value):
    """Returns the Python number of a numpy number."""
    return value.item() if isinstance(value, numpy.generic) else value


def _template(contract, value):
    keyword, value = "template_args", _plain(value)
    if isinstance(value, bool):
        return "bool", value
    if _is_int(value):
        return "int", _signed(value, keyword)
    if isinstance(value, float):
        return "uint", _bits(value)
    if isinstance(value, uint32):
        return "uint", _unsigned(value.value, keyword)
    if isinstance(value, dfb_descriptor):
        buffer = _buffer(value.value, keyword, "the argument of ttl.dfb_descriptor()")
        return "descriptor", contract.depend(buffer)
    if isinstance(value, get_dfb_id):
        return "id", value.value
    if isinstance(value, _buffers.DataflowBuffer):
        _fail(keyword, "a buffer itself cannot be a template argument: write "
                       "ttl.dfb_descriptor(d) for its type, or ttl.get_dfb_id(d) for its index")
    if isinstance(value, RunTime):
        _fail(keyword, "a template argument must be known at compile time, found a run-time "
                       "number: pass it in func_args=")
    _fail(keyword, "template_args= may have ints, bools, floats, ttl.uint32(v), "
                   f"ttl.dfb_descriptor(d) and ttl.get_dfb_id(d), found {_found(value)}")


def _tensor(call, value, what):
    if call.tensor(value) is None:
        _fail("func_args", f"{what} must be a tensor of the operation, found {_found(value)}")
    return value


def _argument(call, contract, value, compute):
    keyword, value = "func_args", _plain(value)
    if isinstance(value, RunTime):
        return "run_time", value.number
    if isinstance(value, (bool, float)):
        return "static", value
    if _is_int(value):
        return "static", _signed(value, keyword)
    if isinstance(value, uint32):
        word = _unsigned(value.value, keyword)
        return "static", word - (1 << 32) if word >= 1 << 31 else word
    if isinstance(value, _buffers.DataflowBuffer):
        return "buffer", contract.depend(value)
    if isinstance(value, get_dfb_id):
        return "id", value.value
    if isinstance(value, raw_addr):
        return "address", _tensor(call, value.value, "the argument of ttl.raw_addr()")
    if isinstance(value, dfb_descriptor):
        _fail(keyword, "ttl.dfb_descriptor(d) is a type: write it in template_args=")
    if isinstance(value, Other) and value.kind == "slice":
        _fail(keyword, "a part of a tensor cannot be passed to a C++ function: pass the whole tensor")
    if isinstance(value, Other) and value.kind == "block":
        _fail(keyword, f"a C++ function gets a buffer and not {value.text}: pass the buffer")
    if call.tensor(value) is not None:
        if compute and not _is_sharded_l1(value):
            _fail(keyword, "a compute thread can pass a tensor only if it is sharded in L1: pass "
                           "ttl.raw_addr(t), or call the function in a data movement thread")
        return "tensor", value
    _fail(keyword, "func_args= may have numbers, buffers, whole tensors, ttl.raw_addr(t) and "
                   f"ttl.get_dfb_id(d), found {_found(value)}")


def _is_sharded_l1(tensor):
    if not hasattr(tensor, "memory_config"):
        return False
    config = tensor.memory_config()
    return config.is_sharded() and "L1" in str(config.buffer_type)


def _use_id(contract, kind, value, keyword):
    """Returns the kind and the value of an argument. For ttl.get_dfb_id(d) the value is the number of
    d among the dependencies."""
    if kind != "id":
        return kind, value
    buffer = _buffer(value, keyword, "the argument of ttl.get_dfb_id()")
    number = contract.number(buffer)
    if number is None:
        _fail(keyword, f"the function gets the index of '{buffer.name}', which is none of its "
                       "dependencies: pass the buffer in func_args=, or name it in "
                       "dfb_dependencies=")
    return kind, number


# ===--------------------------------------------------------------------------=== #
# Effects and accesses
# ===--------------------------------------------------------------------------=== #


def _flattened(effects):
    keyword, result = "dfb_effects", []
    for effect in effects:
        if isinstance(effect, Repeat):
            count = _plain(effect.count)
            if not _is_int(count) or count < 0:
                _fail(keyword, "the count of ttl.DFBEffect.repeat() must be an integer of at least 0 "
                               f"that is known at compile time, found {_found(count)}")
            inner = _list(effect.effects, keyword)
            if not inner:
                _fail(keyword, "ttl.DFBEffect.repeat() must get a list with at least one effect")
            inner = _flattened(inner)
            if len(inner) * count > _MOST_EFFECTS:
                _too_many()
            result += inner * count
        elif isinstance(effect, Effect):
            result.append(effect)
        else:
            _fail(keyword, f"dfb_effects= must have ttl.DFBEffect objects, found {_found(effect)}")
        if len(result) > _MOST_EFFECTS:
            _too_many()
    return result


def _too_many():
    _fail("dfb_effects", f"dfb_effects= has more than {_MOST_EFFECTS} effects")


def _capacity(buffer):
    extents = buffer.shape if buffer.tiled else buffer.shape[:-1]
    return math.prod(extents) * buffer.block_count


def _dependency(contract, value, keyword, what):
    buffer = _buffer(value, keyword, f"the argument of {what}")
    number = contract.number(buffer)
    if number is None:
        _fail(keyword, f"{what} names '{buffer.name}', which is none of the function's "
                       "dependencies: pass the buffer in func_args=, or name it in "
                       "dfb_dependencies=")
    return buffer, number


def _effect(contract, effect):
    keyword, what = "dfb_effects", f"ttl.DFBEffect.{effect.kind}()"
    buffer, number = _dependency(contract, effect.buffer, keyword, what)
    most, tiles = _capacity(buffer), _plain(effect.tiles)
    if not _is_int(tiles):
        _fail(keyword, f"tiles= of {what} must be an integer that is known at compile time, found "
                       f"{_found(tiles)}")
    if not 0 < tiles <= most:
        _fail(keyword, f"tiles= of {what} must be from 1 to {most}, the capacity of "
                       f"'{buffer.name}'; found {tiles}")
    return effect.kind, number, tiles


def _inspected(contract, accesses):
    keyword, numbers = "dfb_accesses", []
    for access in accesses:
        if not isinstance(access, Inspect):
            _fail(keyword, f"dfb_accesses= must have ttl.DFBAccess objects, found {_found(access)}")
        buffer, number = _dependency(contract, access.buffer, keyword, "ttl.DFBAccess.inspect()")
        if number in numbers:
            _fail(keyword, f"dfb_accesses= names '{buffer.name}' twice")
        if any(number == changed for _, changed, _ in contract.effects):
            _fail(keyword, f"'{buffer.name}' is in dfb_accesses= and in dfb_effects=: name a buffer in "
                           "one of them only")
        numbers.append(number)
    return numbers


# ===--------------------------------------------------------------------------=== #
# Threads
# ===--------------------------------------------------------------------------=== #


def _per_thread(given, keyword, selectors):
    """Returns the argument for each selected thread."""
    if not isinstance(given, dict):
        return [given] * len(selectors)
    if not all(selectors):
        _fail(keyword, f"{keyword}= can be a dict only if kernel= names the threads")
    for key in given:
        if not any(key is each or key == each for each in selectors):
            _fail(keyword, f"{keyword}= has a list for {key!r}, which kernel= does not name")
        if keyword != "func_args" and not given[key]:
            _fail(keyword, f"{keyword}= has an empty list for {key!r}: leave it out")
    return [next((value for key, value in given.items() if key is each or key == each), None)
            for each in selectors]


def _is_compute(selector):
    return getattr(selector, "kind", selector) is _selectors.KernelKind.COMPUTE


def _selected(call, kernel, place):
    """Returns the selectors of the call's threads, and the names of these threads. `place` is
    "unified", the kind of a kernel function, or the name of the thread of a callback."""
    if kernel is None:
        if place == "unified":
            _fail("", "the body of an operation without kernel functions must say which thread runs "
                      "the C++ function: write kernel=ttl.KernelKind.COMPUTE or "
                      "ttl.KernelKind.DATA_MOVEMENT")
        return [None], [place]
    try:
        parts = _selectors._flattened(kernel)
        names = _selectors.threads_of(call, kernel)
    except _errors.CompileError as error:
        _fail("kernel", error.message)
    if place in ("compute", "datamovement"):
        own = [part for part in parts if _is_compute(part) == (place == "compute")]
        if not own:
            _fail("kernel", "kernel= names no thread of this kind of kernel function: leave it out")
        return own[:1], [place]
    return parts, names


# ===--------------------------------------------------------------------------=== #
# The call
# ===--------------------------------------------------------------------------=== #


def _result(given):
    result, condition = given.get("result_type"), given.get("condition_result")
    if result is not None and not isinstance(result, ScalarType):
        _fail("result_type", "result_type= must be ttl.ScalarType.I32 or ttl.ScalarType.I64, found "
                             f"{_found(result)}")
    if condition is None:
        return result
    if not isinstance(condition, DispatchCondition):
        _fail("condition_result", f"condition_result= must be a ttl.DispatchCondition, found "
                                  f"{_found(condition)}")
    if result is not None:
        _fail("result_type", "condition_result= has the type of the result: leave result_type= out")
    return condition.type


def _check_condition(contract, unknown):
    if contract.dependencies or unknown:
        _fail("condition_result", "a function that finds a ttl.DispatchCondition must use no "
                                  "buffers, because several threads call it, each for itself")


def _contract(call, given, thread, compute, lists):
    contract = Contract(thread)
    templates = [_template(contract, value)
                 for value in _list(given.get("template_args"), "template_args")]
    arguments = [_argument(call, contract, value, compute)
                 for value in _list(lists["func_args"], "func_args")]
    for value in _list(given.get("dfb_dependencies"), "dfb_dependencies"):
        buffer = _buffer(value, "dfb_dependencies", "an item of dfb_dependencies=")
        if contract.number(buffer) is not None:
            _fail("dfb_dependencies", f"'{buffer.name}' is a dependency already: "
                                      "dfb_dependencies= must name each buffer once, and no buffer that is in "
                                      "func_args= or ttl.dfb_descriptor()")
        contract.depend(buffer)
    contract.templates = [_use_id(contract, *each, "template_args") for each in templates]
    contract.arguments = [_use_id(contract, *each, "func_args") for each in arguments]
    effects = _flattened(_list(lists["dfb_effects"], "dfb_effects"))
    contract.effects = [_effect(contract, effect) for effect in effects]
    contract.inspected = _inspected(contract, _list(lists["dfb_accesses"], "dfb_accesses"))
    return contract


def _condition_number(call, condition):
    if condition is None:
        return None
    conditions = call.__dict__.setdefault("conditions", [])
    if not any(each is condition for each in conditions):
        conditions.append(condition)
    return next(number for number, each in enumerate(conditions) if each is condition)


def contracts(call, given, script, place, function):
    """Returns (header, include_paths, callee, is_wide, has_result, unknown, condition, contracts) for
    a call of ttl.call_extern_func() with the arguments `given`. `script` is the file of the
    call, `place` as in _selected(), and `function` the name of the kernel function around the call."""
    _check_callee(given["callee"])
    header, folders = _resolve(given["header"], given.get("include_paths"), script)
    call.__dict__.setdefault("files", {}).update(_headers.stamps(header, folders))
    unknown = given.get("unknown_dfb_access", False)
    if not isinstance(unknown, bool):
        _fail("unknown_dfb_access", f"unknown_dfb_access= must be a bool, found {_found(unknown)}")
    result = _result(given)
    selectors, threads = _selected(call, given.get("kernel"), place)
    names = "func_args", "dfb_effects", "dfb_accesses"
    lists = {name: _per_thread(given.get(name), name, selectors) for name in names}
    made = []
    for number, thread in enumerate(threads):
        own = {name: lists[name][number] for name in names}
        made.append(_contract(call, given, thread, thread == "compute", own))
        made[-1].defines = call.defines.get(thread if call.is_unified else function, [])
        if given.get("condition_result") is not None:
            _check_condition(made[-1], unknown)
    condition = _condition_number(call, given.get("condition_result"))
    return (header, folders, given["callee"], result is ScalarType.I64, result is not None, unknown,
            condition, made)
