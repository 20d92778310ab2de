# SPDX-License-Identifier: Apache-2.0
"""Cases that run MLIR modules of the dialect ttir. The reference computes the same in torch or numpy."""

import math
import pathlib

import numpy as np
import ttl
from benchmarks import references
from benchmarks.measure import Case

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "ttir"
HEADS, EPSILON = 4, 1e-5


def torch_block(torch, x, wq, wk, wv, wo, w1, b1, w2, b2, g1, s1, g2, s2):
    functions = torch.nn.functional
    rows, width = x.shape
    q, k, v = ((x @ w).reshape(rows, HEADS, -1).permute(1, 0, 2) for w in (wq, wk, wv))
    attention = torch.softmax(q @ k.transpose(1, 2) * (HEADS / width)**0.5, 2) @ v
    joined = attention.permute(1, 0, 2).reshape(rows, width)
    hidden = functions.layer_norm(x + joined @ wo, (width,), g1, s1, EPSILON)
    inner = functions.gelu(functions.linear(hidden, w1.t(), b1))
    return functions.layer_norm(hidden + functions.linear(inner, w2.t(), b2), (width,), g2, s2, EPSILON)


def numpy_norm(x, weight, bias):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON) * weight + bias


def numpy_block(_, x, wq, wk, wv, wo, w1, b1, w2, b2, g1, s1, g2, s2):
    rows, width = x.shape
    q, k, v = ((x @ w).reshape(rows, HEADS, -1).transpose(1, 0, 2) for w in (wq, wk, wv))
    scores = q @ k.transpose(0, 2, 1) * (HEADS / width)**0.5
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    joined = (powers / powers.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(rows, width)
    hidden = numpy_norm(x + joined @ wo, g1, s1)
    inner = hidden @ w1 + b1
    inner = inner * np.vectorize(math.erfc)(-inner / math.sqrt(2)) / 2
    return numpy_norm(hidden + inner @ w2 + b2, g2, s2)


def transformer_block(quick, function):
    """Returns a case that calls a function of the example's module with numpy arrays."""
    module = ttl.load_mlir(EXAMPLES / "transformer_block.mlir")
    run = module.functions[function]
    arguments = [run.random_argument(n) for n in range(len(run.arguments))]
    # Divide the matrices, so that elements of x @ w are about as large as those of x.
    arguments = [np.float32(each / math.sqrt(len(each) / 3)) if n and each.ndim == 2 else each
                 for n, each in enumerate(arguments)]
    dtype = {"f32": "float32", "bf16": "bfloat16"}[function]
    name, reference = references.torch_or_numpy(torch_block, numpy_block, *arguments, dtype=dtype)
    found = []

    def launch():
        found[:] = [run(*arguments)]

    def check():
        exact = numpy_block(np, *(each.astype(np.float64) for each in arguments))
        error = np.abs(found[0] - exact).max()
        if not error <= (0.1 if function == "bf16" else 1e-4):
            raise SystemExit(f"bench: the module's result is wrong: largest error {error:.2g}")

    return Case(launch=launch, reference=reference, reference_name=name, work=(1, "modules/s"), check=check)
