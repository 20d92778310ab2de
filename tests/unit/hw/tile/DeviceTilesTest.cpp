//===- DeviceTilesTest.cpp - whole tiles in device numerics -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tests the order in which the card computes reductions and products of tiles, and its conversions,
// against loops over the second model (ScalarModel.h).
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/ScalarModel.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include <cmath>
#include <gtest/gtest.h>
#include <span>

using namespace ttjit;
using namespace ttjit::hw;

namespace {

struct Chip {
  bool isWormhole, dst32;
  int phases = 4;

  scalar::Model model() const { return {isWormhole, dst32}; }
  const TileKernels &kernels() const {
    MathFidelity fidelity = phases == 1 ? MathFidelity::LoFi : static_cast<MathFidelity>(phases);
    return tileKernels({.mode = NumericMode::Device,
                        .isWormhole = isWormhole,
                        .dst32 = dst32,
                        .fidelity = fidelity});
  }
};

class DeviceTiles : public testing::TestWithParam<Chip> {
protected:
  const Chip &chip = GetParam();
  const TileKernels &kernels = chip.kernels();
  Random random{11};

  uint32_t anyBf16() { return std::bit_cast<uint32_t>(random.unit() * 4) & 0xffff0000; }
  Slot anySlot() {
    Slot slot{};
    for (int i = 0; i < kTileElements; ++i)
      reinterpret_cast<uint16_t *>(slot.data())[i] = static_cast<uint16_t>(anyBf16() >> 16);
    return slot;
  }
  static uint32_t at(const Slot &slot, int row, int column) {
    return uint32_t{reinterpret_cast<const uint16_t *>(slot.data())[elementIndex(row, column)]}
           << 16;
  }
  // Returns acc plus the products of 16 values with the scaling values, over all phases.
  uint32_t pooled(const std::array<uint32_t, 16> &values, const std::array<uint32_t, 16> &scaling,
                  uint32_t acc) const {
    for (int phase = 0; phase < chip.phases; ++phase)
      acc = chip.model().dot16(values, scaling, acc, phase);
    return acc;
  }
  // Returns what a bf16 value is after it passed through a source register.
  uint32_t moved(uint32_t x) const { return chip.model().sum(0, x & 0xffff0000, 0); }
  std::array<uint32_t, 16> scalingRow(const Slot &scaling) const {
    std::array<uint32_t, 16> row;
    for (int i = 0; i < 16; ++i)
      row[i] = at(scaling, 0, i);
    return row;
  }
  Tile reduced(Pool pool, TileDims dims, std::span<const Slot> tiles, const Slot &scaling) const {
    Tile acc{};
    std::vector<const std::byte *> slots;
    for (const Slot &tile : tiles)
      slots.push_back(tile.data());
    kernels.reduceStored(pool, dims, DataFormat::Float16_b, slots, DataFormat::Float16_b,
                         scaling.data(), acc.data(), true);
    return acc;
  }
};

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

TEST_P(DeviceTiles, ProductOfMatrices) {
  Slot a = anySlot(), b = anySlot();
  Tile acc{};
  kernels.matmulStored(DataFormat::Float16_b, a.data(), DataFormat::Float16_b, b.data(), acc.data(),
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
          expected = chip.model().dot16(column, row, expected, phase);
        }
      EXPECT_EQ(bits(acc[elementIndex(r, c)]), expected) << r << ", " << c;
    }
}

TEST_P(DeviceTiles, SumOfColumns) {
  Slot tiles[] = {anySlot(), anySlot()}, scaling = anySlot();
  Tile acc = reduced(Pool::Sum, TileDims::Col, tiles, scaling);
  for (int c = 0; c < kTileDim; ++c) {
    uint32_t expected = 0;
    for (const Slot &tile : tiles)
      for (int half = 0; half < 2; ++half) {
        std::array<uint32_t, 16> values;
        for (int i = 0; i < 16; ++i)
          values[i] = at(tile, 16 * half + i, c);
        expected = pooled(values, scalingRow(scaling), expected);
      }
    EXPECT_EQ(bits(acc[elementIndex(0, c)]), expected) << c;
  }
  EXPECT_EQ(bits(acc[elementIndex(1, 0)]), 0u);
}

TEST_P(DeviceTiles, SumOfRowsPassesThroughASourceRegister) {
  Slot tiles[] = {anySlot(), anySlot()}, scaling = anySlot();
  Tile acc = reduced(Pool::Sum, TileDims::Row, tiles, scaling);
  for (int r = 0; r < kTileDim; ++r) {
    uint32_t expected = 0;
    for (const Slot &tile : tiles) {
      for (int half = 0; half < 2; ++half) {
        std::array<uint32_t, 16> values;
        for (int i = 0; i < 16; ++i)
          values[i] = at(tile, r, 16 * half + i);
        expected = pooled(values, scalingRow(scaling), expected);
      }
      expected = moved(expected);
    }
    EXPECT_EQ(bits(acc[elementIndex(r, 0)]), expected) << r;
  }
}

