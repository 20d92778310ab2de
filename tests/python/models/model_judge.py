# ===- model_judge.py - compares a module's values with the evaluator ---------=== #
# SPDX-License-Identifier: Apache-2.0

import numpy as np

import model_evaluator
import ttl

# Rounding errors of these ops add up: the allowed error also depends on the greatest value of the result.
SUMS = ("sum", "mean", "matmul", "linear", "dot_general", "softmax", "layer_norm", "rms_norm", "cumsum",
        "cumprod", "prod", "gelu_bw", "scatter", "conv2d", "conv_transpose2d", "avg_pool2d", "global_avg_pool2d")


def rounded_to(values, element):
    """Returns exact values as integers or truth values of the type; values of float types stay exact."""
    if element == "i1":
        return np.asarray(values != 0, bool)
    if model_evaluator.is_float(element):
        return np.asarray(values, np.float64)
    flat = [model_evaluator.wrap(int(value), element) for value in np.asarray(values, object).reshape(-1)]
    return np.array(flat, object).reshape(np.shape(values))


def assert_close(op, found, exact, element):
    """Integers must be exact. Floats may be some units in the last place off, and infinite if the value is
    near the largest one of the type."""
    exact = np.asarray(exact)
    if exact.dtype.kind == "f" and element in model_evaluator.BITS:
        # An integer conversion may give any result for a float that is outside the integer's range.
        fits = np.isfinite(exact) & (np.abs(exact) < 2.0 ** (model_evaluator.BITS[element] - 1))
        exact = np.where(fits, exact, np.asarray(found, np.float64))
    wanted = rounded_to(exact, element)
    if not model_evaluator.is_float(element):
        assert np.array_equal(np.asarray(found, object), np.asarray(wanted, object)), (op, found, wanted)
        return
    digits = model_evaluator.FLOATS[element]
    found = np.asarray(found, np.float64)
    finite = np.isfinite(wanted)
    with np.errstate(all="ignore"):
        bound = np.abs(wanted) * 2.0 ** (1 - digits) + 2.0 ** -22 * np.abs(wanted) * 8 + 1e-7
        if op.name in SUMS:
            bound = bound + 4e-6 * max(1.0, np.abs(wanted[finite]).max(initial=0))
        large = np.abs(wanted) > 3e38
        same = (found == wanted) | (np.isnan(found) & np.isnan(wanted)) | large
        close = same | (finite & (np.abs(found - wanted) <= bound))
    assert close.all(), (op, element, found[~close][:5], wanted[~close][:5])


def check_values(module, arguments, values):
    """Compares each op's results with what the evaluator computes from the op's operands in this run."""
    known = dict(enumerate(arguments))
    known.update(values)
    for op in module.ops:
        kinds = [module.types[n] for n in op.operands]
        results = [module.types[n] for n in op.results]
        exact = model_evaluator.evaluate(op, kinds, [known[n] for n in op.operands], results)
        for number, value, kind in zip(op.results, exact, results):
            assert known[number].shape == kind.shape, (op, known[number].shape)
            assert_close(op, known[number], value, kind.element)


def run(module, arguments, returned, engine="jit", grid=None):
    """Runs a module; returns {number: value} for the values that it returns."""
    model = ttl.load_mlir(module.text(returned), options=f"--engine={engine}", grid=grid)
    found = model.main(*arguments)
    return dict(zip(returned, found if len(returned) > 1 else (found,)))


def bits_of(array):
    return np.ascontiguousarray(array).tobytes()
