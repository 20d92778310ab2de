# SPDX-License-Identifier: Apache-2.0
"""Golden results of operators on tensors, compared with numpy."""

import operator

import numpy as np
import pytest

import ttnn

RNG = np.random.default_rng(2)
A = RNG.standard_normal((33, 40)).astype(np.float32)
B = RNG.standard_normal((33, 40)).astype(np.float32)


@pytest.fixture(params=["host", "device"])
def device(request):
    return ttnn.open_device() if request.param == "device" else None


@pytest.mark.parametrize("function", [operator.add, operator.sub, operator.mul])
@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16])
def test_elementwise(function, dtype, device):
    a = ttnn.from_numpy(A, dtype=dtype, device=device)
    b = ttnn.from_numpy(B, dtype=dtype, device=device)
    x, y = a.to_numpy(), b.to_numpy()
    for result, exact in [
        (function(a, b), function(x, y)),
        (function(a, 3), function(x, np.float32(3))),
        (function(0.5, a), function(np.float32(0.5), x)),
    ]:
        assert result.dtype is dtype and result.device() is device and result.shape == a.shape
        rounded = ttnn.from_numpy(exact, dtype=dtype).to_numpy()
        np.testing.assert_array_equal(result.to_numpy(), rounded)


@pytest.mark.parametrize("dtype, tolerance", [(ttnn.float32, 1e-5), (ttnn.bfloat16, 2.0**-8)])
def test_matmul(dtype, tolerance, device):
    a = ttnn.from_numpy(A, dtype=dtype, device=device)
    b = ttnn.from_numpy(B.T, dtype=dtype, device=device)
    result = a @ b
    assert result.shape == (33, 33) and result.dtype is dtype
    exact = a.to_numpy().astype(np.float64) @ b.to_numpy().astype(np.float64)
    bound = tolerance * (np.abs(a.to_numpy()) @ np.abs(b.to_numpy()))
    assert (np.abs(result.to_numpy() - exact) <= bound).all()


def test_padding_is_not_used(device):
    a = ttnn.ones((33, 40), device=device)
    b = ttnn.ones((40, 7), device=device)
    np.testing.assert_array_equal((a @ b).to_numpy(), np.full((33, 7), 40, np.float32))


def test_layout_is_kept():
    a = ttnn.ones((4, 4), layout=ttnn.ROW_MAJOR_LAYOUT)
    assert (a + a).layout is ttnn.ROW_MAJOR_LAYOUT


def test_operands_must_agree():
    a = ttnn.ones((4, 4))
    with pytest.raises(ValueError, match=r"add\(\): shapes \(4, 4\) and \(3, 4\)"):
        a + ttnn.ones((3, 4))
    with pytest.raises(ValueError, match=r"matmul\(\): shapes \(4, 4\) and \(3, 4\) do not fit"):
        a @ ttnn.ones((3, 4))
    with pytest.raises(TypeError):
        a @ 3
    with pytest.raises(TypeError):
        a + "1"
    for left, right in ((a, np.ones((4, 4))), (np.ones((4, 4)), a)):
        with pytest.raises(TypeError, match="from_numpy"):
            left + right


def test_overflow_gives_infinity():
    large = ttnn.full((2, 2), 3e38)
    assert np.isinf((large + large).to_numpy()).all()
