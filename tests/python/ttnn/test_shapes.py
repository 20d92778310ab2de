# SPDX-License-Identifier: Apache-2.0
"""Functions that move or select elements, compared with numpy."""

import numpy as np
import pytest
import ttnn
from golden import DTYPES, tensor_of

VALUES = np.random.default_rng(7).standard_normal((2, 3, 4, 6)).astype(np.float32)


# {name: (call of ttnn, call of numpy on the same values)}
CASES = {
    "reshape": (lambda t: ttnn.reshape(t, (6, -1)), lambda x: x.reshape(6, -1)),
    "reshape shape": (lambda t: ttnn.reshape(t, ttnn.Shape([24, 6])), lambda x: x.reshape(24, 6)),
    "reshape numbers": (lambda t: t.reshape(4, 36), lambda x: x.reshape(4, 36)),
    "view": (lambda t: ttnn.view(t, [144]), lambda x: x.reshape(144)),
    "squeeze": (lambda t: ttnn.squeeze(ttnn.reshape(t, (1, 144, 1))), lambda x: x.reshape(144)),
    "squeeze dim": (lambda t: ttnn.squeeze(ttnn.reshape(t, (1, 144, 1)), 0),
                    lambda x: x.reshape(144, 1)),
    "squeeze none": (lambda t: ttnn.squeeze(t, 0), lambda x: x),
    "unsqueeze": (lambda t: ttnn.unsqueeze(t, 1), lambda x: x[:, None]),
    "unsqueeze end": (lambda t: ttnn.unsqueeze(t, -1), lambda x: x[..., None]),
    "unsqueeze_to_4D": (lambda t: ttnn.unsqueeze_to_4D(t.reshape(12, 12)),
                        lambda x: x.reshape(1, 1, 12, 12)),
    "transpose": (lambda t: ttnn.transpose(t, 0, -1), lambda x: x.swapaxes(0, -1)),
    "transpose default": (lambda t: ttnn.transpose(t), lambda x: x.swapaxes(-1, -2)),
    "permute": (lambda t: ttnn.permute(t, (3, 0, -2, 1)), lambda x: x.transpose(3, 0, 2, 1)),
    "permute numbers": (lambda t: t.permute(3, 0, 2, 1), lambda x: x.transpose(3, 0, 2, 1)),
    "expand": (lambda t: ttnn.expand(t.reshape(144, 1), (2, -1, 3)),
               lambda x: np.broadcast_to(x.reshape(144, 1), (2, 144, 3))),
    "repeat": (lambda t: ttnn.repeat(t, (1, 2, 1, 3)), lambda x: np.tile(x, (1, 2, 1, 3))),
    "repeat more": (lambda t: ttnn.repeat(t, ttnn.Shape([2, 1, 1, 1, 1])),
                    lambda x: np.tile(x, (2, 1, 1, 1, 1))),
    "repeat_interleave": (lambda t: ttnn.repeat_interleave(t, 2, dim=1),
                          lambda x: np.repeat(x, 2, axis=1)),
    "repeat_interleave flat": (lambda t: ttnn.repeat_interleave(t, 2), lambda x: np.repeat(x, 2)),
    "upsample": (lambda t: ttnn.upsample(t, 2), lambda x: x.repeat(2, 1).repeat(2, 2)),
    "upsample pair": (lambda t: ttnn.upsample(t, (3, 1)), lambda x: x.repeat(3, 1)),
    "concat": (lambda t: ttnn.concat([t, t, t], dim=-2), lambda x: np.concatenate([x, x, x], -2)),
    "stack": (lambda t: ttnn.stack([t, t], dim=1), lambda x: np.stack([x, x], 1)),
    "slice": (lambda t: ttnn.slice(t, [0, 1, 0, 2], [2, 3, 4, 6]), lambda x: x[:, 1:3, :, 2:6]),
    "slice steps": (lambda t: ttnn.slice(t, [0, 0, 1, 0], [2, 3, -1, -1], [1, 2, 1, 3]),
                    lambda x: x[:, ::2, 1:3, 0:5:3]),
    "slice names": (lambda t: ttnn.slice(t, starts=[0, 1], ends=[1, 3]), lambda x: x[0:1, 1:3]),
    "pad": (lambda t: ttnn.pad(t, [(1, 2), (0, 3)], value=0.5),
            lambda x: np.pad(x, [(0, 0), (0, 0), (1, 2), (0, 3)], constant_values=0.5)),
    "pad to": (lambda t: ttnn.pad(t, [2, 3, 8, 8], [0, 0, 1, 2], 0.0),
               lambda x: np.pad(x, [(0, 0), (0, 0), (1, 3), (2, 0)])),
    "flip": (lambda t: ttnn.flip(t, [0, -1]), lambda x: np.flip(x, (0, -1))),
    "roll": (lambda t: ttnn.roll(t, 2, dim=-1), lambda x: np.roll(x, 2, -1)),
    "roll flat": (lambda t: ttnn.roll(t, 5), lambda x: np.roll(x, 5)),
}


def test_every_function_is_compared():
    from ttnn import shapes

    assert {name.partition(" ")[0] for name in CASES} | {"split", "chunk"} == set(shapes.__all__)


