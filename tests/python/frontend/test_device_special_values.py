# SPDX-License-Identifier: Apache-2.0
"""Infinities, NaN, zeros and roundings in the matrix engine, computed by whole kernels on several engines."""

import numpy as np
import pytest
import ttnn
from test_device_numerics import ENGINES, bits_of, blocks, on_every_engine

pytestmark = pytest.mark.not_emitted("these tests choose engines and stages themselves")

MOST, LEAST = float(np.float32(2.0**127) * (2 - 2.0**-7)), 2.0**-130
FIDELITIES = ("LoFi", "HiFi2", "HiFi3", "HiFi4")
FEW = ENGINES[:1] + ENGINES[3:6]

# (a, b, bits of a + b with a 16-bit DST, bits of a + b with a 32-bit DST)
SUMS = [
    (1, 2.0**-8, 0x3F81, 0x3F808000),
    (-1, -(2.0**-8), 0xBF81, 0xBF808000),
    (1, 2.0**-9, 0x3F80, 0x3F804000),
    (1, -(2.0**-9), 0x3F80, 0x3F7F8000),
    (np.inf, -np.inf, 0, 0),
    (LEAST, LEAST, 0, 0),
    (-0.0, -0.0, 0, 0),
    (1, -1, 0, 0),
    (np.nan, 1, 0x7F80, 0x7F800000),
    (MOST, MOST, 0x7F80, 0x7F800000),
]

# (a, b, bits of a * b with a 16-bit DST for each of FIDELITIES, the same with a 32-bit DST)
PRODUCTS = [
    (1.9921875, 1.9921875, (0x4076, 0x407D, 0x407E, 0x407E), (0x40761000, 0x407D0200, 0x407DFA00, 0x407E0100)),
    (1.0078125, 1.0078125, (0x3F80, 0x3F81, 0x3F82, 0x3F82), (0x3F800000, 0x3F810000, 0x3F820000, 0x3F820200)),
    (np.inf, 0, (0,) * 4, (0,) * 4),
    (-1, 0, (0,) * 4, (0,) * 4),
    (2.0**-80, 2.0**-80, (0,) * 4, (0,) * 4),
    (np.inf, np.inf, (0x7F80, 0, 0, 0), (0x7F800000, 0, 0, 0)),
    (2.0**100, 2.0**100, (0x7F80, 0, 0, 0), (0x7F800000, 0, 0, 0)),
]


def tiles(pairs):
    """Returns two tiles whose first rows begin with the numbers a and b of the rows of a table."""
    a, b = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float32)
    a[0, : len(pairs)], b[0, : len(pairs)] = zip(*[pair[:2] for pair in pairs])
    return a, b


def on_the_matrix_engine(function, pairs, wide, arch, **options):
    op = blocks(function, fp32_dest_acc_en=wide, **options)
    got = on_every_engine(op, tiles(pairs), ttnn.float32 if wide else ttnn.bfloat16, (32, 32), engines=FEW,
                          dst="fpu", arch=arch)
    return [int(bits) >> (0 if wide else 16) for bits in bits_of(got)[0, : len(pairs)]]


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("wide", [False, True])
def test_sums(wide, arch):
    got = on_the_matrix_engine(lambda x, z: x + z, SUMS, wide, arch)
    assert got == [row[3 if wide else 2] for row in SUMS]


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_products(fidelity, wide, arch):
    got = on_the_matrix_engine(lambda x, z: x * z, PRODUCTS, wide, arch, math_fidelity=fidelity)
    assert got == [row[3 if wide else 2][FIDELITIES.index(fidelity)] for row in PRODUCTS]


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_infinity_outlives_ones_in_a_product_of_matrices(fidelity):
    """The sum of inf * 1 and 15 products 1 * 1 is infinity."""
    a, b = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float32)
    a[0, :16], b[:16, 0] = 1, 1
    a[0, 0] = np.inf
    op = blocks(lambda x, z: x @ z, fp32_dest_acc_en=True, math_fidelity=fidelity)
    got = on_every_engine(op, (a, b), ttnn.float32, (32, 32), engines=FEW)
    assert bits_of(got)[0, 0] == 0x7F800000


def test_groups_of_eight_round_to_their_largest_product():
    a, b = np.zeros((32, 32), np.float32), np.zeros((32, 32), np.float32)
    a[:2, :16], b[:16, 0] = 1, 1
    a[0, 0], a[1, 0] = 2048, 16384
    op = blocks(lambda x, z: x @ z, fp32_dest_acc_en=True)
    got = on_every_engine(op, (a, b), ttnn.float32, (32, 32), engines=FEW)
    assert got[0, 0] == 2070 and got[1, 0] == 16392


def test_four_phases_may_be_less_exact_than_two():
    """A 16-bit DST rounds in each fidelity phase. HiFi2 skips the low bits of a. With HiFi4 they add half an
    ulp in phase 2 and subtract it in phase 3, and both sums round up. numerics() must name this cause."""
    a, b = np.zeros((32, 32 * 17), np.float32), np.zeros((32 * 17, 32), np.float32)
    a[0, 0] = b[0, 0] = 1
    for k in range(32, 32 * 17, 32):
        a[0, k : k + 9] = (1 + 2.0**-7) * np.array([4] * 8 + [0.5])
        b[k : k + 9, 0] = [1, 1, 1, 1, *[-(1 + 2.0**-5)] * 4, 1]
    found = {}
    for fidelity in ("HiFi2", "HiFi4"):
        device = ttnn.open_device(device_id=0)
        tensors = [ttnn.from_numpy(array, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
                   for array in (a, b, np.zeros((32, 32), np.float32))]
        op = blocks(lambda x, z: x @ z, math_fidelity=fidelity, fp32_dest_acc_en=False)
        (launch,) = op.numerics(*tensors).data["launches"]
        found[fidelity], = launch["tensors"]
        result = ttnn.to_numpy(tensors[2])[0, 0]
        ttnn.close_device(device)
        assert result == (1 if fidelity == "HiFi2" else 1.125)
    assert found["HiFi2"]["largest"]["ulp"] == 0
    assert found["HiFi4"]["worst"] == {"index": [0, 0], "found": 1.125, "exact": 1.0}
    (cause,) = found["HiFi4"]["causes"]
    assert cause["name"] == "DST width, order of sums" and cause["removed"] == 1
