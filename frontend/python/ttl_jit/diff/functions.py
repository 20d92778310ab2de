# SPDX-License-Identifier: Apache-2.0
"""The block functions that generated kernels use: how each is written, and what its operands are.

A *kind* is "f" for blocks of floats and "i" for blocks of integers. A function whose shape rule is
not "same" is written by the method of expressions.Expressions that the rule names.
"""

from dataclasses import dataclass

from ttl import _api


@dataclass(frozen=True)
class Function:
    """A block function. `text` has {0}, {1}, ... for operands and {c}, {d} for numbers. `kinds` has
    a letter for each operand; `result` is the kind of the result."""

    name: str
    text: str
    kinds: str = "f"
    result: str = "f"
    shape: str = "same"
    numbers: str = "any"  # which numbers {c} and {d} are: a key of NUMBERS


# Small numbers keep the results finite for most inputs.
NUMBERS = {
    "any": (-2.5, -1.0, -0.5, 0.25, 0.75, 1.5, 3.0),
    "positive": (0.25, 0.5, 1.0, 2.0),
    "exponent": (0, 1, 2, 3, 5),
    "decimals": (0, 1, 2),
    "integer": (0, 1, 2, 3, 100, 70000),  # unsigned integers take no negative numbers
}

# Arithmetic is written with operators.
_BINARY = [name for name in _api.BINARY if name not in "add sub mul div power".split()]
_OF_INTEGERS = "max min maximum minimum eq ne lt le gt ge".split()
_INTEGER_UNARY = "square abs neg relu logical_not".split()

# Functions whose numbers follow rules, and functions that are no tile operation.
_PARAMETERS = (
    ("exp_scale", "ttl.math.exp({0}, scale={c})", "any"),
    ("exp_approx", "ttl.math.exp({0}, approx=True)", "any"),
    ("pow", "ttl.math.pow({0}, {c})", "exponent"),
    ("rsub", "ttl.math.rsub({0}, {c})", "any"),
    ("relu_max", "ttl.math.relu_max({0}, {c})", "positive"),
    ("relu_min", "ttl.math.relu_min({0}, {c})", "any"),
    ("leaky_relu", "ttl.math.leaky_relu({0}, {c})", "any"),
    ("prelu", "ttl.math.prelu({0}, {c})", "any"),
    ("celu", "ttl.math.celu({0}, {c}, 1 / {c})", "positive"),
    ("selu", "ttl.math.selu({0}, {c}, {d})", "positive"),
    ("clamp", "ttl.math.clamp({0}, -{c}, {d})", "positive"),
    ("hardtanh", "ttl.math.hardtanh({0}, -{c}, {d})", "positive"),
    ("threshold", "ttl.math.threshold({0}, {c}, {d})", "any"),
    ("round", "ttl.math.round({0}, {c})", "decimals"),
)


def _with_numbers():
    """Yields (name, call, kind of numbers) for each tile operation with number parameters that _PARAMETERS does
    not have. The call gives the numbers that have no default; if all have one, it gives the first."""
    known = {name for name, _, _ in _PARAMETERS}
    for name, _, numbers, _ in _api.TILE_FUNCTIONS:
        if numbers and name not in known:
            count = max(1, sum(default is None for _, default in numbers))
            given = ", ".join(("{c}", "{d}")[:count])
            yield name, f"ttl.math.{name}({{0}}, {given})", "positive"


_OPERATORS = (
    ("add", "({0} + {1})"), ("sub", "({0} - {1})"), ("mul", "({0} * {1})"), ("div", "({0} / {1})"),
    ("floordiv", "({0} // {1})"), ("mod", "({0} % {1})"),
)
_SCALARS = (
    ("add_scalar", "({0} + {c})"), ("sub_scalar", "({c} - {0})"), ("mul_scalar", "({0} * {c})"),
    ("div_scalar", "({0} / {c})"),
)


def _element_wise():
    for name in _api.UNARY:
        yield Function(name, f"ttl.math.{name}({{0}})")
    for name, text, numbers in (*_PARAMETERS, *_with_numbers()):
        yield Function(name, text, numbers=numbers)
    for name in _BINARY:
        yield Function(name, f"ttl.math.{name}({{0}}, {{1}})", "ff")
    for name, text in _OPERATORS:
        yield Function(name, text, "ff")
    for name, text in _SCALARS:
        yield Function(name, text)
    yield Function("power", "ttl.math.power({0}, {1})", "ff")
    yield Function("where", "ttl.math.where({0}, {1}, {2})", "fff")
    yield Function("mask", "ttl.math.mask({0}, {1})", "ff")
    yield Function("mask_posinf", "ttl.math.mask_posinf({0}, {1})", "ff")
    for dtype in ("bfloat16", "float16"):
        yield Function(f"typecast_{dtype}", f"ttl.typecast({{0}}, ttnn.{dtype})")
    yield Function("typecast_to_float", "ttl.typecast({0}, ttnn.float32)", "i", "f")


def _of_integers():
    for name in _INTEGER_UNARY:
        yield Function(f"i_{name}", f"ttl.math.{name}({{0}})", "i", "i")
    for name in _OF_INTEGERS:
        yield Function(f"i_{name}", f"ttl.math.{name}({{0}}, {{1}})", "ii", "i")
    for name, text in _OPERATORS:
        yield Function(f"i_{name}", text, "ii", "i")
    for name, text in _SCALARS:
        yield Function(f"i_{name}", text, "i", "i", numbers="integer")
    yield Function("i_pow", "ttl.math.pow({0}, {c})", "i", "i", numbers="exponent")
    yield Function("i_where", "ttl.math.where({0}, {1}, {2})", "iii", "i")
    yield Function("typecast_to_integer", "ttl.typecast({0}, ttnn.int32)", "f", "i")


def _with_shapes():
    for kind, mark in (("f", ""), ("i", "i_")):
        for name in ("reduce_sum", "reduce_max"):
            yield Function(mark + name, f"ttl.math.{name}({{0}}, dims={{dims}})", kind, kind, "reduce")
        yield Function(mark + "broadcast", "ttl.math.broadcast({0}, dims={dims}, shape={shape})", kind,
                       kind, "broadcast")
        yield Function(mark + "unsqueeze", "ttl.squeeze(ttl.unsqueeze({0}, dim=0), dim=0)", kind, kind)
        yield Function(mark + "transpose", "ttl.transpose({0})", kind, kind, "transpose")
        yield Function(mark + "matmul", "({0} @ {1})", kind * 2, kind, "matmul")
    yield Function("reduce_mean", "ttl.math.reduce_mean({0}, dims={dims})", shape="reduce")


FUNCTIONS = {each.name: each for each in (*_element_wise(), *_of_integers(), *_with_shapes())}


def pairs():
    """Returns the pairs (function, function of one of its operands) that kinds allow."""
    return {
        (outer.name, inner.name)
        for outer in FUNCTIONS.values()
        for inner in FUNCTIONS.values()
        if inner.result in outer.kinds
    }
