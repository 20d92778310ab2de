"""ttl.utils.correctness compares results with expected values."""

import numpy as np
import pytest

import ttnn
from ttl.utils.correctness import assert_allclose, assert_pcc, assert_with_ulp, pcc, ulp


def test_closeness_names_the_worst_element():
    expected = np.zeros((2, 3), dtype=np.float32)
    actual = expected.copy()
    actual[1, 2] = 0.5
    assert_allclose(expected, expected)
    assert_allclose(actual, expected, atol=0.5)
    with pytest.raises(AssertionError, match=r"0.5 at \[1, 2\], found 0.5, expected 0"):
        assert_allclose(actual, expected)
    actual[0, 1] = np.nan
    with pytest.raises(AssertionError, match=r"at \[0, 1\], found nan"):
        assert_allclose(actual, expected)


def test_shapes_must_agree():
    for function in (assert_allclose, assert_pcc, assert_with_ulp):
        with pytest.raises(AssertionError, match="different shapes"):
            function(np.zeros(4), np.zeros((2, 2)))


def test_correlation():
    values = np.arange(12.0).reshape(3, 4)
    assert assert_pcc(values, values * 2 + 1) == pytest.approx(1)
    with pytest.raises(AssertionError, match="correlation is -1.000000, expected at least 0.99"):
        assert_pcc(values, -values)
    assert pcc(np.ones(4), np.ones(4)) == 1
    assert pcc(np.ones(4), values.ravel()[:4]) == 0


@pytest.mark.parametrize("dtype, value, expected", [
    ("float32", 1.0, 2.0**-23), ("float32", 1.9999999, 2.0**-23), ("float32", -4.0, 2.0**-21),
    ("float32", 0.0, 2.0**-149), ("bfloat16", 1.0, 2.0**-7), ("bfloat16", 1.999, 2.0**-6),
    ("bfloat16", 3e38, 2.0**120), ("float16", 1e-7, 2.0**-24), ("float64", 1.0, 2.0**-52),
])
def test_ulp(dtype, value, expected):
    assert ulp(value, dtype) == expected


def test_ulp_of_float32_is_numpys():
    values = np.random.default_rng(1).normal(size=1000).astype(np.float32)
    assert np.array_equal(ulp(values), np.spacing(np.abs(values)))


def test_distance_in_ulp():
    expected = np.ones((4, 4), dtype=np.float32)
    actual = expected + 5 * np.float32(2.0**-23)
    assert assert_with_ulp(expected, actual, 5) == (True, "largest distance 5 ulp of float32")
    with pytest.raises(AssertionError, match="5 ulp of float32; expected at most 4"):
        assert_with_ulp(expected, actual, 4)


def test_distance_is_in_the_type_of_the_result():
    expected = ttnn.from_numpy(np.ones((32, 32), dtype=np.float32))
    values = np.full((32, 32), 1 + 2.0**-7, dtype=np.float32)
    actual = ttnn.from_numpy(values, dtype=ttnn.bfloat16)
    assert assert_with_ulp(expected, actual, 1)[1] == "largest distance 1 ulp of bfloat16"


def test_elements_that_are_not_finite_must_be_equal():
    expected = np.array([1, np.inf, np.nan], dtype=np.float32)
    assert assert_with_ulp(expected, expected.copy())[0]
    with pytest.raises(AssertionError, match="not finite"):
        assert_with_ulp(expected, np.array([1, 2, np.nan], dtype=np.float32))
    with pytest.raises(AssertionError, match="inf ulp"):
        assert_with_ulp(expected, np.array([np.nan, np.inf, np.nan], dtype=np.float32))
    assert assert_with_ulp(expected[1:], expected[1:]) == (True, "no finite elements")


def test_torch_tensors():
    torch = pytest.importorskip("torch")
    golden = torch.ones(4, 4, dtype=torch.bfloat16)
    assert assert_with_ulp(golden, golden + 2**-7, 1)[1] == "largest distance 1 ulp of bfloat16"
    assert_allclose(golden, golden)
    assert_pcc(golden, golden)
