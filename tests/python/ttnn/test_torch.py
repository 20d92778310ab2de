# SPDX-License-Identifier: Apache-2.0
"""Conversions between torch's tensors and ttnn's."""

import pytest

import ttnn

torch = pytest.importorskip("torch")

DTYPES = [(torch.float32, ttnn.float32), (torch.bfloat16, ttnn.bfloat16)]


@pytest.mark.parametrize("torch_dtype, dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (40,), (33, 65), (2, 3, 34, 40)])
@pytest.mark.parametrize("on_device", [False, True])
def test_round_trip(torch_dtype, dtype, shape, on_device):
    values = torch.randn(shape).to(torch_dtype)
    device = ttnn.open_device() if on_device else None
    tensor = ttnn.from_torch(values, device=device)
    assert tensor.dtype is dtype and tensor.shape == tuple(shape)
    for result in (tensor.to_torch(), ttnn.to_torch(tensor)):
        assert result.dtype == torch_dtype and result.shape == values.shape
        assert torch.equal(result, values)


@pytest.mark.parametrize("torch_dtype, dtype", DTYPES)
def test_host_tensor_shares_memory(torch_dtype, dtype):
    values = torch.zeros(4, 4, dtype=torch_dtype)
    tensor = ttnn.from_torch(values)
    values[1, 2] = 5
    assert tensor.to_numpy()[1, 2] == 5
    tensor.to_torch()[2, 3] = 6
    assert values[2, 3] == 6


def test_strided_and_differentiable():
    values = torch.randn(6, 8, requires_grad=True)
    for view in (values, values.t(), values[::2, 1:5], values.bfloat16().t()):
        assert torch.equal(ttnn.from_torch(view).to_torch(), view.detach())


def test_conversion_rounds_like_torch():
    values = torch.randn(1000)
    rounded = ttnn.from_torch(values, dtype=ttnn.bfloat16)
    assert torch.equal(rounded.to_torch(), values.bfloat16())
    assert torch.equal(ttnn.to_torch(rounded, dtype=torch.float32), values.bfloat16().float())
    for source in (torch.float64, torch.int64, torch.float16):
        tensor = ttnn.from_torch(torch.arange(4).to(source), dtype=ttnn.float32)
        assert torch.equal(tensor.to_torch(), torch.arange(4).float())


def test_torch_dtypes_stand_for_ours():
    for torch_dtype, dtype in DTYPES:
        assert torch_dtype == dtype and dtype == torch_dtype
        assert ttnn.zeros((2, 2), dtype=torch_dtype).dtype is dtype
    assert torch.float32 != ttnn.bfloat16 and ttnn.bfloat16 != torch.float32


def test_refusals():
    with pytest.raises(ValueError, match="no tensor type exists for a torch tensor of int64"):
        ttnn.from_torch(torch.arange(4))
    assert ttnn.from_torch(torch.zeros(4, dtype=torch.float16)).dtype == ttnn.float16
    with pytest.raises(TypeError, match="use ttnn.from_torch"):
        ttnn.from_numpy(torch.zeros(4))
    with pytest.raises(TypeError, match="expected a torch tensor or a numpy array"):
        ttnn.from_torch([1.0])


def test_combining_with_torch_is_refused():
    with pytest.raises(TypeError):
        ttnn.ones((2, 2)) + torch.ones(2, 2)


@pytest.mark.parametrize(
    "dtype, torch_dtype",
    [
        (ttnn.int32, torch.int32),
        (ttnn.uint8, torch.uint8),
        (ttnn.uint16, torch.int32),
        (ttnn.uint32, torch.int64),
        (ttnn.float16, torch.float16),
        (ttnn.bfloat8_b, torch.float32),
    ],
)
def test_other_types(dtype, torch_dtype):
    """If torch does not have a type, the tensor gets a wider type in torch."""
    try:
        tensor = ttnn.from_torch(torch.arange(4), dtype=dtype)
    except ValueError as error:
        assert "not supported" in str(error)
        pytest.skip("tensors of this type are not supported")
    assert tensor.dtype is dtype
    assert torch.equal(tensor.to_torch(), torch.arange(4).to(torch_dtype))
    assert ttnn.to_torch(tensor, dtype=ttnn.float32).dtype == torch.float32
