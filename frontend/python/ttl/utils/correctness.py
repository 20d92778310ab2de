# ===- correctness.py - compares results with expected ones -------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Every function accepts ttnn tensors, torch tensors, numpy arrays and sequences.
# ===--------------------------------------------------------------------------=== #

import math
import sys

import numpy as np

# For each float type: (bits of its mantissa, exponent of its smallest normal number).
FLOATS = {
    "float64": (52, -1022),
    "float32": (23, -126),
    "float16": (10, -14),
    "bfloat16": (7, -126),
}


def _values(tensor):
    """Returns the elements as a numpy array of float64."""
    if hasattr(tensor, "to_numpy"):
        return np.asarray(tensor.to_numpy(), dtype=np.float64)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(tensor, torch.Tensor):
        return tensor.detach().cpu().to(torch.float64).numpy()
    return np.asarray(tensor, dtype=np.float64)


def _dtype_name(tensor):
    """Returns the name of the element type as in FLOATS; float32 for every other type."""
    dtype = getattr(tensor, "dtype", None)
    name = str(getattr(dtype, "name", dtype)).rpartition(".")[2].lower()
    return name if name in FLOATS else "float32"


def _pair(expected, actual):
    """Returns both as arrays; fails if their shapes differ."""
    expected, actual = _values(expected), _values(actual)
    assert expected.shape == actual.shape, (
        f"the tensors have different shapes: {expected.shape} and {actual.shape}"
    )
    return expected, actual


# ===--------------------------------------------------------------------------=== #
# Closeness
# ===--------------------------------------------------------------------------=== #


def assert_close(expected, actual, rtol, atol):
    """Fails at the element with the largest difference, unless all elements are close."""
    expected, actual = _pair(expected, actual)
    if np.allclose(actual, expected, rtol=rtol, atol=atol):
        return
    with np.errstate(invalid="ignore"):
        differences = np.abs(actual - expected)
    worst = np.unravel_index(np.argmax(np.nan_to_num(differences, nan=np.inf)), expected.shape)
    place = [int(index) for index in worst]
    raise AssertionError(
        f"tensors are not close: largest difference {differences[worst]:g} at {place}, found "
        f"{actual[worst]:g}, expected {expected[worst]:g} (rtol={rtol:g}, atol={atol:g})"
    )


def assert_allclose(actual, expected, rtol=1e-5, atol=1e-8, verbose=True):
    """Fails unless all elements are close: |actual - expected| <= atol + rtol * |expected|."""
    assert_close(expected, actual, rtol, atol)


# ===--------------------------------------------------------------------------=== #
# Correlation
# ===--------------------------------------------------------------------------=== #


def pcc(expected, actual):
    """Returns Pearson's correlation of all elements. If one of the tensors is constant, it is 1 if they
    are close, otherwise 0."""
    expected, actual = (values.ravel() for values in _pair(expected, actual))
    if np.ptp(expected) == 0 or np.ptp(actual) == 0:
        return 1.0 if np.allclose(expected, actual) else 0.0
    with np.errstate(invalid="ignore"):
        return float(np.corrcoef(expected, actual)[0, 1])


def assert_pcc(golden, actual, threshold=0.99):
    """Fails unless Pearson's correlation is at least the threshold; returns it."""
    found = pcc(golden, actual)
    assert found >= threshold, f"the correlation is {found:.6f}, expected at least {threshold}"
    return found


# ===--------------------------------------------------------------------------=== #
# Units in the last place
# ===--------------------------------------------------------------------------=== #


def ulp(values, dtype="float32"):
    """Returns the distance from each value, rounded to the type, to the next larger magnitude."""
    mantissa, smallest = FLOATS[dtype]
    values = np.asarray(values, dtype=np.float64)
    fractions, exponents = np.frexp(np.abs(values))
    # frexp returns fractions from 0.5 to 1. Rounding may carry into the exponent.
    exponents = exponents - 1 + (np.rint(np.ldexp(fractions, mantissa + 1)) == 2 ** (mantissa + 1))
    exponents = np.where(values == 0, smallest, np.maximum(exponents, smallest))
    return np.ldexp(1.0, exponents - mantissa)


def assert_with_ulp(expected_result, actual_result, ulp_threshold=10, allow_nonfinite=False):
    """Fails unless every element differs from the expected one by at most this many ulp. One ulp
    is that of the actual tensor's type at the expected value. Elements that are not finite must be
    equal. allow_nonfinite has no effect; scripts may pass it. Returns (True, a text with the
    largest distance)."""
    dtype = _dtype_name(actual_result)
    expected, actual = _pair(expected_result, actual_result)
    finite = np.isfinite(expected)
    same = np.array_equal(expected[~finite], actual[~finite], equal_nan=True)
    assert same, "the tensors differ where the expected elements are not finite"
    if not finite.any():
        return True, "no finite elements"
    distances = np.abs(actual[finite] - expected[finite]) / ulp(expected[finite], dtype)
    largest = math.inf if np.isnan(distances).any() else float(distances.max())
    text = f"largest distance {largest:g} ulp of {dtype}"
    assert largest <= ulp_threshold, f"{text}; expected at most {ulp_threshold}"
    return True, text