TEST_P(DeviceTiles, SumOfAllElementsIsScaledTwice) {
  Slot tile = anySlot(), scaling = anySlot();
  Tile acc = reduced(Pool::Sum, TileDims::Scalar, {&tile, 1}, scaling);
  std::array<uint32_t, 16> row{};
  for (int face = 0; face < 4; ++face)
    for (int c = 0; c < 16; ++c) {
      std::array<uint32_t, 16> values;
      for (int i = 0; i < 16; ++i)
        values[i] = at(tile, face / 2 * 16 + i, face % 2 * 16 + c);
      row[c] = pooled(values, scalingRow(scaling), row[c]);
    }
  for (uint32_t &value : row)
    value &= 0xffff0000;
  EXPECT_EQ(bits(acc[0]), pooled(row, scalingRow(scaling), 0));
}

TEST_P(DeviceTiles, MaximaAreThoseOfTheData) {
  Slot tile = anySlot(), scaling = anySlot();
  for (TileDims dims : {TileDims::Row, TileDims::Col, TileDims::Scalar}) {
    Tile acc = reduced(Pool::Max, dims, {&tile, 1}, scaling);
    for (int i = 0; i < numReduced(dims); ++i) {
      float largest = -100;
      for (int r = 0; r < kTileDim; ++r)
        for (int c = 0; c < kTileDim; ++c)
          if (dims == TileDims::Scalar || (dims == TileDims::Row ? r : c) == i)
            largest = std::max(largest, std::bit_cast<float>(at(tile, r, c)));
      EXPECT_EQ(acc[reducedIndex(dims, i)], largest);
    }
  }
}

TEST_P(DeviceTiles, CopiesDropDenormalsAndMinusZero) {
  Slot slot{};
  auto *data = reinterpret_cast<uint16_t *>(slot.data());
  data[0] = 0x8000;
  data[1] = 0x0001;
  data[2] = 0x7fc0;
  data[3] = 0xff80;
  Tile tile;
  kernels.format(DataFormat::Float16_b)->unpack(slot.data(), tile.data());
  EXPECT_EQ(bits(tile[0]), 0u);
  EXPECT_EQ(bits(tile[1]), 0u);
  EXPECT_EQ(bits(tile[2]), chip.dst32 ? 0x7f800000u : 0x7fc00000u) << "an addition of zero";
  EXPECT_EQ(bits(tile[3]), 0xff800000u);
  kernels.broadcastStored(TileDims::Col, DataFormat::Float16_b, slot.data(), tile.data());
  EXPECT_EQ(bits(tile[elementIndex(5, 2)]), 0x7fc00000u) << "a move";
}

// Returns what a datum of a block float means: minus zero is -infinity.
float blockFloatValue(int datum, int width, int exponent) {
  int limit = 1 << (width - 1), magnitude = datum % limit;
  float value = std::ldexp(static_cast<float>(magnitude), exponent - 127 - (width - 2));
  return datum < limit ? value : magnitude ? -value : -INFINITY;
}

TEST_P(DeviceTiles, SourceRegistersOfBlockFloats) {
  Slot slot{};
  Tile tile;
  auto *bytes = reinterpret_cast<uint8_t *>(slot.data());
  for (int exponent = 8; exponent < 255; ++exponent) {
    for (int i = 0; i < kTileElements; ++i)
      bytes[64 + i] = static_cast<uint8_t>(i);
    std::fill_n(bytes, 64, static_cast<uint8_t>(exponent));
    kernels.format(DataFormat::Bfp8_b)->unpackOperand(slot.data(), tile.data());
    for (int i = 0; i < 256; ++i)
      ASSERT_EQ(tile[i], blockFloatValue(i, 8, exponent)) << i << ", " << exponent;
    kernels.format(DataFormat::Bfp4_b)->unpackOperand(slot.data(), tile.data());
    for (int i = 0; i < 256; ++i)
      ASSERT_EQ(tile[2 * i], blockFloatValue(i % 16, 4, exponent)) << i << ", " << exponent;
  }
}

TEST_P(DeviceTiles, SourceRegistersOfFloat32) {
  Tile tile = makeTile([&] { return random.unit(); }), source, copied;
  tile[0] = std::bit_cast<float>(0x00345678); // this is a denormal
  auto *slot = reinterpret_cast<const std::byte *>(tile.data());
  kernels.format(DataFormat::Float32)->unpackOperand(slot, source.data());
  kernels.format(DataFormat::Float32)->unpack(slot, copied.data());
  for (int i = 1; i < kTileElements; ++i) {
    EXPECT_EQ(bits(source[i]), bits(tile[i]) & (chip.dst32 ? 0xffffe000 : 0xffff0000));
    EXPECT_EQ(bits(copied[i]), bits(tile[i]) & (chip.dst32 ? 0xffffffff : 0xffff0000));
  }
  EXPECT_EQ(bits(copied[0]), chip.dst32 ? 0x00345678u : 0u);
}

