//===- DeviceHalvesTest.cpp - tiles of float16 and of bytes on the card -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tests whole tiles of float16 and of UInt8 in device numerics, from unpacking to packing, against
// loops over the second model (ScalarModel.h).
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/ScalarModel.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/TileOps.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::hw;

namespace {

struct Chip {
  bool isWormhole, dst32;
  int phases = 4;

  scalar::Model model() const { return {isWormhole, dst32, scalar::Deviation::None, true}; }
  NumericConfig config() const {
    return {.mode = NumericMode::Device,
            .isWormhole = isWormhole,
            .dst32 = dst32,
            .fidelity = phases == 1 ? MathFidelity::LoFi : static_cast<MathFidelity>(phases),
            .halves = true};
  }
};

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

class DeviceHalves : public testing::TestWithParam<Chip> {
protected:
  const Chip &chip = GetParam();
  const scalar::Model model = chip.model();
  const TileKernels &kernels = tileKernels(chip.config());
  const FormatKernels &stored = *kernels.format(DataFormat::Float16);
  Random random{17};

  uint16_t anyDatum() { return static_cast<uint16_t>(random.next()); }
  Slot anySlot() {
    Slot slot{};
    for (int i = 0; i < kTileElements; ++i)
      dataOf(slot)[i] = anyDatum();
    return slot;
  }
  // Returns a tile of numbers whose magnitudes are near one.
  Slot ordinarySlot() {
    Slot slot = anySlot();
    for (int i = 0; i < kTileElements; ++i)
      dataOf(slot)[i] = (dataOf(slot)[i] & 0x83ff) | (13 + random.below(5)) << 10;
    return slot;
  }
  static uint16_t *dataOf(Slot &slot) { return reinterpret_cast<uint16_t *>(slot.data()); }
  uint32_t at(Slot &slot, int row, int column) const {
    return model.ofFp16(dataOf(slot)[elementIndex(row, column)]);
  }
};

TEST_P(DeviceHalves, ProductOfMatrices) {
  for (bool isOrdinary : {true, false}) {
    Slot a = isOrdinary ? ordinarySlot() : anySlot(), b = isOrdinary ? ordinarySlot() : anySlot();
    Tile acc{};
    kernels.matmulStored(DataFormat::Float16, a.data(), DataFormat::Float16, b.data(), acc.data(),
                         true);
    for (int r = 0; r < kTileDim; r += 5)
      for (int c = 0; c < kTileDim; c += 3) {
        uint32_t expected = 0;
        for (int phase = 0; phase < chip.phases; ++phase)
          for (int half = 0; half < 2; ++half) {
            std::array<uint32_t, 16> column, row;
            for (int k = 0; k < 16; ++k) {
              column[k] = at(b, 16 * half + k, c);
              row[k] = at(a, r, 16 * half + k);
            }
            expected = model.dot16(column, row, expected, phase);
          }
        ASSERT_EQ(bits(acc[elementIndex(r, c)]), expected) << r << ", " << c;
      }
  }
}

TEST_P(DeviceHalves, ElementwiseOperations) {
  Slot a = anySlot(), b = anySlot();
  Tile left, right, out;
  stored.unpackOperand(a.data(), left.data());
  stored.unpackOperand(b.data(), right.data());
  kernels.matrix(TileOp::Add, left.data(), right.data(), out.data(), true);
  for (int i = 0; i < kTileElements; ++i)
    ASSERT_EQ(bits(out[i]), model.sum(bits(left[i]), bits(right[i]), 0));
  kernels.matrix(TileOp::Sub, left.data(), right.data(), out.data(), true);
  for (int i = 0; i < kTileElements; ++i)
    ASSERT_EQ(bits(out[i]), model.sum(bits(left[i]), bits(right[i]) ^ 0x80000000, 0));
  kernels.matrix(TileOp::Mul, left.data(), right.data(), out.data(), true);
  for (int i = 0; i < kTileElements; ++i) {
    uint32_t expected = 0;
    for (int phase = 0; phase < chip.phases; ++phase)
      expected = model.product(bits(left[i]), bits(right[i]), expected, phase);
    ASSERT_EQ(bits(out[i]), expected);
  }
}

// A copy and the packer keep each datum, but zeros and denormals become +0. If DST is fp32, a value
// reaches float16 as a bf16.
TEST_P(DeviceHalves, CopiesAndPacking) {
  Slot slot = anySlot(), packed{};
  Tile tile;
  stored.unpack(slot.data(), tile.data());
  stored.pack(tile.data(), packed.data());
  for (int i = 0; i < kTileElements; ++i) {
    uint16_t datum = dataOf(slot)[i];
    bool isZero = (datum & 0x7c00) == 0;
    ASSERT_EQ(bits(tile[i]), isZero ? 0 : model.ofFp16(datum));
    ASSERT_EQ(dataOf(packed)[i], model.packedFp16(bits(tile[i])));
    if (!chip.dst32)
      ASSERT_EQ(dataOf(packed)[i], isZero ? 0 : datum);
  }
  Slot floats{};
  kernels.format(DataFormat::Float32)->pack(tile.data(), floats.data());
  EXPECT_EQ(std::memcmp(floats.data(), tile.data(), sizeof(float) * kTileElements), 0);
  kernels.transposeStored(DataFormat::Float16, slot.data(), tile.data());
  EXPECT_EQ(bits(tile[elementIndex(3, 20)]), model.sum(0, at(slot, 20, 3), 0));
  kernels.broadcastStored(TileDims::Row, DataFormat::Float16, slot.data(), tile.data());
  EXPECT_EQ(bits(tile[elementIndex(9, 20)]), model.sum(0, at(slot, 9, 0), 0));
}

TEST_P(DeviceHalves, Float32PassesThroughSourceRegistersAsFloat16) {
  Tile tile = makeTile([&] { return random.unit() * 1e5f; }), source;
  kernels.format(DataFormat::Float32)
      ->unpackOperand(reinterpret_cast<const std::byte *>(tile.data()), source.data());
  for (int i = 0; i < kTileElements; ++i)
    ASSERT_EQ(bits(source[i]), model.asFp16(bits(tile[i])));
}

TEST_P(DeviceHalves, AccumulationInL1) {
  Slot slot = anySlot(), before = slot, other = anySlot();
  Tile tile;
  stored.unpack(other.data(), tile.data());
  stored.packAccumulate(tile.data(), slot.data());
  for (int i = 0; i < kTileElements; ++i) {
    uint32_t value = model.packedFp16(bits(tile[i]));
    ASSERT_EQ(dataOf(slot)[i], model.accumulatedFp16(dataOf(before)[i], value));
  }
}

// Leaves out moves between registers of 32 bits, whose bits for float16 are not known.
TEST_P(DeviceHalves, SumsInRegistersOf16Bits) {
  Slot tile = ordinarySlot(), scaling = ordinarySlot();
  const std::byte *tiles[] = {tile.data()};
  std::array<uint32_t, 16> factors;
  for (int i = 0; i < 16; ++i)
    factors[i] = at(scaling, 0, i);
  for (TileDims dims : {TileDims::Col, TileDims::Row}) {
    if (chip.dst32 && dims == TileDims::Row)
      continue;
    Tile acc{};
    kernels.reduceStored(Pool::Sum, dims, DataFormat::Float16, tiles, DataFormat::Float16,
                         scaling.data(), acc.data(), true);
    for (int n = 0; n < kTileDim; ++n) {
      uint32_t expected = 0;
      for (int half = 0; half < 2; ++half) {
        std::array<uint32_t, 16> values;
        for (int i = 0; i < 16; ++i)
          values[i] =
              dims == TileDims::Col ? at(tile, 16 * half + i, n) : at(tile, n, 16 * half + i);
        for (int phase = 0; phase < chip.phases; ++phase)
          expected = model.dot16(values, factors, expected, phase);
      }
      expected = dims == TileDims::Row ? model.sum(0, expected, 0) : expected;
      ASSERT_EQ(bits(acc[reducedIndex(dims, n)]), expected) << n;
    }
  }
}

// The vector engine computes in fp32 for every format; a store to a DST of 16 bits cuts.
TEST_P(DeviceHalves, StoresOfTheVectorEngine) {
  NumericConfig wide = chip.config();
  wide.halves = false;
  wide.dst32 = true;
  Tile a = makeTile([&] { return random.unit() * 300; }),
       b = makeTile([&] { return random.unit() * 300; });
  Tile found, exact;
  for (TileOp op : {TileOp::Add, TileOp::Sub}) {
    kernels.binary(op, a.data(), b.data(), found.data());
    tileKernels(wide).binary(op, a.data(), b.data(), exact.data());
    for (int i = 0; i < kTileElements; ++i)
      ASSERT_EQ(bits(found[i]), chip.dst32 ? bits(exact[i]) : model.storedFp16(bits(exact[i])));
  }
  kernels.fill(found.data(), 1e6f);
  EXPECT_EQ(found[0], chip.dst32 ? 1e6f : 131008.0f) << "the largest number";
  a.fill(2.0f);
  kernels.unary(TileOp::Exp, a.data());
  EXPECT_NEAR(a[0], std::exp(2.0f), 0.03) << "rounded to bf16 first in 16 bits";
}

TEST_P(DeviceHalves, EveryLevelGivesTheSameBits) {
  Slot slot = anySlot(), other = anySlot();
  Tile expected{}, found{};
  kernels.matmulStored(DataFormat::Float16, slot.data(), DataFormat::Float16, other.data(),
                       expected.data(), true);
  for (const TileKernels *level : allLevels()) {
    const TileKernels &own = *tileKernels(chip.config(), level->level);
    own.matmulStored(DataFormat::Float16, slot.data(), DataFormat::Float16, other.data(),
                     found.data(), true);
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), sizeof(float) * kTileElements), 0);
    for (const TileOpFacts &facts : kTileOps) {
      if (facts.kind != TileOpKind::Binary)
        continue;
      Random same(23);
      Tile a = makeTile([&] { return anyFloat(same); }),
           b = makeTile([&] { return anyFloat(same); });
      Tile one, two;
      kernels.binary(facts.op, a.data(), b.data(), one.data());
      own.binary(facts.op, a.data(), b.data(), two.data());
      for (int i = 0; i < kTileElements; ++i)
        ASSERT_EQ(observed(one[i]), observed(two[i])) << facts.name;
    }
  }
}

