"""Compares tensors with exact results.

ttnn computes a result in double precision, rounds it to float32, and then to the tensor's type.
Each rounding changes it by at most half a unit in the last place (ulp), so the tests allow a
difference of one ulp of the tensor's type.
"""

import numpy as np
import ttnn

EPSILON = {ttnn.float32: 2.0**-23, ttnn.bfloat16: 2.0**-7}
SMALLEST = {ttnn.float32: 2.0**-149, ttnn.bfloat16: 2.0**-133}
DTYPES = list(EPSILON)


def tensor_of(values, dtype=ttnn.float32, **options):
    """Returns a tensor of the values, and the values that it stores as a float64 array."""
    tensor = ttnn.from_numpy(np.asarray(values, np.float32), dtype=dtype, **options)
    return tensor, tensor.to_numpy().astype(np.float64)


def assert_rounded(result, exact):
    """Checks that the tensor has the exact values, rounded to its type."""
    exact = np.asarray(exact, np.float64)
    found = result.to_numpy().astype(np.float64)
    assert found.shape == exact.shape == tuple(result.shape)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
    with np.errstate(all="ignore"):
        ulp = np.maximum(np.abs(exact) * EPSILON[result.dtype], SMALLEST[result.dtype])
        largest = np.finfo(np.float32).max * (1 + EPSILON[result.dtype] / 2)
        overflows = np.abs(exact) >= largest
        close = (np.abs(found - exact) <= ulp) | np.isnan(exact) | (found == exact)
        close |= overflows & np.isinf(found) & (np.sign(found) == np.sign(exact))
    assert close.all(), (found[~close][:5], exact[~close][:5])
