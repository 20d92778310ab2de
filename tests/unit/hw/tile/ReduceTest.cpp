//===- ReduceTest.cpp - reductions, broadcasts, transposes --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every level is compared with the definitions, which this file computes element by element.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/TileTesting.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

using namespace ttjit::hw;

namespace {

using Fold = std::function<float(float, float)>;

// Folds x[i] with x[i + 16], then with the halves of 8, 4, 2 and 1 elements.
float folded(std::array<float, kTileDim> values, const Fold &fold) {
  for (int half = kTileDim / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i)
      values[i] = fold(values[i], values[i + half]);
  return values[0];
}

float foldedRow(const Tile &tile, int row, const Fold &fold) {
  std::array<float, kTileDim> values;
  for (int c = 0; c < kTileDim; ++c)
    values[c] = tile[elementIndex(row, c)];
  return folded(values, fold);
}

float foldedColumn(const Tile &tile, int column, const Fold &fold) {
  std::array<float, kTileDim> values;
  for (int r = 0; r < kTileDim; ++r)
    values[r] = tile[elementIndex(r, column)];
  return folded(values, fold);
}

float foldedTile(const Tile &tile, const Fold &fold) {
  std::array<float, kTileDim> rows;
  for (int r = 0; r < kTileDim; ++r)
    rows[r] = foldedRow(tile, r, fold);
  return folded(rows, fold);
}

// Returns what a reduction makes of `acc`; without `acc` it begins with `start`.
Tile reduced(const Tile &tile, TileDims dims, const Fold &fold,
             const std::function<float(float acc, float value)> &combine, const Tile *acc,
             float start) {
  Tile out{};
  for (int i = 0; i < (dims == TileDims::Scalar ? 1 : kTileDim); ++i) {
    int at = dims == TileDims::Col ? elementIndex(0, i) : elementIndex(i, 0);
    float value = dims == TileDims::Row   ? foldedRow(tile, i, fold)
                  : dims == TileDims::Col ? foldedColumn(tile, i, fold)
                                          : foldedTile(tile, fold);
    out[at] = combine(acc ? (*acc)[at] : start, value);
  }
  return out;
}

void expectSame(const Tile &got, const Tile &expected) {
  for (int i = 0; i < kTileElements; ++i)
    ASSERT_EQ(observed(got[i]), observed(expected[i])) << "element " << i;
}

constexpr TileDims kAllDims[] = {TileDims::Row, TileDims::Col, TileDims::Scalar};

float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<float>::quiet_NaN();
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

class Reductions : public testing::TestWithParam<const TileKernels *> {};

} // namespace

TEST_P(Reductions, SumsByHalvesThenScales) {
  Random random(51);
  const float scaling = 0.3f;
  auto add = [](float a, float b) { return a + b; };
  auto combine = [&](float acc, float value) { return std::fma(value, scaling, acc); };
  for (TileDims dims : kAllDims) {
    Tile first = makeTile([&] { return random.unit(); }), acc = first;
    Tile second = makeTile([&] { return random.unit(); });
    GetParam()->reduce(Pool::Sum, dims, first.data(), scaling, acc.data(), true);
    Tile expected = reduced(first, dims, add, combine, nullptr, 0.0f);
    expectSame(acc, expected);
    GetParam()->reduce(Pool::Sum, dims, second.data(), scaling, acc.data(), false);
    expectSame(acc, reduced(second, dims, add, combine, &expected, 0.0f));
  }
}

TEST_P(Reductions, MaximumOfAnything) {
  Random random(52);
  auto combine = [](float acc, float value) { return maximum(acc, value); };
  const float lowest = -std::numeric_limits<float>::infinity();
  for (TileDims dims : kAllDims) {
    Tile first = makeTile([&] { return random.below(90) ? -random.unit() : anyFloat(random); });
    Tile second = makeTile([&] { return random.below(90) ? -random.unit() : anyFloat(random); });
    Tile acc = second;
    GetParam()->reduce(Pool::Max, dims, first.data(), 1.0f, acc.data(), true);
    Tile expected = reduced(first, dims, maximum, combine, nullptr, lowest);
    expectSame(acc, expected);
    GetParam()->reduce(Pool::Max, dims, second.data(), 1.0f, acc.data(), false);
    expectSame(acc, reduced(second, dims, maximum, combine, &expected, lowest));
  }
}

