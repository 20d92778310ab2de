# ===- elementwise.py - docstrings of functions of each element ---------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A function that is one tile operation gets its docstring from the row of hw/facts/TileOps.def. The
# definitions below are for the others, and for those with further parameters.
# ===--------------------------------------------------------------------------=== #

import inspect
import textwrap

from ttl import _api
from ttl._docs import collect

# Functions that also work on blocks of integers.
INTEGRAL = set(
    "square abs neg relu logical_not pow rsub clamp hardtanh typecast add sub mul div max min maximum "
    "minimum eq ne lt le gt ge".split()
)

_ONE = "x is a block, or an expression of blocks, of any shape; the result is an expression of that shape."
_TWO = ("a and b are blocks or expressions of one shape; one of them may be a number. The result is an "
        "expression of that shape.")
_FLOATS = ("The elements are floats. They are computed in float32 and rounded to the type of the block that "
           "stores them.")
_INTEGERS = "The elements are floats or integers of at most 32 bits, which wrap."
_ERRORS = "Raises a ttl.CompileError for {what}, at the line of the call."
_MISTAKES = {1: "a block of integers", 2: "blocks of different shapes, or of integers"}
_INTEGER_MISTAKES = {1: "a value that is no block", 2: "blocks of different shapes"}


def _example(call):
    return f"Example, in a compute function:\n\n    y_block.store({call})"


def _numbers(numbers):
    """The sentence about the parameters that are numbers."""
    if not numbers:
        return []
    names = " and ".join([", ".join(name for name, _ in numbers[:-1])] * (len(numbers) > 1) + [numbers[-1][0]])
    reciprocal = [f"{name} is 1 / {before} unless it is given."
                  for (before, _), (name, default) in zip(numbers, numbers[1:]) if default == "reciprocal"]
    kind = "is a number, which" if len(numbers) == 1 else "are numbers, which"
    return [f"{names} {kind} may be known at run time only.", *reciprocal]


def _described(name, operands, summary, numbers=(), example=None):
    """Returns the docstring of an elementwise function."""
    is_integral = name in INTEGRAL
    what = (_INTEGER_MISTAKES if is_integral else _MISTAKES)[min(operands, 2)]
    details = [_ONE if operands == 1 else _TWO, *_numbers(numbers), _INTEGERS if is_integral else _FLOATS]
    paragraphs = [f"Returns, for each element, {summary}.", " ".join(details), _ERRORS.format(what=what)]
    call = example or f"ttl.{name}({', '.join(_arguments(operands, numbers))})"
    return "\n\n".join([*(textwrap.fill(each, 100) for each in paragraphs), _example(call)])


def _arguments(operands, numbers):
    required = [str(0.5 + at) for at, (_, default) in enumerate(numbers) if default is None]
    return ["x_block"] * (operands == 1) + ["a_block", "b_block"] * (operands == 2) + required


def _from_row(name, operands, numbers, summary):
    """Returns the definition of a function that is one row of the table."""

    def definition():
        pass

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(each, kind) for each in ("x", "ab")[operands - 1]]
    for each, default in numbers:
        otherwise = inspect.Parameter.empty if default is None else None if default == "reciprocal" else default
        parameters.append(inspect.Parameter(each, kind, default=otherwise))
    definition.__name__ = name
    definition.__signature__ = inspect.Signature(parameters)
    definition.__doc__ = _described(name, operands, summary, numbers)
    return definition


def _documented(operands, summary, *numbers, example=None):
    """Decorates the definition of an elementwise function: sets its docstring."""

    def decorate(function):
        name = function.__name__.rstrip("_")
        function.__doc__ = _described(name, operands, summary, numbers, example)
        return function

    return decorate


@_documented(1, "e to the power of x, or of x * scale", ("scale", 1.0), example="ttl.exp(x_block, scale=0.5)")
def exp(x, *, scale=None, approx=False, skip_clamp_check=False, iterations=None): ...


@_documented(1, "log(1 + x)")
def logp1(x): ...


@_documented(1, "1 where x is 0, else 0")
def logical_not(x): ...


@_documented(1, "x to the power of n; of integers, n is 0 to 64 and known at compile time", ("n", None),
             example="ttl.pow(x_block, 3)")
def pow_(x, n): ...


@_documented(1, "b - x", ("b", None))
def rsub(x, b): ...


@_documented(1, "x, or x * alpha for negative x", ("alpha", None))
def prelu(x, alpha): ...


@_documented(1, "x, limited to lo..hi", ("lo", -1.0), ("hi", 1.0))
def hardtanh(x, lo=-1.0, hi=1.0): ...


@_documented(1, "x rounded to a number of decimals, ties to even", ("decimals", 0), example="ttl.round(x_block, 2)")
def round_(x, decimals=0): ...


@_documented(2, "the greater of a and b")
def maximum(a, b): ...


@_documented(2, "the smaller of a and b")
def minimum(a, b): ...


@_documented(2, "a to the power of b")
def power(a, b): ...


def typecast(x, dtype):
    """Returns, for each element, x as another type.

    x is a block, or an expression of blocks, of any shape; the result has that shape. dtype is an
    element type of ttnn, torch or numpy, known at compile time. Floats that become integers lose
    their fraction. A float type rounds to its precision at once, without a store.

    Raises a ttl.CompileError for a type that no block can have, at the line of the call.

    Example, in a compute function:

        half = ttl.typecast(x_block, ttnn.int32) // 2
        y_block.store(ttl.typecast(half, ttnn.float32))
    """


def where(cond, a, b):
    """Returns, for each element, a where cond is not 0, else b.

    cond, a and b are blocks or expressions of one shape; all but one may be numbers. The result is
    an expression of that shape. NaN is not 0.

    Raises a ttl.CompileError for blocks of different shapes, or of floats and integers.

    Example, in a compute function:

        y_block.store(ttl.where(ttl.gt(a_block, 0), a_block, b_block))
    """


def mask(x, mask):
    """Returns, for each element, 0 where mask is 1, else x.

    x and mask are blocks or expressions of one shape, of floats; the result has that shape.

    Raises a ttl.CompileError for blocks of different shapes, or of integers.

    Example, in a compute function:

        y_block.store(ttl.mask(a_block, b_block))
    """


def mask_posinf(x, mask):
    """Returns, for each element, +inf where mask is 1, else x.

    x and mask are blocks or expressions of one shape, of floats; the result has that shape.

    Raises a ttl.CompileError for blocks of different shapes, or of integers.

    Example, in a compute function:

        y_block.store(ttl.mask_posinf(a_block, b_block))
    """


DEFINITIONS = {row[0]: _from_row(*row) for row in _api.TILE_FUNCTIONS}
DEFINITIONS |= collect(globals())