constexpr Chip kChips[] = {{true, true, 4},   {true, false, 4}, {false, true, 4},
                           {false, false, 4}, {true, true, 1},  {false, false, 2}};

std::string nameOf(const testing::TestParamInfo<Chip> &info) {
  return std::string(info.param.isWormhole ? "wormhole" : "blackhole") +
         (info.param.dst32 ? "32" : "16") + "x" + std::to_string(info.param.phases);
}

INSTANTIATE_TEST_SUITE_P(Tile, DeviceHalves, testing::ValuesIn(kChips), nameOf);

//===--------------------------------------------------------------------------===//
// Bytes
//===--------------------------------------------------------------------------===//

const TileKernels &byteKernels(MathFidelity fidelity) {
  return tileKernels({.mode = NumericMode::Device, .dst32 = true, .fidelity = fidelity});
}

Slot anyBytes(Random &random) {
  Slot slot{};
  for (int i = 0; i < kTileElements; ++i)
    slot[i] = static_cast<std::byte>(random.next());
  return slot;
}

// LoFi multiplies the upper three bits of one operand with the upper four bits of the other.
TEST(DeviceIntegers, ProductOfBytes) {
  Random random(5);
  Slot a = anyBytes(random), b = anyBytes(random);
  for (MathFidelity fidelity : {MathFidelity::LoFi, MathFidelity::HiFi2, MathFidelity::HiFi4}) {
    Tile acc{};
    byteKernels(fidelity).matmulStored(DataFormat::UInt8, a.data(), DataFormat::UInt8, b.data(),
                                       acc.data(), true);
    for (int r = 0; r < kTileDim; r += 3)
      for (int c = 0; c < kTileDim; c += 5) {
        uint32_t expected = 0;
        for (int k = 0; k < kTileDim; ++k) {
          auto left = std::to_integer<uint32_t>(a[elementIndex(r, k)]);
          auto right = std::to_integer<uint32_t>(b[elementIndex(k, c)]);
          left &= fidelity == MathFidelity::HiFi4 ? 255 : 0xf0;
          right &= fidelity == MathFidelity::LoFi ? 0xe0 : 255;
          expected += left * right;
        }
        ASSERT_EQ(bits(acc[elementIndex(r, c)]), expected) << r << ", " << c;
      }
  }
}

