"""tile_rows.py KIND: print a test with one op for each row of hw/facts/TileOps.def. KIND is block or
tile (ops of ttl), or call (ops of ttkernel, with their initialisations)."""
# SPDX-License-Identifier: Apache-2.0

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "metalium"))

from headers import tile_rows

OPERANDS = {"TILE_BINARY": 2, "TILE_MASK": 2, "TILE_TERNARY": 3}
TILE = "!ttcore.tile<32x32, f32>"
BLOCK = f"!block = !ttl.block<tensor<1x1x{TILE}>, !ttl.cb<[1, 1], {TILE}, 2>>\n"


def operands_of(macro, fields, operand):
    """Returns the (value, type) of each operand, if blocks, tiles or registers are `operand`."""
    numbers = int(fields[5]) if macro == "TILE_UNARY_PARAM" else 0
    integer = [("%n", "i32")] if macro == "TILE_UNARY_INT" else []
    return [operand] * OPERANDS.get(macro, 1) + [("%p", "f32")] * numbers + integer


def pair(operands):
    """Returns the values and the types, each separated by commas."""
    return tuple(", ".join(each) for each in zip(*operands))


def value_op(kind, operand, attributes, result):
    """Returns a function that gives the ops of a row: one op of ttl on blocks or on tiles."""

    def ops(macro, fields):
        values, types = pair(operands_of(macro, fields, operand))
        yield f"%{fields[1]} = ttl.{kind}_{fields[1]} {values}{attributes} : ({types}) -> {result}"

    return ops


def calls():
    """Returns a function that gives the ops of a row: its call, after the first call of its init."""
    known = set()

    def ops(macro, fields):
        call, init = fields[2], fields[3]
        # A register is a number, and the result of TILE_BINARY and TILE_TERNARY needs one more.
        result = [("%d", "i32")] * (macro in ("TILE_BINARY", "TILE_TERNARY"))
        values, types = pair(operands_of(macro, fields, ("%d", "i32")) + result)
        if init not in known:
            known.add(init)
            yield f"ttkernel.{init}() : () -> ()"
        yield f"ttkernel.{call}({values}) : ({types}) -> ()"

    return ops


# The types before the function, its first argument, and the ops of a row.
KINDS = {
    "block": (BLOCK, "%a: !block", value_op("block", ("%a", "!block"), "", f"tensor<1x1x{TILE}>")),
    "tile": ("", f"%a: {TILE}", value_op("tile", ("%a", TILE), " {dst_idx = 0 : i32}", TILE)),
    "call": ("", "%d: i32", calls()),
}


def expected(op):
    """The line that must be printed for an op, in FileCheck's notation. Results and operands have
    other names there."""
    words = op.split(" = ", 1)[1] if op.startswith("%") else op
    return re.sub(r"%\w", "%{{.+}}", words)


def text_of(kind):
    types, argument, ops = KINDS[kind]
    yield f"{types}// CHECK-LABEL: func.func @rows"
    yield f"func.func @rows({argument}, %p: f32, %n: i32) {{"
    for macro, fields in tile_rows():
        for op in ops(macro, fields):
            yield f"  // CHECK: {expected(op)}\n  {op}"
    yield "  return\n}"


if __name__ == "__main__":
    print("\n".join(text_of(sys.argv[1])))
