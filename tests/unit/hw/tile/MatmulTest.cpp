//===- MatmulTest.cpp - products of tiles -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/TileTesting.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ttjit::hw;

namespace {

// Computes a product as it is defined: one chain of fma per element, with k ascending.
Tile chained(const Tile &a, const Tile &b, const Tile &start) {
  Tile result;
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c) {
      float sum = start[elementIndex(r, c)];
      for (int k = 0; k < kTileDim; ++k)
        sum = std::fma(a[elementIndex(r, k)], b[elementIndex(k, c)], sum);
      result[elementIndex(r, c)] = sum;
    }
  return result;
}

void expectSame(const Tile &got, const Tile &expected) {
  for (int i = 0; i < kTileElements; ++i)
    ASSERT_EQ(observed(got[i]), observed(expected[i])) << "element " << i;
}

float wide(Random &random) {
  float unit = random.unit();
  return std::ldexp(unit, random.below(40) - 20);
}

} // namespace

TEST(Matmul, ChainsFmaOverAscendingK) {
  Random random(31);
  for (const TileKernels *kernels : allLevels())
    for (int round = 0; round < 20; ++round) {
      Tile a = makeTile([&] { return wide(random); }), b = makeTile([&] { return wide(random); });
      Tile acc = makeTile([&] { return wide(random); });
      Tile expected = chained(a, b, acc);
      kernels->matmul(a.data(), b.data(), acc.data(), false);
      expectSame(acc, expected);
      kernels->matmul(a.data(), b.data(), acc.data(), true);
      expectSame(acc, chained(a, b, Tile{}));
    }
}

TEST(Matmul, SpecialValues) {
  Random random(32);
  for (const TileKernels *kernels : allLevels()) {
    // Special values are rare, since otherwise every sum would end as NaN.
    auto rare = [&] { return random.below(60) ? random.unit() : anyFloat(random); };
    Tile a = makeTile(rare), b = makeTile(rare), acc = makeTile(rare);
    Tile expected = chained(a, b, acc);
    kernels->matmul(a.data(), b.data(), acc.data(), false);
    expectSame(acc, expected);
  }
}

TEST(Matmul, StartsFromPlusZero) {
  Tile a{}, b{}, acc;
  a.fill(-0.0f);
  b.fill(1.0f);
  for (const TileKernels *kernels : allLevels()) {
    acc.fill(std::bit_cast<float>(0x7fc00000u));
    kernels->matmul(a.data(), b.data(), acc.data(), true);
    expectSame(acc, Tile{});
  }
}

TEST(Matmul, ReadsStoredTiles) {
  Random random(33);
  const DataFormat formats[] = {DataFormat::Float32, DataFormat::Float16_b};
  for (const TileKernels *kernels : allLevels())
    for (DataFormat formatA : formats)
      for (DataFormat formatB : formats) {
        Slot slotA, slotB;
        Tile tile = makeTile([&] { return wide(random); }), a, b;
        kernels->format(formatA)->pack(tile.data(), slotA.data());
        kernels->format(formatA)->unpack(slotA.data(), a.data());
        tile = makeTile([&] { return wide(random); });
        kernels->format(formatB)->pack(tile.data(), slotB.data());
        kernels->format(formatB)->unpack(slotB.data(), b.data());
        Tile expected = chained(a, b, tile), acc = tile;
        kernels->matmulStored(formatA, slotA.data(), formatB, slotB.data(), acc.data(), false);
        expectSame(acc, expected);
      }
}

TEST(Matmul, CloseToDouble) {
  Random random(34);
  Tile a = makeTile([&] { return random.unit(); }), b = makeTile([&] { return random.unit(); });
  Tile acc;
  tileKernels().matmul(a.data(), b.data(), acc.data(), true);
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c) {
      double sum = 0;
      for (int k = 0; k < kTileDim; ++k)
        sum += double(a[elementIndex(r, k)]) * b[elementIndex(k, c)];
      EXPECT_NEAR(acc[elementIndex(r, c)], sum, 1e-5);
    }
}
