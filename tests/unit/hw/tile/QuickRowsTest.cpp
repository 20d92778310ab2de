//===- QuickRowsTest.cpp - sums and products on the host's instructions -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares the rows of hw/tile/QuickRows.h with the scalar model of SFPMAD: on ordinary numbers,
// which the host's instructions compute, and on tiles with one number that is not ordinary.
//===--------------------------------------------------------------------------===//

#include "ScalarModel.h"

#include "hw/tile/TileMath.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

using namespace ttjit;
using namespace ttjit::hw;

namespace {

using Tile = std::array<float, kTileElements>;

struct Chip {
  bool isWormhole, dst32;
};

uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }
float floatOf(uint32_t bits) { return std::bit_cast<float>(bits); }

// Returns what DST holds of a result of the vector engine.
uint32_t stored(uint32_t bits, const Chip &chip) {
  if (!(bits & 0x7f800000))
    bits &= 0x80000000;
  return chip.dst32 ? bits : bits & 0xffff0000;
}

uint32_t expected(TileOp op, uint32_t a, uint32_t b, const Chip &chip) {
  scalar::Model model{chip.isWormhole, chip.dst32};
  constexpr uint32_t one = 0x3f800000, minusOne = 0xbf800000;
  if (op == TileOp::Add || op == TileOp::AddUnary)
    return stored(model.mad(one, a, b), chip);
  if (op == TileOp::Sub || op == TileOp::SubUnary)
    return stored(chip.isWormhole ? model.mad(b, minusOne, a) : model.mad(one, a, b ^ 0x80000000),
                  chip);
  uint32_t product = model.mad(a, b, 0);
  if (op == TileOp::Mul && !chip.dst32) // to nearest even; a product with zero is +0
    product = a && b ? (product + 0x7fff + (product >> 16 & 1)) & 0xffff0000 : 0;
  return stored(product, chip);
}

// Returns numbers whose exponents differ by at most `spread` from the exponent of 1, or zeros.
Tile randomTile(std::mt19937 &random, int spread, const Chip &chip) {
  Tile tile;
  for (float &value : tile) {
    auto exponent = static_cast<uint32_t>(127 - spread + int(random() % (2 * spread + 1)));
    uint32_t bits = (static_cast<uint32_t>(random()) & 0x807fffff) | exponent << 23;
    if (random() % 16 == 0)
      bits &= 0x80000000;
    value = floatOf(chip.dst32 ? bits : bits & 0xffff0000);
  }
  return tile;
}

// The model has one NaN only; DeviceVectorsTest checks the bits of NaNs.
void compareBits(TileOp op, float out, float a, float b, const Chip &chip) {
  uint32_t wanted = expected(op, bitsOf(a), bitsOf(b), chip);
  if ((wanted & 0x7fffffff) <= 0x7f800000)
    ASSERT_EQ(bitsOf(out), wanted) << factsOf(op).name << " of " << a << " and " << b;
}

void compare(const Tile &a, const Tile &b, const Chip &chip) {
  NumericConfig config{NumericMode::Device, chip.isWormhole, chip.dst32};
  for (IsaLevel level : {IsaLevel::V2, IsaLevel::V3, IsaLevel::V4}) {
    const TileKernels *tiles = tileKernels(config, level);
    if (!tiles)
      continue;
    for (TileOp op : {TileOp::Add, TileOp::Sub, TileOp::Mul}) {
      Tile out = a; // the result is written over the first operand
      tiles->binary(op, out.data(), b.data(), out.data());
      for (size_t i = 0; i < out.size(); ++i)
        compareBits(op, out[i], a[i], b[i], chip);
    }
    for (TileOp op : {TileOp::AddUnary, TileOp::SubUnary, TileOp::MulUnary}) {
      Tile out = a;
      tiles->unaryParam(op, out.data(), b.data());
      for (size_t i = 0; i < out.size(); ++i)
        compareBits(op, out[i], a[i], b[0], chip);
    }
  }
}

constexpr Chip kChips[] = {{true, true}, {true, false}, {false, true}, {false, false}};

} // namespace

TEST(QuickRowsTest, OrdinaryNumbersHaveTheBitsOfTheModel) {
  std::mt19937 random(7);
  for (const Chip &chip : kChips)
    for (int spread : {1, 4, 12, 30, 60})
      for (int round = 0; round < 4; ++round)
        compare(randomTile(random, spread, chip), randomTile(random, spread, chip), chip);
}

// Tiles with one number that is not ordinary, and results out of the range of ordinary numbers.
TEST(QuickRowsTest, OtherNumbersHaveTheBitsOfTheModel) {
  std::mt19937 random(8);
  for (const Chip &chip : kChips)
    for (uint32_t bits : {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00000u, 0x00010000u,
                          0x80010000u, 0x00800000u, 0x80800000u, 0x7f7f0000u, 0x00ff0000u}) {
      Tile a = randomTile(random, 4, chip), b = randomTile(random, 4, chip);
      a[17] = floatOf(bits);
      compare(a, b, chip);
      compare(b, a, chip);
      b[17] = floatOf(bits ^ 0x80000000);
      compare(a, b, chip);
    }
}

TEST(QuickRowsTest, SumsAroundTheSmallestNumbers) {
  std::mt19937 random(9);
  for (const Chip &chip : kChips)
    for (int round = 0; round < 8; ++round) {
      Tile a = randomTile(random, 2, chip), b = randomTile(random, 2, chip);
      for (Tile *tile : {&a, &b})
        for (float &value : *tile)
          value = floatOf(bitsOf(value) - (bitsOf(value) & 0x7f800000 ? 124u << 23 : 0));
      compare(a, b, chip);
    }
}