@pytest.mark.parametrize("on_device", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_values(name, dtype, on_device):
    call, formula = CASES[name]
    tensor, values = tensor_of(VALUES, dtype, device=ttnn.open_device() if on_device else None)
    result = call(tensor)
    assert result.dtype is dtype and result.device() is tensor.device()
    np.testing.assert_array_equal(result.to_numpy(), formula(values))


@pytest.mark.parametrize("name", ["reshape", "transpose", "expand", "squeeze none", "view"])
def test_results_have_memory_of_their_own(name):
    values = VALUES.copy()
    CASES[name][0](ttnn.from_numpy(values)).to_numpy()[...] = 9
    np.testing.assert_array_equal(values, VALUES)


def test_bits_are_kept():
    bits = np.array([[0x7FA00001, 0xFFC00002], [1, 0x80000000]], np.uint32)
    result = ttnn.transpose(ttnn.from_numpy(bits.view(np.float32)))
    np.testing.assert_array_equal(result.to_numpy().view(np.uint32), bits.T)


def test_options_of_moves():
    tensor, values = tensor_of(VALUES)
    output = ttnn.zeros((144,))
    assert ttnn.reshape(tensor, (144,), output_tensor=output) is output
    np.testing.assert_array_equal(output.to_numpy(), values.reshape(144))
    result = ttnn.permute(tensor, (3, 2, 1, 0), memory_config=ttnn.DRAM_MEMORY_CONFIG)
    np.testing.assert_array_equal(result.to_numpy(), values.T)
    with pytest.raises(TypeError, match="no option 'colour'"):
        ttnn.reshape(tensor, (144,), colour=1)


def test_split_and_chunk():
    tensor, values = tensor_of(VALUES)
    for parts, sizes in [
        (ttnn.split(tensor, 4, dim=-1), (4, 2)),
        (ttnn.split(tensor, [1, 3, 2], 3), (1, 3, 2)),
        (ttnn.chunk(tensor, 3, -1), (2, 2, 2)),
        (ttnn.chunk(tensor, 4, -1), (2, 2, 2)),
    ]:
        assert [part.shape[-1] for part in parts] == list(sizes)
        joined = np.concatenate([part.to_numpy() for part in parts], -1)
        np.testing.assert_array_equal(joined, values)


def allow_uint16(call):
    """Returns the result of call(), or None if uint16 tensors are not supported."""
    try:
        return call()
    except ValueError as error:
        assert "uint16 are not supported" in str(error)
        return None


def test_sort_and_topk():
    tensor, values = tensor_of(VALUES)
    result = allow_uint16(lambda: ttnn.sort(tensor, dim=2, descending=True))
    if result is None:
        pytest.skip("tensors of uint16 are not supported")
    np.testing.assert_array_equal(result[0].to_numpy(), -np.sort(-values, axis=2))
    np.testing.assert_array_equal(np.take_along_axis(values, result[1].to_numpy().astype(int), 2),
                                  result[0].to_numpy())
    chosen, places = ttnn.topk(tensor, 2, dim=-1)
    np.testing.assert_array_equal(chosen.to_numpy(), -np.sort(-values, axis=-1)[..., :2])
    assert places.dtype is ttnn.uint16
    least, _ = ttnn.topk(tensor, 2, largest=False)
    np.testing.assert_array_equal(least.to_numpy(), np.sort(values, axis=-1)[..., :2])


def test_positions_in_tensors():
    table, rows = tensor_of(VALUES.reshape(12, 12))
    places = ttnn.from_numpy(np.array([[3, 0], [11, 3]]), dtype=ttnn.float32)
    np.testing.assert_array_equal(ttnn.embedding(places, table).to_numpy(),
                                  rows[[[3, 0], [11, 3]]])
    index = np.array([[0, 5], [11, 2]])
    found = ttnn.gather(table, 1, ttnn.from_numpy(index, dtype=ttnn.float32))
    np.testing.assert_array_equal(found.to_numpy(), np.take_along_axis(rows[:2], index, 1))
    changed = ttnn.scatter(table, 1, ttnn.from_numpy(index, dtype=ttnn.float32), ttnn.ones((2, 2)))
    expected = rows.copy()
    np.put_along_axis(expected[:2], index, 1.0, 1)
    np.testing.assert_array_equal(changed.to_numpy(), expected)
    with pytest.raises(ValueError, match="whole numbers from 0 to 11"):
        ttnn.embedding(ttnn.full((2,), 12), table)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda t: ttnn.reshape(t, (5, 5)), ValueError, "144 elements, which do not fill"),
        (lambda t: ttnn.reshape(t, "ab"), TypeError, "shape"),
        (lambda t: ttnn.permute(t, (0, 1)), ValueError, "each of the 4 dimensions once"),
        (lambda t: ttnn.permute(t, (0, 1, 1, 2)), ValueError, "named twice"),
        (lambda t: ttnn.expand(t, (2, 3, 4, 7)), ValueError, "only extents of 1 can grow"),
        (lambda t: ttnn.repeat(t, (2, 2)), ValueError, "each of the 4 dimensions"),
        (lambda t: ttnn.concat([]), ValueError, "at least one tensor"),
        (lambda t: ttnn.concat([t, ttnn.ones((1, 1, 1, 1))]), ValueError, "in all dimensions except"),
        (lambda t: ttnn.stack([t, ttnn.ones((2,))]), ValueError, "of one shape"),
        (lambda t: ttnn.split(t, [1, 2], 3), ValueError, "do not add up to 6"),
        (lambda t: ttnn.slice(t, [0, 0, 0, 0], [2, 3, 4, 9]), ValueError, "not inside dimension 3"),
        (lambda t: ttnn.slice(t, [0, 0]), TypeError, "expected slice_start and slice_end"),
        (lambda t: ttnn.pad(t, [(1, 1)] * 5), ValueError, "more pairs than the 4 dimensions"),
        (lambda t: ttnn.unsqueeze(t, 6), ValueError, "dim=6"),
        (lambda t: ttnn.upsample(t, 2, mode="cubic"), ValueError, "only .nearest. is supported"),
        (lambda t: ttnn.transpose(t, 0, 4), ValueError, "dim2=4: the tensor has 4 dimensions"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call(tensor_of(VALUES)[0])
