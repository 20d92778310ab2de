# SPDX-License-Identifier: Apache-2.0
"""--numerics=device: float16, integers, masks, and functions that the card computes in its own way."""

import numpy as np
import pytest
import ttl
import ttnn
from test_device_numerics import bits_of, blocks, inputs, launch, on_every_engine, unary

pytestmark = pytest.mark.not_emitted("these tests choose engines themselves")

ENGINES = ({"engine": "jit"}, {"engine": "interp"}, {"engine": "interp", "stage": "loops"})
HALVES = [ttnn.float16] * 2


def half(x):
    return np.asarray(x).astype(np.float16).astype(np.float32)


def cut_to_half(x):
    """Returns the number that the vector engine's store to a DST of float16 keeps: low bits are cut."""
    return (bits_of(x) & 0xFFFFE000).view(np.float32)


@pytest.fixture
def nothing_unknown(recwarn):
    yield
    assert [str(w.message) for w in recwarn if issubclass(w.category, ttl.NumericsWarning)] == []


#
# float16
#


def test_halves_are_cut_by_stores_of_the_vector_engine(nothing_unknown):
    a, b = (half(x) for x in inputs(2))
    op = blocks(lambda x, z: (x + z) * 0.75, 2, 2)
    got = on_every_engine(op, (a, b), ttnn.float16, a.shape, HALVES, engines=ENGINES + ({"engine": "emitted"},))
    expected = cut_to_half(cut_to_half(a + b) * np.float32(0.75))
    isOrdinary = np.abs(expected) > 2.0**-13
    assert np.array_equal(bits_of(got)[isOrdinary], bits_of(expected)[isOrdinary])


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("wide", [False, True])
def test_products_of_halves(arch, wide, nothing_unknown):
    a, b = (half(x) for x in inputs(2))
    op = blocks(lambda x, z: x @ z, 2, 2, fp32_dest_acc_en=wide)
    dtype = ttnn.float32 if wide else ttnn.float16
    got = on_every_engine(op, (a, b), dtype, a.shape, HALVES, engines=ENGINES, arch=arch)
    exact = a.astype(np.float64) @ b
    allowed = np.abs(a).astype(np.float64) @ np.abs(b) * (2.0**-9 if wide else 2.0**-7)
    assert np.all(np.abs(got - exact) <= allowed)
    assert not np.array_equal(got, exact)


def test_the_infinity_of_halves_is_a_number(nothing_unknown):
    """In the card's float16, exponent 31 is ordinary: infinity means 65536, and half of it is 32768."""
    a = np.full((32, 32), np.inf, np.float32)
    op = unary(lambda x: x * 0.5, ttnn.float16)
    got = on_every_engine(op, (a,), ttnn.float16, a.shape, HALVES[:1], engines=ENGINES)
    assert np.all(got == 32768)


def test_halves_beside_wider_exponents_warn():
    a, b = inputs(2)
    with pytest.warns(ttl.NumericsWarning, match="tiles of Float16 beside tiles with exponents of 8 bits"):
        launch(blocks(lambda x, z: x + z, 2, 2), (a, b), ttnn.float16, a.shape, [ttnn.float16, ttnn.bfloat16])


def test_maxima_of_halves_warn():
    a = half(inputs(1)[0])
    op = blocks(lambda x, z: ttl.math.reduce_max(x, z, dims=[0]), 1, 2)
    with pytest.warns(ttl.NumericsWarning, match="maxima of Float16"):
        launch(op, (a, np.ones((32, 32), np.float32)), ttnn.float16, (32, 64), HALVES)


#
# Integers
#


def integers(shape=(32, 32)):
    rng = np.random.default_rng(4)
    numbers = [rng.integers(-(2**31), 2**31, shape) >> rng.integers(0, 31, shape) for _ in range(2)]
    return [x.astype(np.int32) for x in numbers]


