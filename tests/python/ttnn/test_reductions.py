# SPDX-License-Identifier: Apache-2.0
"""Functions that reduce tensors along dimensions, compared with numpy."""

import numpy as np
import pytest
import ttnn
from golden import DTYPES, assert_rounded, tensor_of

VALUES = np.random.default_rng(5).standard_normal((3, 33, 40))
REDUCTIONS = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod,
              "var": np.var, "std": np.std}


def test_every_function_is_compared():
    from ttnn import reductions

    assert set(reductions.__all__) == set(REDUCTIONS) | {"argmax", "argmin", "cumsum", "cumprod"}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dim", [None, 0, -1, 1, (0, 2), [-1, -2]])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_values(name, dim, dtype):
    tensor, values = tensor_of(VALUES, dtype)
    axis = tuple(dim) if isinstance(dim, list) else dim
    options = {"ddof": 1} if name in ("var", "std") else {}
    for keepdim in (False, True):
        result = getattr(ttnn, name)(tensor, dim=dim, keepdim=keepdim)
        assert result.dtype is dtype
        assert_rounded(result, REDUCTIONS[name](values, axis=axis, keepdims=keepdim, **options))


def test_padding_is_not_used():
    tensor = ttnn.full((3, 33), -2.0, device=ttnn.open_device())
    assert ttnn.max(tensor).item() == -2 and ttnn.mean(tensor).item() == -2
    assert ttnn.sum(tensor).item() == -198


def test_variance_without_correction():
    tensor, values = tensor_of(VALUES)
    assert_rounded(ttnn.var(tensor, dim=1, correction=False), np.var(values, axis=1))


def test_running_sums_and_products():
    tensor, values = tensor_of(VALUES / 2)
    assert_rounded(ttnn.cumsum(tensor, dim=1), np.cumsum(values, axis=1))
    assert_rounded(ttnn.cumprod(tensor, -1), np.cumprod(values, axis=-1))


def test_positions():
    tensor, values = tensor_of(VALUES)
    for name in ("argmax", "argmin"):
        for dim in (None, 1, -1):
            try:
                result = getattr(ttnn, name)(tensor, dim=dim)
            except ValueError as error:
                assert "uint32 are not supported" in str(error)
                result = getattr(ttnn, name)(tensor, dim=dim, dtype=ttnn.float32)
            expected = getattr(np, name)(values, axis=dim)
            np.testing.assert_array_equal(result.to_numpy(), expected)


def test_methods_and_scalar():
    tensor, values = tensor_of(VALUES)
    assert_rounded(tensor.sum(dim=0), values.sum(axis=0))
    assert_rounded(tensor.mean(-1, True), values.mean(axis=-1, keepdims=True))
    assert_rounded(ttnn.sum(tensor, 1, scalar=0.5), values.sum(axis=1) * 0.5)


@pytest.mark.parametrize(
    "dim, error, message",
    [
        (3, ValueError, "dim=3: the tensor has 3 dimensions"),
        ((0, 0), ValueError, "a dimension is named twice"),
        (0.5, TypeError, "dim=0.5: expected an integer"),
        ("x", TypeError, "dim='x': expected an integer"),
    ],
)
def test_refusals(dim, error, message):
    tensor, _ = tensor_of(VALUES)
    with pytest.raises(error, match=message):
        ttnn.sum(tensor, dim=dim)
