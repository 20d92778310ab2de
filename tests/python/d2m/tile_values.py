"""Types of blocks, and the functions of numbers that ops on tiles compute, in float64."""

import math
import re

import ir_text
import numpy as np

UNWRITTEN = 1.75e300  # marks elements that were never written; programs do not compute this value

UNARY = {
    "abs": np.abs, "acos": np.arccos, "asin": np.arcsin, "atan": np.arctan, "ceil": np.ceil, "cos": np.cos,
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "floor": np.floor, "log": np.log, "log1p": np.log1p,
    "sin": np.sin, "sqrt": np.sqrt, "square": np.square, "tan": np.tan, "tanh": np.tanh, "trunc": np.trunc,
    "erf": np.vectorize(math.erf, otypes=[float]), "erfc": np.vectorize(math.erfc, otypes=[float]),
    "eqz": lambda x: x == 0, "nez": lambda x: x != 0, "gtz": lambda x: x > 0, "gez": lambda x: x >= 0,
    "ltz": lambda x: x < 0, "lez": lambda x: x <= 0, "logical_not": lambda x: x == 0,
    "frac": lambda x: x - np.trunc(x), "negative": np.negative, "recip": lambda x: 1 / x,
    "relu": lambda x: np.where(x > 0, x, 0), "rsqrt": lambda x: 1 / np.sqrt(x), "sign": np.sign,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "silu": lambda x: x / (1 + np.exp(-x)),
    "signbit": np.signbit, "softsign": lambda x: x / (1 + np.abs(x)),
    "hardsigmoid": lambda x: np.clip((x + 3) / 6, 0, 1),
    "gelu": lambda x: x * 0.5 * np.vectorize(math.erfc, otypes=[float])(-x / math.sqrt(2)),
}  # fmt: skip
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power, "atan2": np.arctan2,
    "maximum": np.maximum, "minimum": np.minimum, "eq": np.equal, "ne": np.not_equal, "gt": np.greater,
    "lt": np.less, "ge": np.greater_equal, "le": np.less_equal,
}  # fmt: skip


class Unsupported(Exception):
    """Raised for an op or a type that the evaluator does not know."""


def is_unwritten(tile):
    return isinstance(tile, np.ndarray) and tile.size > 0 and bool((tile == UNWRITTEN).all())


class Type:
    def __init__(self, text):
        self.text = text
        inside = re.match(r"(tensor|memref)<(.*)>$", text, flags=re.S)
        if not inside:
            raise Unsupported(text)
        parts = ir_text.split(inside[2])
        shape = re.match(r"((?:\d+x)*)(.*)", parts[0])
        self.shape = [int(extent) for extent in shape[1].split("x") if extent]
        tile = re.match(r"!ttcore.tile<(\d+)x(\d+), (\w+)>", shape[2])
        self.tile = [int(tile[1]), int(tile[2])] if tile else []
        self.format = tile[3] if tile else shape[2]
        layouts = [part for part in parts[1:] if re.match(r"#ttcore\.(metal_layout|shard|interleaved|view)<", part)]
        self.layout = layouts[0] if layouts else None
        self.grid = self.shape[: len(self.shape) // 2] if layouts else []
        self.shard = self.shape[len(self.grid) :]

    def block(self):
        """Returns the type of a block that holds one shard."""
        made = Type(self.text)
        made.shape, made.grid, made.layout = self.shard, [], None
        return made

    def empty(self):
        return np.zeros(self.shape + self.tile)

    def rounded(self, values):
        """Rounds values to the element format, to nearest even."""
        values = np.asarray(values, dtype=np.float64)
        if (values == UNWRITTEN).any():
            return np.where(values == UNWRITTEN, UNWRITTEN, self.rounded(np.where(values == UNWRITTEN, 0, values)))
        if self.format in ("f32", "f16"):
            return values.astype({"f32": np.float32, "f16": np.float16}[self.format]).astype(np.float64)
        if self.format != "bf16":
            return values
        bits = np.atleast_1d(values.astype(np.float32)).view(np.uint32).astype(np.uint64)
        kept = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
        rounded = kept.view(np.float32).astype(np.float64).reshape(values.shape)
        return np.where(np.isnan(values), values, rounded)


class TileBody:
    """Runs the body of a linalg.generic on tiles."""

    def __init__(self, values):
        self.values = values

    def run(self, body):
        for op in body.ops[:-1]:
            self.values[op.results[0]] = self.apply(op)
        return [self.values[name] for name in body.ops[-1].operands]

    def apply(self, op):
        operands = [self.values[name] for name in op.operands]
        name = op.name.removeprefix("d2m.tile_")
        if (name == "matmul" or name.startswith("reduce_")) and is_unwritten(operands[2]):
            operands[2] = np.full(operands[2].shape, -np.inf if name == "reduce_max" else 0.0)
        with np.errstate(all="ignore"):
            return self.compute(name, op, operands)

    def compute(self, name, op, operands):
        if name == "arith.constant":
            return float(op.attrs["value"].split(":")[0])
        if name in UNARY:
            return np.asarray(UNARY[name](operands[0]), dtype=np.float64)
        if name in BINARY:
            return np.asarray(BINARY[name](*operands), dtype=np.float64)
        if name == "where":
            return np.where(operands[0] != 0, operands[1], operands[2])
        if name == "d2m.dst_reinterpret_cast":
            return operands[0]
        if name == "fill":
            return np.full([32, 32], float(operands[0]))
        if name == "transpose":
            return operands[0].T
        if name == "matmul":
            return operands[2] + operands[0] @ operands[1]
        if name == "clamp_scalar":
            low, high = (float(op.attrs[key].split(":")[0]) for key in ("min", "max"))
            return np.clip(operands[0], low, high)
        if name == "bcast":
            kind = re.search(r"tile_bcast_type (\w+)", op.attrs["bcast_type"])[1]
            part = {"none": np.s_[:, :], "row": np.s_[:1, :], "col": np.s_[:, :1], "scalar": np.s_[:1, :1]}[kind]
            return np.broadcast_to(operands[0][part], [32, 32])
        if name.startswith("reduce_"):
            return self.reduce(name, re.search(r"reduce_dim (\w+)", op.attrs["reduce_dim"])[1], operands)
        if name == "typecast":
            return Type(f"tensor<1x{op.result_types[0]}>").rounded(operands[0])
        raise Unsupported(op.name)

    def reduce(self, name, dim, operands):
        axis = {"R": (1,), "C": (0,), "RC": (0, 1)}[dim]
        function = np.max if name == "reduce_max" else np.sum
        part = function(operands[0] * operands[1], axis=axis, keepdims=True)
        place = tuple(slice(0, 1) if d in axis else slice(None) for d in range(2))
        result = np.zeros([32, 32])
        result[place] = part
        before = np.zeros([32, 32])
        before[place] = operands[2][place]
        return np.maximum(result, before) if name == "reduce_max" else result + before
