# SPDX-License-Identifier: Apache-2.0
"""Conversions between numpy arrays and tensors."""

import numpy as np
import pytest

import ttnn

SHAPES = [(), (1,), (40,), (32, 32), (33, 65), (3, 2, 5), (2, 2, 34, 40)]
LAYOUTS = [ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT]


def values_of(shape):
    return np.random.default_rng(1).standard_normal(shape).astype(np.float32)


def to_bfloat16(values):
    """Rounds finite values to bfloat16, to nearest even."""
    bits = np.ascontiguousarray(values).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return bits.astype(np.uint32).view(np.float32).reshape(np.shape(values))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("on_device", [False, True])
def test_round_trip(shape, layout, on_device):
    device = ttnn.open_device() if on_device else None
    values = values_of(shape)
    tensor = ttnn.from_numpy(values, layout=layout, device=device)
    assert tensor.shape == shape and tensor.dtype is ttnn.float32
    result = ttnn.to_numpy(tensor)
    assert result.shape == shape and result.dtype == np.float32
    np.testing.assert_array_equal(result, values)

    rounded = ttnn.from_numpy(values, dtype=ttnn.bfloat16, layout=layout, device=device)
    assert rounded.dtype is ttnn.bfloat16
    result = rounded.to_numpy()
    assert result.shape == shape and result.dtype == np.float32
    np.testing.assert_array_equal(result, to_bfloat16(values))
    assert rounded.bits().dtype == np.uint16


def test_host_tensor_shares_memory():
    values = values_of((5, 7))
    tensor = ttnn.from_numpy(values)
    assert np.shares_memory(tensor.to_numpy(), values)
    values[0, 0] = 42
    assert tensor.to_numpy()[0, 0] == 42
    tensor.to_numpy()[1, 1] = 43
    assert values[1, 1] == 43


def test_shared_memory_outlives_the_array():
    view = ttnn.from_numpy(values_of((5, 7))).to_numpy()
    np.testing.assert_array_equal(view, values_of((5, 7)))


def test_device_tensor_is_a_copy():
    values = values_of((5, 7))
    tensor = ttnn.from_numpy(values, device=ttnn.open_device())
    values[:] = 0
    np.testing.assert_array_equal(tensor.to_numpy(), values_of((5, 7)))
    tensor.to_numpy()[:] = 0
    np.testing.assert_array_equal(tensor.to_numpy(), values_of((5, 7)))


def test_strided_arrays():
    base = values_of((6, 8))
    for view in (base.T, base[::2, 1:5], base[:, ::-1], np.asfortranarray(base)):
        for device in (None, ttnn.open_device()):
            np.testing.assert_array_equal(ttnn.from_numpy(view, device=device).to_numpy(), view)


def test_read_only_arrays_stay_read_only():
    values = values_of((4, 4))
    values.flags.writeable = False
    with pytest.raises(ValueError):
        ttnn.from_numpy(values).to_numpy()[0, 0] = 1


def test_other_byte_order():
    values = values_of((4, 4))
    swapped = values.astype(values.dtype.newbyteorder())
    np.testing.assert_array_equal(ttnn.from_numpy(swapped).to_numpy(), values)


def test_conversion_needs_a_dtype():
    with pytest.raises(ValueError, match="no tensor type exists for a numpy array of int64"):
        ttnn.from_numpy(np.zeros((2, 2), np.int64))
    assert ttnn.from_numpy(np.zeros((2, 2), np.int32)).dtype == ttnn.int32
    for source in (np.float64, np.int64, np.int32, np.float16):
        tensor = ttnn.from_numpy(np.arange(4).astype(source), dtype=ttnn.float32)
        np.testing.assert_array_equal(tensor.to_numpy(), np.arange(4, dtype=np.float32))


def test_float64_becomes_float32():
    values = np.array([1 / 3, 1e300, -1e-300])
    tensor = ttnn.from_numpy(values)
    assert tensor.dtype is ttnn.float32
    np.testing.assert_array_equal(tensor.to_numpy(), np.float32([1 / 3, np.inf, -0.0]))


def test_lists_are_float32():
    tensor = ttnn.from_numpy([[1, 2], [3, 4]])
    assert tensor.dtype is ttnn.float32 and tensor.shape == (2, 2)


def test_special_values_keep_their_bits():
    bits = np.array([0x80000000, 0x7F800000, 0xFF800000, 1, 0x7FC00001, 0xFFC00000], np.uint32)
    tensor = ttnn.from_numpy(bits.view(np.float32), device=ttnn.open_device())
    np.testing.assert_array_equal(tensor.to_numpy().view(np.uint32), bits)


def test_fingerprint_sees_values_only():
    values = values_of((33, 40))
    host = ttnn.from_numpy(values)
    device = ttnn.from_numpy(values, layout=ttnn.ROW_MAJOR_LAYOUT, device=ttnn.open_device())
    assert host.fingerprint() == device.fingerprint()
    values[32, 39] += 1
    assert host.fingerprint() != device.fingerprint()
    # This is the FNV-1a hash of four zero bytes.
    assert ttnn.zeros((1,)).fingerprint() == 0x4D25767F9DCE13F5


def test_numpy_dtypes_are_accepted():
    assert ttnn.zeros((2,), dtype=np.float32).dtype is ttnn.float32


def test_dtypes_are_constants():
    import copy
    import pickle

    assert ttnn.float32 != ttnn.bfloat16 and ttnn.float32 == ttnn.DataType.FLOAT32
    assert copy.deepcopy(ttnn.bfloat16) is ttnn.bfloat16
    assert pickle.loads(pickle.dumps(ttnn.TILE_LAYOUT)) is ttnn.TILE_LAYOUT
    assert {ttnn.float32: 1}[ttnn.zeros((1,)).dtype] == 1
    assert repr(ttnn.bfloat16) == "DataType.BFLOAT16"
    assert ttnn.float32 != "FLOAT32" and ttnn.float32 is not None


def test_repr():
    text = repr(ttnn.full((2, 2), 1.5))
    assert "1.5" in text
    assert "shape=Shape([2, 2]), dtype=DataType.FLOAT32, layout=Layout.TILE" in text