TEST_P(Reductions, MaximumOfOneElementIsIt) {
  for (float value : {-3.0f, -0.0f, -std::numeric_limits<float>::infinity()}) {
    Tile tile, acc;
    tile.fill(value);
    GetParam()->reduce(Pool::Max, TileDims::Scalar, tile.data(), 1.0f, acc.data(), true);
    EXPECT_EQ(observed(acc[0]), observed(value));
    EXPECT_EQ(observed(acc[1]), 0u);
  }
}

TEST_P(Reductions, BroadcastsFromWhereReductionsLeave) {
  Random random(53);
  Tile tile = makeTile([&] { return anyFloat(random); });
  for (TileDims dims : kAllDims) {
    Tile out, expected;
    for (int r = 0; r < kTileDim; ++r)
      for (int c = 0; c < kTileDim; ++c)
        expected[elementIndex(r, c)] =
            tile[elementIndex(dims == TileDims::Row ? r : 0, dims == TileDims::Col ? c : 0)];
    GetParam()->broadcast(dims, tile.data(), out.data());
    expectSame(out, expected);
  }
}

TEST_P(Reductions, TransposesTheWholeTile) {
  Random random(54);
  Tile tile = makeTile([&] { return anyFloat(random); }), out;
  GetParam()->transpose(tile.data(), out.data());
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      ASSERT_EQ(observed(out[elementIndex(c, r)]), observed(tile[elementIndex(r, c)]));
}

TEST_P(Reductions, StoredTilesAreUnpackedFirst) {
  Random random(55);
  Tile tile = makeTile([&] { return random.unit(); }), out, expected, unpacked;
  const TileKernels &kernels = *GetParam();
  const FormatKernels &bf16 = *kernels.format(DataFormat::Float16_b);
  Slot slot, scaling;
  bf16.pack(tile.data(), slot.data());
  bf16.unpack(slot.data(), unpacked.data());
  kernels.format(DataFormat::Float32)->pack(tile.data(), scaling.data());
  const std::byte *const slots[] = {slot.data()};
  kernels.reduceStored(Pool::Sum, TileDims::Row, DataFormat::Float16_b, slots, DataFormat::Float32,
                       scaling.data(), out.data(), true);
  kernels.reduce(Pool::Sum, TileDims::Row, unpacked.data(), tile[0], expected.data(), true);
  expectSame(out, expected);
  kernels.transposeStored(DataFormat::Float16_b, slot.data(), out.data());
  kernels.transpose(unpacked.data(), expected.data());
  expectSame(out, expected);
  kernels.broadcastStored(TileDims::Col, DataFormat::Float16_b, slot.data(), out.data());
  kernels.broadcast(TileDims::Col, unpacked.data(), expected.data());
  expectSame(out, expected);
}

TEST_P(Reductions, StoredTilesAreReducedInOrder) {
  Random random(56);
  const TileKernels &kernels = *GetParam();
  for (Pool pool : {Pool::Sum, Pool::Max})
    for (TileDims dims : {TileDims::Row, TileDims::Col, TileDims::Scalar})
      for (bool isFresh : {true, false}) {
        Tile tiles[3], out = makeTile([&] { return random.unit(); }), expected = out;
        const std::byte *slots[3];
        for (int i = 0; i < 3; ++i) {
          tiles[i] = makeTile([&] { return random.unit(); });
          slots[i] = reinterpret_cast<const std::byte *>(tiles[i].data());
        }
        kernels.reduceStored(pool, dims, DataFormat::Float32, slots, DataFormat::Float32, slots[0],
                             out.data(), isFresh);
        for (int i = 0; i < 3; ++i)
          kernels.reduce(pool, dims, tiles[i].data(), tiles[0][0], expected.data(),
                         isFresh && i == 0);
        expectSame(out, expected);
      }
}

INSTANTIATE_TEST_SUITE_P(Tile, Reductions, testing::ValuesIn(allLevels()), [](const auto &info) {
  return "v" + std::to_string(static_cast<int>(info.param->level) + 2);
});
