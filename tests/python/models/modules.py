# ===- modules.py - text of modules of ttir -----------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Tests build modules from these objects and print them in tt-mlir's form. The evaluator, model_evaluator.py,
# uses the same objects, so that it need not parse text.
# ===--------------------------------------------------------------------------=== #

import collections

# The type of a value: its extents, and the name of its element type.
Type = collections.namedtuple("Type", "shape element")

# An op. Its operands and results are numbers of values. `text` is its attributes as MLIR prints them,
# `attributes` is a dict of their values.
Op = collections.namedtuple("Op", "name operands attributes text results")


def type_text(kind):
    return f"tensor<{''.join(f'{extent}x' for extent in kind.shape)}{kind.element}>"


def integers(values, wide=False):
    """Returns the text of a list of integers: [1 : i32, 2 : i32], or array<i64: 1, 2> if wide."""
    if wide:
        return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"
    return f"[{', '.join(f'{value} : i32' for value in values)}]"


class Module:
    """A module with one function, @main, to which ops can be added."""

    def __init__(self, arguments):
        self.types, self.arguments, self.ops = list(arguments), len(arguments), []

    def add(self, name, operands, results, attributes=None, text=""):
        """Adds an op; returns the numbers of its results. `text` is the text of its attributes."""
        numbers = [*range(len(self.types), len(self.types) + len(results))]
        self.types.extend(results)
        self.ops.append(Op(name, list(operands), attributes or {}, text, numbers))
        return numbers

    def text(self, returned):
        arguments = ", ".join(f"%{n}: {type_text(self.types[n])}" for n in range(self.arguments))
        kinds = ", ".join(type_text(self.types[n]) for n in returned)
        lines = [f"func.func @main({arguments}) -> ({kinds}) {{", *map(self._op_text, self.ops),
                 f"  return {', '.join(f'%{n}' for n in returned)} : {kinds}", "}"]
        return "\n".join(lines) + "\n"

    def _op_text(self, op):
        def types(numbers):
            return ", ".join(type_text(self.types[n]) for n in numbers)

        operands = ", ".join(f"%{n}" for n in op.operands)
        results = ", ".join(f"%{n}" for n in op.results)
        kinds = types(op.results) if len(op.results) == 1 else f"({types(op.results)})"
        attributes = f" <{{{op.text}}}>" if op.text else ""
        return f'  {results} = "ttir.{op.name}"({operands}){attributes} : ({types(op.operands)}) -> {kinds}'
