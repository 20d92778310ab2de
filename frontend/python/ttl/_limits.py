# ===- _limits.py - limits of what Python computes at compile time ------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# If all values are known at compile time, the compiler runs Python code of a kernel function. The
# functions below limit the time and memory of such code.
# ===--------------------------------------------------------------------------=== #

import itertools
import math
import numbers
import re
import types

import numpy

MAX_BITS = 1 << 16  # the most bits of an integer
MAX_LENGTH = 1 << 20  # the most items of a sequence
MAX_ITEMS = 1 << 26  # the most items of an array that an operator makes from smaller ones

# ===--------------------------------------------------------------------------=== #
# Limits of operators
# ===--------------------------------------------------------------------------=== #


def _integers(*values):
    return all(isinstance(value, numbers.Integral) for value in values)


def _too_many_bits(symbol):
    return (
        f"the result of '{symbol}' has more than {MAX_BITS} bits: integers known at compile time "
        f"can have at most {MAX_BITS}"
    )


def _too_long(symbol, length, limit=MAX_LENGTH):
    return (
        f"the result of '{symbol}' has {length} items: sequences known at compile time can have at "
        f"most {limit}"
    )


def _power(base, exponent):
    if not _integers(exponent) or isinstance(base, (float, complex, numpy.ndarray)):
        return None
    # The power of a number that is not an integer, such as a fraction, grows like that of an
    # integer of one bit.
    bits = int(base).bit_length() - 1 if _integers(base) else 1
    return _too_many_bits("**") if bits * int(exponent) > MAX_BITS else None


def _shift(value, distance):
    if not _integers(value, distance) or value == 0:
        return None
    bits = int(value).bit_length() + int(distance)
    return _too_many_bits("<<") if bits > MAX_BITS else None


def _product(left, right):
    if _integers(left, right):
        bits = int(left).bit_length() + int(right).bit_length()
        return _too_many_bits("*") if bits > MAX_BITS else None
    for sequence, count in ((left, right), (right, left)):
        if isinstance(sequence, _SEQUENCES) and _integers(count):
            length = len(sequence) * int(count)
            return _too_long("*", length) if length > MAX_LENGTH else None
    return None


def _sum(left, right):
    if isinstance(left, _SEQUENCES) and isinstance(right, _SEQUENCES):
        length = len(left) + len(right)
        return _too_long("+", length) if length > MAX_LENGTH else None
    return None


def _format(template, values):
    if not isinstance(template, (str, bytes, bytearray)):
        return None
    text = template if isinstance(template, str) else template.decode("latin-1")
    values = values if isinstance(values, tuple) else (values,)
    widths = [value for value in values if _integers(value)] if "*" in text else []
    return format_limit(text, widths)


def _array_result(symbol, left, right):
    """Returns why the array that an operator of numpy makes is too large, or None if it is not. The
    broadcast of two arrays may be far larger than both, and numpy converts a range to an array."""
    shapes = [value.shape for value in (left, right) if isinstance(value, _ARRAYS)]
    if len(shapes) == 2:
        length = math.prod(max(pair) for pair in itertools.zip_longest(
            *map(reversed, shapes), fillvalue=1))
        is_larger = length > max(MAX_ITEMS, left.size, right.size)
        return _too_long(symbol, length, MAX_ITEMS) if is_larger else None
    if shapes and any(isinstance(value, range) and not 0 <= _length(value) <= MAX_LENGTH
                      for value in (left, right)):
        return f"a range of more than {MAX_LENGTH} items cannot become an array at compile time"
    return None


def _contains(container, item):
    if hasattr(type(container), "__next__"):
        return "'in' cannot search an iterator at compile time: search a tuple or list"
    is_long = isinstance(container, range) and not 0 <= _length(container) <= MAX_LENGTH
    if not is_long or _integers(item):
        return None
    return (
        f"a search in a range of more than {MAX_LENGTH} items takes too long at compile time: "
        "use a shorter range"
    )


_ARRAYS = (numpy.ndarray, numpy.generic)
_SEQUENCES = (str, bytes, bytearray, list, tuple)
_OPERATOR_LIMITS = {
    "pow": _power,
    "lshift": _shift,
    "mul": _product,
    "add": _sum,
    "mod": _format,
    "contains": _contains,
}


def operator_limit(name, left, right):
    """Returns why the result of an operator is too large for compile time, or None if it is not.
    `name` is the name of the operator's function in Python's module `operator`."""
    check = _OPERATOR_LIMITS.get(name)
    return (check and check(left, right)) or _array_result(name, left, right)


def format_limit(template, widths=()):
    """Returns why a formatted text is too large for compile time, or None if it is not."""
    written = [int(digits[:20]) for digits in re.findall(r"\d+", template)]
    width = max((*written, *map(abs, widths)), default=0)
    return _too_long("format", width) if width > MAX_LENGTH else None


