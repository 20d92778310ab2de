//===- FormatsTest.cpp - packing and unpacking --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/TileTesting.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace ttjit::hw;

namespace {

uint16_t bf16At(const Slot &slot, int index) {
  uint16_t datum;
  std::memcpy(&datum, slot.data() + 2 * index, 2);
  return datum;
}

void setBf16(Slot &slot, int index, uint16_t datum) {
  std::memcpy(slot.data() + 2 * index, &datum, 2);
}

float bf16ToFloat(uint16_t datum) { return std::bit_cast<float>(uint32_t(datum) << 16); }

// Rounds by comparing distances: to the nearer of two neighbours, to the even one if both are
// equally near. The neighbour above the largest finite value is 2^128.
uint16_t roundToBf16(float value) {
  if (std::isnan(value))
    return 0x7fc0;
  uint16_t towardZero = std::bit_cast<uint32_t>(value) >> 16;
  if (std::isinf(value))
    return towardZero;
  auto magnitude = [](uint16_t datum) {
    return (datum & 0x7fff) == 0x7f80 ? 0x1p128 : std::fabs(double(bf16ToFloat(datum)));
  };
  uint16_t away = towardZero + 1;
  double below = std::fabs(double(value)) - magnitude(towardZero);
  double above = magnitude(away) - std::fabs(double(value));
  if (below != above)
    return below < above ? towardZero : away;
  return towardZero & 1 ? away : towardZero;
}

const FormatKernels &bf16Of(const TileKernels &kernels) {
  return *kernels.format(DataFormat::Float16_b);
}

} // namespace

TEST(Formats, ElementOrderIsFourFaces) {
  for (int r = 0; r < kTileDim; ++r)
    for (int c = 0; c < kTileDim; ++c)
      EXPECT_EQ(elementIndex(r, c), ((r / 16) * 2 + c / 16) * 256 + (r % 16) * 16 + c % 16);
}

TEST(Formats, OnlyTheseAreSupported) {
  const std::set<DataFormat> supported = {
      DataFormat::Float32, DataFormat::Float16_b, DataFormat::Float16,
      DataFormat::Bfp8_b,  DataFormat::Bfp4_b,    DataFormat::Int32,
      DataFormat::UInt32,  DataFormat::UInt16,    DataFormat::UInt8};
  for (const TileKernels *kernels : allLevels())
    for (int number = 0; number < 256; ++number) {
      auto format = static_cast<DataFormat>(number);
      EXPECT_EQ(kernels->format(format) != nullptr, supported.contains(format)) << number;
    }
}

TEST(Formats, Bf16UnpacksExactly) {
  for (const TileKernels *kernels : allLevels())
    for (int base = 0; base < 65536; base += kTileElements) {
      Slot slot;
      Tile tile;
      for (int i = 0; i < kTileElements; ++i)
        setBf16(slot, i, base + i);
      bf16Of(*kernels).unpack(slot.data(), tile.data());
      for (int i = 0; i < kTileElements; ++i) {
        ASSERT_EQ(observed(tile[i]), observed(bf16ToFloat(base + i)));
        ASSERT_EQ(observed(bf16Of(*kernels).loadElement(slot.data(), i)), observed(tile[i]));
      }
    }
}

TEST(Formats, Bf16PacksToNearestEven) {
  const uint32_t lowHalves[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  for (const TileKernels *kernels : allLevels())
    for (uint32_t low : lowHalves)
      for (uint32_t base = 0; base < 65536; base += kTileElements) {
        Tile tile;
        Slot slot;
        for (uint32_t i = 0; i < kTileElements; ++i)
          tile[i] = std::bit_cast<float>((base + i) << 16 | low);
        bf16Of(*kernels).pack(tile.data(), slot.data());
        for (int i = 0; i < kTileElements; ++i)
          ASSERT_EQ(bf16At(slot, i), roundToBf16(tile[i])) << std::hexfloat << tile[i];
        bf16Of(*kernels).storeElement(slot.data(), 5, tile[900]);
        ASSERT_EQ(bf16At(slot, 5), roundToBf16(tile[900]));
      }
}

TEST(Formats, Float32KeepsBitsButHasOneNaN) {
  Random random(21);
  for (const TileKernels *kernels : allLevels()) {
    const FormatKernels &fp32 = *kernels->format(DataFormat::Float32);
    Tile tile = makeTile([&] { return anyFloat(random); }), back;
    Slot slot;
    fp32.pack(tile.data(), slot.data());
    fp32.unpack(slot.data(), back.data());
    for (int i = 0; i < kTileElements; ++i)
      ASSERT_EQ(std::bit_cast<uint32_t>(back[i]), observed(tile[i]));
    fp32.storeElement(slot.data(), 7, std::bit_cast<float>(0xff800001));
    EXPECT_EQ(std::bit_cast<uint32_t>(fp32.loadElement(slot.data(), 7)), kCanonicalNaN);
  }
}

TEST(Formats, PackAccumulateRoundsEachSum) {
  Random random(22);
  for (const TileKernels *kernels : allLevels())
    for (DataFormat format : {DataFormat::Float32, DataFormat::Float16_b, DataFormat::Float16,
                              DataFormat::Bfp8_b, DataFormat::Bfp4_b}) {
      const FormatKernels &stored = *kernels->format(format);
      Tile first = makeTile([&] { return anyFloat(random); });
      Tile added = makeTile([&] { return anyFloat(random); });
      Slot slot, expected;
      stored.pack(first.data(), slot.data());
      Tile sum;
      stored.unpack(slot.data(), sum.data());
      for (int i = 0; i < kTileElements; ++i)
        sum[i] = sum[i] + added[i];
      stored.pack(sum.data(), expected.data());
      stored.packAccumulate(added.data(), slot.data());
      EXPECT_EQ(std::memcmp(slot.data(), expected.data(), tileBytes(format)), 0)
          << formatName(format);
    }
}

TEST(Formats, PackWritesNothingElse) {
  for (const TileKernels *kernels : allLevels()) {
    Tile tile{};
    Slot slot;
    slot.fill(std::byte{0xab});
    bf16Of(*kernels).pack(tile.data(), slot.data());
    for (size_t i = 0; i < slot.size(); ++i)
      ASSERT_EQ(slot[i], i < 2048 ? std::byte{0} : std::byte{0xab}) << i;
  }
}
