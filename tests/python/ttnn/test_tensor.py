# SPDX-License-Identifier: Apache-2.0
"""Methods and operators of a tensor, and access to its elements."""

import operator

import numpy as np
import pytest
import ttnn
from golden import assert_rounded, tensor_of

VALUES = np.random.default_rng(9).standard_normal((4, 6)).astype(np.float32)


@pytest.fixture(params=["host", "device"])
def device(request):
    return ttnn.open_device() if request.param == "device" else None


@pytest.mark.parametrize(
    "function",
    [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
     operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge],
)
def test_binary_operators(function, device):
    (a, x), (b, y) = tensor_of(VALUES, device=device), tensor_of(VALUES[::-1], device=device)
    result = function(a, b)
    assert isinstance(result, ttnn.Tensor) and result.device() is device
    assert_rounded(result, function(x, y))
    assert_rounded(function(a, 0.5), function(x, 0.5))
    assert_rounded(function(2, b), function(2.0, y))


def test_other_operators():
    a, x = tensor_of(np.abs(VALUES) + 0.5)
    assert_rounded(-a, -x)
    assert_rounded(abs(-a), x)
    assert_rounded(a**2, x**2)
    assert_rounded(2**a, 2**x)
    assert_rounded(a % 0.25, np.mod(x, 0.25))
    assert_rounded(a**a, x**x)
    assert +a is a
    a += 1
    assert_rounded(a, x + 1)


def test_comparison_with_anything_else_is_identity():
    a = ttnn.ones((2, 2))
    assert (a == None) is False and (a != None) is True and a not in (None, "x")  # noqa: E711
    assert a != "x" and a is not None
    assert {a: 1}[a] == 1 and len({a, ttnn.ones((2, 2))}) == 2


def test_truth():
    assert ttnn.ones((1, 1)) and not ttnn.zeros((1,))
    with pytest.raises(ValueError, match="is neither true nor false; test `is not None`"):
        bool(ttnn.ones((2,)))


def test_elements(device):
    tensor = ttnn.from_numpy(VALUES, device=device)
    for index in (0, -1, (1, 2), slice(1, 3), (slice(None), 0), (..., slice(0, 6, 2)), None):
        part = tensor[index]
        assert isinstance(part, ttnn.Tensor) and part.device() is device
        assert part.dtype is tensor.dtype and part.layout is tensor.layout
        np.testing.assert_array_equal(part.to_numpy(), VALUES[index])
    assert len(tensor) == 4 and [row.shape for row in tensor] == [(6,)] * 4
    with pytest.raises(IndexError):
        tensor[4]
    with pytest.raises(TypeError, match="has no dimensions"):
        len(ttnn.from_numpy(np.float32(1)))


def test_elements_are_written(device):
    tensor = ttnn.from_numpy(VALUES.copy(), dtype=ttnn.bfloat16, device=device)
    tensor[0] = 1
    tensor[1:3, 2] = ttnn.full((2,), 2.5)
    tensor[3, :2] = np.array([3, 4])
    expected = ttnn.from_numpy(VALUES, dtype=ttnn.bfloat16).to_numpy().copy()
    expected[0], expected[1:3, 2], expected[3, :2] = 1, 2.5, [3, 4]
    np.testing.assert_array_equal(tensor.to_numpy(), expected)


def test_parts_have_memory_of_their_own():
    values = VALUES.copy()
    ttnn.from_numpy(values)[0].to_numpy()[...] = 9
    np.testing.assert_array_equal(values, VALUES)


def test_numpy_reads_tensors(device):
    tensor = ttnn.from_numpy(VALUES, dtype=ttnn.bfloat16, device=device)
    assert np.asarray(tensor).dtype == np.float32
    np.testing.assert_array_equal(np.asarray(tensor), tensor.to_numpy())
    assert np.asarray(tensor, dtype=np.float64).dtype == np.float64
    assert np.allclose(tensor, VALUES, rtol=1e-2)


def test_single_values():
    tensor = ttnn.full((1, 1), 2.5)
    assert tensor.item() == 2.5 and float(tensor) == 2.5 and int(tensor) == 2
    assert isinstance(tensor.item(), float)
    assert ttnn.from_numpy(VALUES).to_list() == VALUES.tolist()
    with pytest.raises(ValueError, match="expected a tensor with one element"):
        ttnn.ones((2,)).item()


def test_attributes(device):
    tensor = ttnn.zeros((3, 33, 40), dtype=ttnn.bfloat16, device=device)
    assert tensor.padded_shape == (3, 64, 64) and tensor.volume() == tensor.numel() == 3960
    assert tensor.logical_volume() == 3960 and tensor.element_size() == 2
    assert tensor.get_dtype() is ttnn.bfloat16 and tensor.get_layout() is ttnn.TILE_LAYOUT
    assert tensor.tile == ttnn.Tile() and not tensor.is_sharded() and tensor.is_allocated()
    assert ttnn.zeros((40,)).padded_shape == (32, 64)
    assert ttnn.zeros((3, 5), layout=ttnn.ROW_MAJOR_LAYOUT).padded_shape == (3, 5)
    assert ttnn.core.has_tile_padding(tensor)
    assert not ttnn.core.has_tile_padding(ttnn.ones((32, 64)))
    is_on_device = ttnn.core.has_storage_type_of(tensor, ttnn.StorageType.DEVICE)
    assert is_on_device == (device is not None)


def test_functions_are_methods():
    tensor, values = tensor_of(VALUES)
    assert_rounded(tensor.transpose(0, 1), values.T)
    assert_rounded(tensor.unsqueeze(0).squeeze(0), values)
    assert_rounded(tensor.add(1), values + 1)
    assert_rounded(tensor.matmul(tensor.transpose()), values @ values.T)
    assert_rounded(tensor.softmax(dim=0).sum(0), np.ones(6))
    assert "a + b" in ttnn.Tensor.add.__doc__


def test_tile():
    assert ttnn.Tile().tile_shape == [32, 32] and ttnn.Tile().face_shape == [16, 16]
    assert ttnn.Tile((32, 32)) == ttnn.Tile() and ttnn.Tile().num_faces == 4
    sizes = [ttnn.Tile().get_tile_size(dtype) for dtype in
             (ttnn.float32, ttnn.bfloat16, ttnn.uint8, ttnn.bfloat8_b, ttnn.bfloat4_b)]
    assert sizes == [4096, 2048, 1024, 1088, 576]
    with pytest.raises(ValueError, match="32 rows and 32 columns"):
        ttnn.Tile((16, 32))


def test_shape_ranks():
    shape = ttnn.Shape([1, 1, 3, 4])
    assert shape.to_rank(2) == (3, 4) and shape.to_rank(6) == (1, 1, 1, 1, 3, 4)
    assert shape.volume() == 12 and isinstance(shape.to_rank(2), ttnn.Shape)
    with pytest.raises(ValueError, match="only leading extents of 1"):
        shape.to_rank(1)