# ===--------------------------------------------------------------------------=== #
# Limits of calls
# ===--------------------------------------------------------------------------=== #

# Names of functions and methods of Python's own types that may take long. _COUNTED: the time grows
# with the value of an integer argument. _COUNTED_SECOND: the same, without the first argument.
# _EXHAUSTING: the function reads an iterable to its end. _SEARCHES: it searches a sequence.
_COUNTED = frozenset(
    "bytes bytearray ljust rjust center zfill expandtabs factorial to_bytes".split()
)
_COUNTED_SECOND = frozenset("comb perm round".split())
_EXHAUSTING = frozenset(
    "sum min max any all sorted set frozenset dict list tuple bytes bytearray join extend update "
    "fromkeys deque Counter fsum prod reduce product permutations combinations "
    "combinations_with_replacement union intersection difference symmetric_difference contains "
    "countOf indexOf".split()
)
_SEARCHES = frozenset("index count __contains__".split())
# Functions of numpy. _SHAPED: the first argument is the shape of the result. _SIZED: each argument
# may determine the size of the result.
_SHAPED = frozenset("zeros ones empty full indices".split())
_SIZED = frozenset(
    "arange linspace logspace geomspace eye identity tri tile repeat resize pad".split()
)
BUILTIN = (
    type,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
)


def call_limit(callee, args):
    """Returns why a call is too large for compile time (or None), and the arguments to call with.
    An iterator in `args` is replaced by a list of its items, because this is the only way to count
    them."""
    if not isinstance(callee, BUILTIN) and not _is_of_numpy(callee):
        return None, args
    name = getattr(callee, "__name__", "")
    subject = getattr(callee, "__self__", None)
    is_method = subject is not None and not isinstance(subject, types.ModuleType)
    operands = (subject, *args) if is_method else args
    text = _operator_call(callee, name, operands)
    if text is None and name in (*_COUNTED, *_COUNTED_SECOND):
        text = _count_limit(name, args[1:] if name in _COUNTED_SECOND else args)
    if text is None and name in _SEARCHES and is_method and args:
        text = _contains(subject, args[0])
    if text is None and name in ("format", "__format__"):
        text = next(filter(None, (format_limit(x) for x in operands if isinstance(x, str))), None)
    if text is None and (_is_of_numpy(callee) or _is_array(subject)):
        text = _array_limit(name, operands)
    if text is None and name in _EXHAUSTING:
        return _bounded(name, args)
    return text, args


def _operator_call(callee, name, operands):
    is_special = isinstance(callee, (types.MethodWrapperType, types.WrapperDescriptorType))
    is_operator = is_special or callee is pow or getattr(callee, "__module__", "") == "_operator"
    if not is_operator or len(operands) != 2:
        return None
    name = name.strip("_")
    if name not in _OPERATOR_LIMITS and name[:1] == "r":
        name, operands = name[1:], operands[::-1]
    return operator_limit(name, *operands)


def _count_limit(name, args):
    count = max((abs(int(value)) for value in args if _integers(value)), default=0)
    if count <= MAX_BITS:
        return None
    return f"{name}() of a number above {MAX_BITS} is too large to compute at compile time"


def _array_limit(name, operands):
    """Returns why the result of an array function is too large, or None. The largest extent, or
    product of extents, among the operands limits the size of the result."""
    copies, extents = 1, 1
    sizes = operands[:1] if name in _SHAPED else operands if name in _SIZED else ()
    for value in sizes:
        if _is_array(value):
            copies = max(copies, value.size)
        elif isinstance(value, (tuple, list)) and _integers(*value):
            extents = max(extents, math.prod(abs(int(extent)) for extent in value))
        elif _integers(value):
            extents = max(extents, abs(int(value)))
    size = copies * extents
    return _too_long(f"{name}()", size) if size > MAX_LENGTH else None


def _is_array(value):
    return isinstance(value, numpy.ndarray)


def _bounded(name, args):
    bounded = []
    for value in args:
        if hasattr(type(value), "__next__"):
            value = list(itertools.islice(value, MAX_LENGTH + 1))
        if isinstance(value, (range, list)) and not -1 < _length(value) <= MAX_LENGTH:
            return (
                f"{name}() of more than {MAX_LENGTH} items is too large to compute at compile time",
                args,
            )
        bounded.append(value)
    is_same = all(new is old for new, old in zip(bounded, args))
    return None, args if is_same else tuple(bounded)


def _length(value):
    try:
        return len(value)
    except OverflowError:
        return -1


def _is_of_numpy(callee):
    return str(getattr(callee, "__module__", "")).partition(".")[0] == "numpy"