TEST_P(DeviceTiles, PackerOfEachFormat) {
  Random random(4);
  Tile tile = makeTile([&] {
    uint32_t x = std::bit_cast<uint32_t>(anyFloat(random));
    return std::bit_cast<float>(chip.dst32 ? x : x & 0xffff0000);
  });
  Slot slot{};
  kernels.format(DataFormat::Float16_b)->pack(tile.data(), slot.data());
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      EXPECT_EQ(at(slot, r, c), chip.model().packed(bits(tile[elementIndex(r, c)])));
  kernels.format(DataFormat::Float32)->pack(tile.data(), slot.data());
  for (int i = 0; i < kTileElements; ++i) {
    uint32_t expected = chip.dst32 ? bits(tile[i]) : chip.model().packed(bits(tile[i]));
    EXPECT_EQ(bits(reinterpret_cast<const float *>(slot.data())[i]), expected);
  }
}

TEST_P(DeviceTiles, AccumulationInL1) {
  Tile tile = makeTile([] { return 1.0f; });
  Slot slot{};
  const FormatKernels &stored = *kernels.format(DataFormat::Float16_b);
  auto *data = reinterpret_cast<uint16_t *>(slot.data());
  data[0] = 0x3f80; // 1
  data[1] = 0x4380; // 256; its sum with 1 is halfway between two bf16 numbers
  data[2] = 0x4381; // 258
  data[3] = 0xff80; // -infinity
  data[4] = 0x0001;
  tile[3] = std::bit_cast<float>(0x7f800000);
  stored.packAccumulate(tile.data(), slot.data());
  EXPECT_EQ(data[0], 0x4000);
  EXPECT_EQ(data[1], 0x4380);
  EXPECT_EQ(data[2], 0x4382) << "259, to even";
  EXPECT_EQ(data[3], 0x7fc0);
  EXPECT_EQ(data[4], 0x3f80);
}

// Beside a 2, the last place of a datum is 1/32. So 1 + 1/128 is rounded to 1, but it would not be
// if the packer's source of 7 bits had first rounded it to 1 + 1/64.
TEST_P(DeviceTiles, PreciseBlocksAreRoundedOnce) {
  Random random(8);
  Tile tile = makeTile([&] { return random.unit() * 4; });
  if (!chip.dst32)
    for (float &value : tile)
      value = std::bit_cast<float>(bits(value) & 0xffff0000);
  tile[0] = 2.0f;
  tile[1] = 1.0f + 1 / 128.0f;
  for (int i = 2; i < 16; ++i)
    tile[i] = 0.0f;
  Slot twice{}, once{};
  kernels.format(DataFormat::Bfp8_b)->pack(tile.data(), twice.data());
  tileKernels({.mode = NumericMode::Device,
               .isWormhole = chip.isWormhole,
               .dst32 = chip.dst32,
               .preciseBlocks = true})
      .format(DataFormat::Bfp8_b)
      ->pack(tile.data(), once.data());
  auto datum = [](const Slot &slot, int i) { return std::to_integer<uint32_t>(slot[64 + i]); };
  EXPECT_EQ(datum(twice, 1), 33u);
  EXPECT_EQ(datum(once, 1), 32u);
  for (int i = 0; i < kTileElements; ++i) {
    int shared = std::to_integer<int>(once[i / 16]);
    EXPECT_EQ(datum(once, i), chip.model().blockFloat(bits(tile[i]) & 0xffff0000, 8, shared));
  }
}

TEST_P(DeviceTiles, ReuseOfARegisterCutsIt) {
  Tile tile = makeTile([] { return std::bit_cast<float>(0x3f812345); });
  kernels.moveToSource(tile.data(), false);
  EXPECT_EQ(bits(tile[9]), chip.dst32 ? 0x3f810000u : 0x3f812345u);
  tile = makeTile([] { return std::bit_cast<float>(0x3f812345); });
  kernels.moveToSource(tile.data(), true);
  EXPECT_EQ(bits(tile[9]), chip.dst32 ? 0x3f812000u : 0x3f812345u);
}

constexpr Chip kChips[] = {{true, true, 4}, {true, false, 4}, {false, true, 4}, {false, false, 4},
                           {true, true, 1}, {true, false, 2}, {false, true, 3}};

std::string nameOf(const testing::TestParamInfo<Chip> &info) {
  return std::string(info.param.isWormhole ? "wormhole" : "blackhole") +
         (info.param.dst32 ? "32" : "16") + "x" + std::to_string(info.param.phases);
}

INSTANTIATE_TEST_SUITE_P(Tile, DeviceTiles, testing::ValuesIn(kChips), nameOf);

} // namespace
