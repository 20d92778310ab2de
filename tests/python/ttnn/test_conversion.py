# SPDX-License-Identifier: Apache-2.0
"""Converts tensors to other types, layouts and memories, and copies and frees them."""

import numpy as np
import pytest
import ttnn
from ttnn.storage import to_storage

VALUES = np.random.default_rng(8).standard_normal((33, 40)).astype(np.float32)
ROW_MAJOR = ttnn.ROW_MAJOR_LAYOUT


@pytest.fixture(params=["host", "device"])
def device(request):
    return ttnn.open_device() if request.param == "device" else None


def same_values(tensor, values=VALUES):
    np.testing.assert_array_equal(tensor.to_numpy(), values)
    return True


def test_layouts(device):
    tensor = ttnn.from_numpy(VALUES, device=device)
    changed = ttnn.to_layout(tensor, ROW_MAJOR)
    assert changed.layout is ROW_MAJOR and changed.device() is device and same_values(changed)
    assert ttnn.to_layout(tensor, ttnn.TILE_LAYOUT) is tensor
    assert ttnn.to_layout(tensor, ROW_MAJOR, ttnn.bfloat16).dtype is ttnn.bfloat16
    placed = ttnn.to_layout(tensor, ROW_MAJOR, device=ttnn.open_device())
    assert placed.device() is ttnn.open_device() and same_values(placed)
    assert ttnn.untilize(tensor).layout is ROW_MAJOR
    assert ttnn.tilize(changed).layout is ttnn.TILE_LAYOUT and same_values(ttnn.tilize(changed))


def test_types(device):
    tensor = ttnn.from_numpy(VALUES, device=device)
    rounded = ttnn.typecast(tensor, ttnn.bfloat16)
    assert rounded.dtype is ttnn.bfloat16 and rounded.device() is device
    same_values(rounded, ttnn.from_numpy(VALUES, dtype=ttnn.bfloat16).to_numpy())
    assert ttnn.to_dtype(rounded, ttnn.float32).dtype is ttnn.float32
    assert ttnn.typecast(tensor, dtype=ttnn.float32) is not tensor
    output = ttnn.zeros((33, 40), dtype=ttnn.bfloat16)
    assert ttnn.typecast(tensor, ttnn.bfloat16, output_tensor=output) is output
    same_values(output, rounded.to_numpy())