TEST(DeviceIntegers, ProductsOfBytesSaturate) {
  Slot ones{};
  ones.fill(std::byte{255});
  Tile acc = makeTile([] { return std::bit_cast<float>(INT32_MAX - 1000); });
  byteKernels(MathFidelity::HiFi4)
      .matmulStored(DataFormat::UInt8, ones.data(), DataFormat::UInt8, ones.data(), acc.data(),
                    false);
  EXPECT_EQ(bits(acc[77]), uint32_t{INT32_MAX});
}

// UInt16 is only moved: typecast_tile widens the unpacked number and limits what is packed.
TEST(DeviceIntegers, UInt16IsMoved) {
  const FormatKernels &format = *byteKernels(MathFidelity::HiFi4).format(DataFormat::UInt16);
  for (uint32_t begin = 0; begin < 0x10000; begin += kTileElements) {
    Tile tile{}, found{};
    for (int i = 0; i < kTileElements; ++i)
      tile[i] = std::bit_cast<float>(begin + i);
    Slot slot{};
    format.pack(tile.data(), slot.data());
    format.unpack(slot.data(), found.data());
    for (int i = 0; i < kTileElements; ++i)
      ASSERT_EQ(bits(found[i]), begin + i);
  }
}

TEST(DeviceIntegers, PackerLimitsBytes) {
  Tile tile{};
  int32_t values[] = {-1, 0, 7, 255, 256, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < std::size(values); ++i)
    tile[i] = std::bit_cast<float>(values[i]);
  Slot slot{};
  byteKernels(MathFidelity::HiFi4).format(DataFormat::UInt8)->pack(tile.data(), slot.data());
  uint8_t expected[] = {0, 0, 7, 255, 255, 255, 0};
  for (size_t i = 0; i < std::size(values); ++i)
    EXPECT_EQ(std::to_integer<uint8_t>(slot[i]), expected[i]) << values[i];
}

} // namespace
