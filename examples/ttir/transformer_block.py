"""A transformer block that tt-mlir's TTIR describes: transformer_block.mlir, in Float32 and bfloat16.

The compiler makes 30 kernels of the first and 34 of the second. The exact result is that of numpy in float64."""

import math
import pathlib
import sys

import numpy as np
import ttl
import ttnn

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))  # the folder of check.py
from check import arguments, launch, report  # noqa: E402

MODULE = FOLDER / "transformer_block.mlir"
HEADS = 4
EPSILON = 1e-5
# The largest error in units in the last place of numbers near 1. A norm divides by the spread of 256
# numbers, each of which has the errors of sums of up to 512 products.
ALLOWED = {"f32": 64 * 2.0**-23, "bf16": 6 * 2.0**-8}
# The same with the arithmetic of the card: its registers for factors, and for sums that are moved, have
# 10 bits of fraction, or as many as bfloat16.
ALLOWED_ON_CARD = {"f32": 64 * 2.0**-10, "bf16": 16 * 2.0**-8}


def norm(x, weight, bias):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON) * weight + bias


def golden(x, wq, wk, wv, wo, w1, b1, w2, b2, g1, s1, g2, s2):
    rows, width = x.shape
    q, k, v = ((x @ w).reshape(rows, HEADS, -1).transpose(1, 0, 2) for w in (wq, wk, wv))
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(width / HEADS)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    attention = (powers / powers.sum(-1, keepdims=True)) @ v
    hidden = norm(x + attention.transpose(1, 0, 2).reshape(rows, width) @ wo, g1, s1)
    inner = hidden @ w1 + b1
    inner = inner * np.vectorize(math.erfc)(-inner / math.sqrt(2)) / 2
    return norm(hidden + inner @ w2 + b2, g2, s2)


def tensors_of(function):
    """Returns random arguments. Matrices are so scaled that a product is about as large as its row of x."""
    arrays = [function.random_argument(n) for n in range(len(function.arguments))]
    scaled = [each / math.sqrt(len(each) / 3) if n and each.ndim == 2 else each for n, each in enumerate(arrays)]
    dtype = ttnn.bfloat16 if function.name == "bf16" else ttnn.float32
    return [ttnn.from_numpy(each, dtype=dtype, layout=ttnn.TILE_LAYOUT) for each in scaled]


def main():
    options = arguments(__doc__).parse_args()
    for function in ttl.load_mlir(MODULE).functions.values():
        tensors, found = tensors_of(function), []
        times = launch(lambda *given: found.append(function(*given)), *tensors)
        expected = golden(*(ttnn.to_numpy(each).astype(np.float64) for each in tensors))
        error = np.abs(ttnn.to_numpy(found[-1]) - expected)
        size = np.maximum(1, np.abs(expected))
        report(f"transformer_block {function.name}", found[-1], error, ALLOWED[function.name] * size, "", times,
               options.hash, card=(expected, ALLOWED_ON_CARD[function.name] * size))


main()