@pytest.mark.parametrize("dtype", [ttnn.int32, ttnn.uint32, ttnn.uint16, ttnn.uint8])
def test_integers(dtype):
    if not is_stored(dtype):
        pytest.skip("tensors of this type are not supported")
    floats = ttnn.from_numpy(np.float32([1.9, -1.9, np.nan, 1e20, 200]))
    limits = np.iinfo(dtype.name.lower())
    whole = ttnn.typecast(floats, dtype)
    expected = [1, max(-1, limits.min), 0, limits.max, 200]
    assert whole.to_numpy().tolist() == expected and whole.dtype is dtype
    assert ttnn.typecast(whole, ttnn.float32).to_numpy()[0] == 1
    a, b = ttnn.full((4,), 7, dtype), ttnn.full((4,), 2, dtype)
    assert (a + b).to_numpy().tolist() == [9] * 4 and (a + b).dtype is dtype
    assert (a * limits.max).to_numpy()[0] == np.array(7 * limits.max).astype(limits.dtype)
    assert (a // b).to_numpy()[0] == 3 and (a % b).to_numpy()[0] == 1 and (a ^ b).to_numpy()[0] == 5
    assert ttnn.sum(a).item() == 28 and ttnn.max(a).item() == 7
    assert ttnn.bitwise_left_shift(a, 1).to_numpy()[0] == 14
    assert ttnn.bitwise_not(a).to_numpy()[0] == np.invert(np.array(7, limits.dtype))
    with pytest.raises(TypeError, match="only floats are supported; convert the tensor"):
        ttnn.exp(a)
    with pytest.raises(TypeError, match="input_tensor_b=0.5 with tensors of integers"):
        a + 0.5


@pytest.mark.parametrize("kind", ["int32", "uint32", "uint16", "uint8"])
def test_storage_of_integers(kind):
    dtype, limits = getattr(ttnn, kind), np.iinfo(kind)
    floats = to_storage(np.array([1.9, -1.9, np.nan, np.inf, -1e30, 200]), dtype)
    assert floats.dtype == kind
    assert floats.tolist() == [1, max(-1, limits.min), 0, limits.max, limits.min, 200]
    whole = np.array([5, -1, 2**40 + 3], np.int64)
    np.testing.assert_array_equal(to_storage(whole, dtype), whole.astype(kind))
    np.testing.assert_array_equal(to_storage(np.array([True, False]), dtype), [1, 0])


def is_stored(dtype):
    try:
        ttnn.zeros((1,), dtype=dtype)
        return True
    except ValueError:
        return False


@pytest.mark.parametrize("dtype", [ttnn.float16, ttnn.bfloat8_b, ttnn.bfloat4_b])
def test_other_floats(dtype):
    if not is_stored(dtype):
        pytest.skip("tensors of this type are not supported")
    bound = {ttnn.float16: 2.0**-11, ttnn.bfloat8_b: 2.0**-4, ttnn.bfloat4_b: 1.0}[dtype]
    tensor = ttnn.from_numpy(VALUES, dtype=dtype)
    np.testing.assert_allclose(tensor.to_numpy(), VALUES, rtol=bound, atol=bound)
    doubled = ttnn.transpose(tensor + tensor)
    assert doubled.dtype is dtype
    np.testing.assert_allclose(doubled.to_numpy(), 2 * VALUES.T, rtol=2 * bound, atol=2 * bound)
    assert ttnn.typecast(tensor, ttnn.float32).dtype is ttnn.float32


def test_places():
    device = ttnn.open_device()
    host = ttnn.from_numpy(VALUES)
    placed = ttnn.to_device(host, device)
    assert placed.device() is device and same_values(placed)
    assert ttnn.to_device(placed, device) is placed
    assert placed.storage_type() is ttnn.StorageType.DEVICE
    assert ttnn.is_tensor_storage_on_device(placed) and not ttnn.is_tensor_storage_on_device(host)
    for back in (ttnn.from_device(placed), placed.cpu()):
        assert back.device() is None and same_values(back)
    assert ttnn.from_device(host) is host and host.cpu() is host
    assert host.to(device).device() is device and host.to(ROW_MAJOR).layout is ROW_MAJOR
    assert same_values(host.to(device, ttnn.DRAM_MEMORY_CONFIG))
    with pytest.raises(TypeError, match="3 is not a device, a layout or a MemoryConfig"):
        host.to(3)
    with pytest.raises(TypeError, match="device=None"):
        ttnn.to_device(host, None)


def test_memories(device):
    tensor = ttnn.from_numpy(VALUES, device=device)
    moved = ttnn.to_memory_config(tensor, ttnn.DRAM_MEMORY_CONFIG)
    assert moved is not tensor and moved.device() is device and same_values(moved)
    assert same_values(ttnn.to_memory_config(tensor, memory_config=ttnn.DRAM_MEMORY_CONFIG))
    assert same_values(ttnn.sharded_to_interleaved(tensor))
    assert same_values(ttnn.interleaved_to_sharded(tensor, ttnn.DRAM_MEMORY_CONFIG))
    assert same_values(ttnn.reshard(tensor, ttnn.DRAM_MEMORY_CONFIG))
    try:
        assert ttnn.to_memory_config(tensor, ttnn.L1_MEMORY_CONFIG).memory_config() == (
            ttnn.L1_MEMORY_CONFIG
        )
    except ValueError as error:
        assert "L1 interleaved memory are not supported" in str(error)


def test_copies(device):
    tensor = ttnn.from_numpy(VALUES.copy(), device=device)
    copied = ttnn.clone(tensor)
    assert copied is not tensor and same_values(copied)
    assert ttnn.clone(tensor, dtype=ttnn.bfloat16).dtype is ttnn.bfloat16
    ttnn.add_(copied, 1)
    assert same_values(tensor)
    target = ttnn.zeros((33, 40), dtype=ttnn.bfloat16, device=ttnn.open_device())
    assert ttnn.copy(tensor, target) is target
    same_values(target, ttnn.typecast(tensor, ttnn.bfloat16).to_numpy())
    assert same_values(ttnn.copy(tensor, ttnn.zeros((33, 40))))
    with pytest.raises(ValueError, match=r"input_b has shape \(3, 3\)"):
        ttnn.copy(tensor, ttnn.zeros((3, 3)))


def test_copies_between_host_and_device():
    host, placed = ttnn.from_numpy(VALUES), ttnn.zeros((33, 40), device=ttnn.open_device())
    ttnn.copy_host_to_device_tensor(host, placed)
    assert same_values(placed)
    back = ttnn.zeros((33, 40))
    ttnn.copy_device_to_host_tensor(placed, back)
    assert same_values(back)


def test_deallocation():
    device = ttnn.open_device()
    tensor = ttnn.from_numpy(VALUES, device=device)
    address = tensor.buffer_address()
    ttnn.deallocate(tensor)
    assert not tensor.is_allocated() and "deallocated" in repr(tensor)
    for use in (tensor.to_numpy, tensor.buffer_address, lambda: tensor + 1, tensor.cpu):
        with pytest.raises(ValueError, match=r"shape \(33, 40\) cannot be used after it"):
            use()
    assert ttnn.zeros((33, 40), device=device).buffer_address() == address
    tensor.deallocate(True)
    host = ttnn.from_numpy(VALUES)
    ttnn.deallocate(host)
    assert same_values(host)


def test_deallocated_tensors_cannot_be_launched():
    import ttl

    @ttl.operation(grid=(1, 1))
    def read(a):
        a_dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

        @ttl.datamovement()
        def reader():
            with a_dfb.reserve() as block:
                ttl.copy(a[0, 0], block).wait()

    tensor = ttnn.ones((32, 32), device=ttnn.open_device())
    read(tensor)
    ttnn.deallocate(tensor)
    with pytest.raises(ValueError, match=r"shape \(32, 32\) cannot be used after it"):
        read(tensor)


def test_reallocation(device):
    tensor = ttnn.from_numpy(VALUES, device=device)
    again = ttnn.reallocate(tensor)
    assert same_values(again) and again.device() is device
    assert tensor.is_allocated() == (device is None)
    assert same_values(ttnn.move(again))


def test_as_tensor_and_options_of_from_torch():
    tensor = ttnn.as_tensor(VALUES, dtype=ttnn.bfloat16, layout=ROW_MAJOR, cache_file_name="x")
    assert tensor.dtype is ttnn.bfloat16 and tensor.layout is ROW_MAJOR
    assert same_values(ttnn.as_tensor(VALUES, preprocess=lambda x: x * 2), VALUES * 2)
    torch = pytest.importorskip("torch")
    source = torch.from_numpy(VALUES)
    spec = ttnn.TensorSpec((33, 40), ttnn.bfloat16, ROW_MAJOR)
    tensor = ttnn.from_torch(source, spec=spec)
    assert tensor.dtype is ttnn.bfloat16 and tensor.layout is ROW_MAJOR
    assert same_values(ttnn.from_torch(source, tile=ttnn.Tile((32, 32)), pad_value=0.0))
    with pytest.raises(ValueError, match="pad_value=1.5: tiles can only be padded with zeros"):
        ttnn.from_torch(source, pad_value=1.5)
    assert same_values(ttnn.from_torch(source, mesh_mapper=None))
    with pytest.raises(TypeError, match="mesh_mapper=3: expected a mapper"):
        ttnn.from_torch(source, mesh_mapper=3)
    with pytest.raises(ValueError, match=r"spec has shape \(1, 1\)"):
        ttnn.from_torch(source, spec=ttnn.TensorSpec((1, 1)))


def test_options_of_to_torch():
    torch = pytest.importorskip("torch")
    tensor = ttnn.from_numpy(VALUES)
    assert ttnn.to_torch(tensor, torch_rank=4).shape == (1, 1, 33, 40)
    assert ttnn.to_torch(ttnn.ones((1, 1, 5)), torch_rank=1).shape == (5,)
    assert ttnn.to_torch(tensor, dtype=torch.float64).dtype == torch.float64
    assert tensor.to_torch(torch.bfloat16).dtype == torch.bfloat16
    with pytest.raises(TypeError, match="mesh_composer=3: expected a composer"):
        ttnn.to_torch(tensor, mesh_composer=3)
    own = torch.ones(3)
    assert ttnn.to_torch(own) is own
    with pytest.raises(ValueError, match="torch_rank=1"):
        ttnn.to_torch(tensor, torch_rank=1)


def test_torch_float64_becomes_float32():
    torch = pytest.importorskip("torch")
    tensor = ttnn.from_torch(torch.tensor([1 / 3], dtype=torch.float64))
    assert tensor.dtype is ttnn.float32 and tensor.item() == np.float32(1 / 3)