def launch_integers(function, arrays, dtype, engine):
    with ttl.options(numerics="device", **engine):
        formats = {np.dtype(np.uint8): ttnn.uint8, np.dtype(np.int32): ttnn.int32}
        tensors = [ttnn.from_numpy(x, dtype=formats[x.dtype], layout=ttnn.TILE_LAYOUT) for x in arrays]
        y = ttnn.empty(arrays[0].shape, dtype=dtype, layout=ttnn.TILE_LAYOUT)
        blocks(function, fp32_dest_acc_en=True)(*tensors, y)
        return np.asarray(ttnn.to_numpy(y))


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: "-".join(engine.values()))
def test_division_and_comparison(engine, nothing_unknown):
    a, b = integers()
    b[b == 0] = 7
    a[a == -(2**31)] = 5
    floor = a.astype(np.int64) // b
    assert np.array_equal(launch_integers(lambda x, z: x // z, (a, b), ttnn.int32, engine), floor)
    assert np.array_equal(launch_integers(lambda x, z: x % z, (a, b), ttnn.int32, engine), a - floor * b)
    truncated = np.trunc(a / b).astype(np.int64)
    assert np.array_equal(launch_integers(lambda x, z: x / z, (a, b), ttnn.int32, engine), truncated)
    assert np.array_equal(launch_integers(lambda x, z: ttl.lt(x, z), (a, b), ttnn.int32, engine), a < b)


@pytest.mark.parametrize("arch, of_one, of_many", [("wormhole_b0", 63488, 65536), ("blackhole", 65536, 65536)])
def test_a_division_by_zero_is_what_the_card_gives(arch, of_one, of_many):
    a, b = np.full((32, 32), 100, np.int32), np.zeros((32, 32), np.int32)
    a[0] = 1
    got = launch_integers(lambda x, z: x / z, (a, b), ttnn.int32, {"arch": arch})
    assert np.all(got[0] == of_one) and np.all(got[1:] == of_many)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: "-".join(engine.values()))
def test_bytes(engine, nothing_unknown):
    """Products of uint8, and sums modulo 256. The packer clamps to 255, so DST must hold the low bits."""
    rng = np.random.default_rng(6)
    a, b = (rng.integers(0, 256, (32, 32), dtype=np.uint8) for _ in range(2))
    product = a.astype(np.int64) @ b
    assert np.array_equal(launch_integers(lambda x, z: x @ z, (a, b), ttnn.int32, engine), product)
    total = a.astype(np.int64) + b
    assert np.array_equal(launch_integers(lambda x, z: x + z, (a, b), ttnn.uint8, engine), total % 256)


#
# Functions of single elements, and masks
#


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("wide", [False, True])
def test_functions_of_a_point(arch, wide, nothing_unknown):
    a, b = inputs(2)
    engines = ENGINES + ({"engine": "emitted"},)
    dtype = ttnn.float32 if wide else ttnn.bfloat16
    for function, exact in (
        (lambda x, z: ttl.math.atan2(x, z), np.arctan2(a.astype(np.float64), b)),
        (lambda x, z: ttl.math.cbrt(x) * z, np.cbrt(a.astype(np.float64)) * b),
    ):
        op = blocks(function, 2, 2, fp32_dest_acc_en=wide)
        got = on_every_engine(op, (a, b), dtype, a.shape, engines=engines, arch=arch)
        assert np.all(np.abs(got - exact) <= np.abs(exact) * (2.0**-20 if wide else 2.0**-6))


@pytest.mark.parametrize("wide", [False, True])
def test_masks(wide, nothing_unknown):
    a, m = inputs(2)
    m = (m > 0).astype(np.float32)
    engines = ENGINES + ({"engine": "emitted"},)
    for function, value in ((ttl.mask, 0), (ttl.mask_posinf, np.inf)):
        op = blocks(lambda x, z: function(x, z), 2, 2, fp32_dest_acc_en=wide)
        got = on_every_engine(op, (a, m), ttnn.bfloat16, a.shape, engines=engines)
        assert np.array_equal(bits_of(got), bits_of(np.where(m == 1, np.float32(value), a)))
