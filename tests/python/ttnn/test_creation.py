# SPDX-License-Identifier: Apache-2.0
"""Functions that create a tensor of a given shape."""

import numpy as np
import pytest

import ttnn


@pytest.fixture(params=["host", "device"])
def device(request):
    return ttnn.open_device(device_id=0) if request.param == "device" else None


@pytest.mark.parametrize("dtype", [ttnn.float32, ttnn.bfloat16])
@pytest.mark.parametrize("layout", [ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT])
def test_values_and_attributes(device, dtype, layout):
    for make, value in [(ttnn.zeros, 0), (ttnn.ones, 1)]:
        tensor = make((33, 40), dtype=dtype, layout=layout, device=device)
        assert tensor.shape == (33, 40)
        assert tensor.dtype is dtype
        assert tensor.layout is layout
        assert tensor.device() is device
        assert tensor.memory_config() == ttnn.DRAM_MEMORY_CONFIG
        np.testing.assert_array_equal(tensor.to_numpy(), np.full((33, 40), value, np.float32))
    assert ttnn.empty((5, 6), dtype=dtype, layout=layout, device=device).shape == [5, 6]
    half = ttnn.full((2, 3), 0.5, dtype=dtype, layout=layout, device=device)
    np.testing.assert_array_equal(half.to_numpy(), np.full((2, 3), 0.5, np.float32))


def test_float32_in_tiles_is_the_default():
    tensor = ttnn.zeros((2, 3))
    assert tensor.dtype is ttnn.float32
    assert tensor.layout is ttnn.TILE_LAYOUT


def test_rand_lies_in_its_range():
    values = ttnn.rand((100, 100), low=-2.0, high=3.0).to_numpy()
    assert values.min() >= -2 and values.max() <= 3
    assert values.min() < -1.9 and values.max() > 2.9


def test_rand_repeats_after_manual_seed():
    ttnn.manual_seed(5)
    first, second = ttnn.rand((4, 4)).to_numpy(), ttnn.rand((4, 4)).to_numpy()
    ttnn.manual_seed(5)
    np.testing.assert_array_equal(ttnn.rand((4, 4)).to_numpy(), first)
    assert (first != second).any()
    np.testing.assert_array_equal(ttnn.rand((4, 4), seed=5).to_numpy(), first)


def test_shape_is_a_tuple_that_equals_lists():
    shape = ttnn.zeros(ttnn.Shape([2, 3, 4])).shape
    assert shape == (2, 3, 4) and shape == [2, 3, 4] and shape != [2, 3]
    assert shape.rank == 3 and shape[-1] == 4
    assert repr(shape) == "Shape([2, 3, 4])"
    rows, columns = shape[1:]
    assert (rows, columns) == (3, 4)


def test_buffer_addresses_differ():
    device = ttnn.open_device()
    a, b = ttnn.zeros((32, 32), device=device), ttnn.zeros((32, 32), device=device)
    assert a.buffer_address() != b.buffer_address()
    with pytest.raises(ValueError, match="no buffer address"):
        ttnn.zeros((32, 32)).buffer_address()


def test_device_reports_its_grid():
    device = ttnn.open_device(device_id=0)
    grid = device.compute_with_storage_grid_size()
    assert (grid.x, grid.y) == tuple(grid)
    assert grid.x >= 1 and grid.y >= 1
    ttnn.synchronize_device(device)
    ttnn.close_device(device)
    with pytest.raises(ValueError, match="only device 0"):
        ttnn.open_device(device_id=1)


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (dict(dtype=ttnn.bfloat8_b, layout=ttnn.ROW_MAJOR_LAYOUT), ValueError, "share an exponent"),
        (dict(dtype="nonsense"), TypeError, "'nonsense' is not a tensor type"),
        (dict(memory_config=ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED)), ValueError,
         "a tensor in DRAM height sharded memory must have shards"),
        (dict(memory_config="DRAM"), TypeError, "expected ttnn.DRAM_MEMORY_CONFIG"),
        (dict(layout="tile"), TypeError, "expected ttnn.TILE_LAYOUT"),
        (dict(device=0), TypeError, "expected a device from ttnn.open_device"),
    ],
)
def test_refusals(arguments, error, message):
    for make in (ttnn.zeros, ttnn.ones, ttnn.rand, ttnn.empty):
        with pytest.raises(error, match=message):
            make((32, 32), **arguments)


@pytest.mark.parametrize(
    "shape, error", [((2, 0), ValueError), (5, TypeError), ((2.5,), TypeError)]
)
def test_shapes_that_cannot_be(shape, error):
    with pytest.raises(error, match="shape|extent"):
        ttnn.zeros(shape, device=ttnn.open_device())


@pytest.mark.parametrize("value", ["1", None, 10**400, [1]])
def test_values_that_are_no_numbers(value):
    with pytest.raises(TypeError, match="fill_value=.*expected a number"):
        ttnn.full((2,), value)


def test_too_large_for_the_device():
    device = ttnn.open_device()
    with pytest.raises(ValueError, match="has no room for"):
        ttnn.empty((1 << 20, 1 << 20), device=device)
    assert ttnn.ones((2, 2), device=device).to_numpy().sum() == 4


def test_unknown_names_say_what_exists():
    with pytest.raises(AttributeError, match="no 'sofmax' on the host; did you mean softmax"):
        ttnn.sofmax
    with pytest.raises(AttributeError, match="no 'warp' on the host; docs/ttnn.md lists"):
        ttnn.warp
    with pytest.raises(AttributeError, match="no 'to_nump' on the host; did you mean 'to_numpy'"):
        ttnn.zeros((2, 2)).to_nump
    with pytest.raises(AttributeError, match="no 'grad_of_it' on the host; docs/ttnn.md"):
        ttnn.zeros((2, 2)).grad_of_it
    assert not hasattr(ttnn, "warp")


def test_all_names_exist():
    for name in ttnn.__all__:
        getattr(ttnn, name)
