"""What the examples do around their kernels: time two launches, compare, print one line."""

import argparse
import sys
import time

import numpy as np
import ttl
import ttnn


def arguments(description):
    """A parser with the option that all examples share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--hash", action="store_true", help="print a hash of the result's bits too")
    return parser


def launch(operation, *args):
    """Runs the operation twice: the milliseconds with compiling and without."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        operation(*args)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def ulps(got, expected, ulp_bits=0):
    """Returns distances, counted in numbers of float32, or of bfloat16 with ulp_bits=16.
    The distance of a NaN from another NaN is 0, and from any other value infinite."""

    def ordinal(x):
        bits = np.ascontiguousarray(x, np.float32).view(np.int32).astype(np.int64) >> ulp_bits
        return np.where(bits < 0, (-(1 << 31) >> ulp_bits) - bits, bits)

    one_nan = np.isnan(got) != np.isnan(expected)
    distance = np.abs(ordinal(got) - ordinal(expected))
    return np.where(one_nan, np.inf, np.where(np.isnan(got), 0, distance))


def attention_golden(q, k, v):
    """Returns softmax(q @ k^T / sqrt(d)) @ v in float64, and the errors allowed in float32 and on the card.
    Rounding goes up and down, so that n roundings move a sum by about sqrt(n) of them."""
    ulp = 2.0**-24
    depth, keys = q.shape[1], k.shape[0]
    scores = q @ k.T / np.sqrt(depth)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    # An error of a score, or of the largest score, is a relative error of the weight exp(score - largest).
    score_error = np.sqrt(depth) * ulp * np.sqrt(q**2 @ k.T**2 / depth)
    relative = 2 * score_error.max(axis=1, keepdims=True) + np.sqrt(keys) * ulp
    # On the card the factors of both products have 10 bits of fraction, and so have sums that move.
    size = weights @ np.abs(v)
    return weights @ v, relative * size, 2.0**-8 * size


def on_card():
    """Returns whether kernels compute with the arithmetic of the card (--numerics=device)."""
    return ttl.numerics() == "device"


def report(name, result, error, allowed, unit, times, print_hash, card=None):
    """Prints name, size, largest error and times; ends the program with 1 if any
    error exceeds what is allowed there (a number or an array of error's shape).
    `card`, for kernels whose result is another one with --numerics=device: the expected values,
    and the error that is allowed with this option."""
    if card is not None and on_card():
        expected, allowed = card
        error, unit = np.abs(ttnn.to_numpy(result).astype(np.float64) - expected), ""
    allowed = np.broadcast_to(allowed, error.shape)
    wrong = np.count_nonzero(~(error <= allowed))
    # The error that is printed as the largest is the one with the largest ratio to its limit.
    with np.errstate(all="ignore"):
        worst = np.argmax(np.where(error == 0, 0, np.abs(error / allowed)))
    size = "x".join(str(extent) for extent in result.shape)
    print(
        f"{name} {size} {result.dtype.name.lower()}: "
        f"max error {error.flat[worst]:.4g}{unit} (allowed {allowed.flat[worst]:.4g}), "
        f"first launch {times[0]:.1f} ms, warm {times[1]:.1f} ms"
    )
    if print_hash:
        print(f"hash {result.fingerprint():016x}")
    if wrong:
        sys.exit(f"{name}: {wrong} of {error.size} elements are wrong")
