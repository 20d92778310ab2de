//===- StorageFormatsTest.cpp - float16, block floats, integers ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares with formulas that follow the definition of each format, in double precision.
//===--------------------------------------------------------------------------===//

#include "hw/facts/TileOps.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace ttjit::hw;

namespace {

const FormatKernels &stored(const TileKernels &kernels, DataFormat format) {
  return *kernels.format(format);
}

//===--------------------------------------------------------------------------===//
// Float16
//===--------------------------------------------------------------------------===//

double valueOfFloat16(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023, sign = bits >> 15 ? -1 : 1;
  if (exponent == 31)
    return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));
}

// Returns the nearest of all finite numbers and 2^16, which stands for infinity; if two are equally
// near, the even one.
uint16_t nearestFloat16(float value) {
  if (std::isnan(value))
    return 0x7e00;
  double magnitude = std::fabs(double(value));
  uint16_t low = 0, high = 0x7c00;
  auto numberOf = [](uint16_t bits) { return bits == 0x7c00 ? 0x1p16 : valueOfFloat16(bits); };
  while (high - low > 1) {
    uint16_t middle = (low + high) / 2;
    (numberOf(middle) <= magnitude ? low : high) = middle;
  }
  double below = magnitude - numberOf(low), above = numberOf(high) - magnitude;
  uint16_t nearest = below < above ? low : above < below ? high : low % 2 ? high : low;
  return (std::isinf(value) ? 0x7c00 : nearest) | (std::signbit(value) ? 0x8000 : 0);
}

TEST(StorageFormats, Float16UnpacksExactly) {
  for (const TileKernels *kernels : allLevels())
    for (int base = 0; base < 65536; base += kTileElements) {
      Slot slot;
      Tile tile;
      for (int i = 0; i < kTileElements; ++i) {
        auto datum = static_cast<uint16_t>(base + i);
        std::memcpy(slot.data() + 2 * i, &datum, 2);
      }
      stored(*kernels, DataFormat::Float16).unpack(slot.data(), tile.data());
      for (int i = 0; i < kTileElements; ++i) {
        float expected = static_cast<float>(valueOfFloat16(static_cast<uint16_t>(base + i)));
        ASSERT_EQ(observed(tile[i]), observed(expected)) << base + i;
      }
    }
}

TEST(StorageFormats, Float16PacksToNearestEven) {
  Random random(31);
  auto value = [&]() -> float {
    if (random.below(4) == 0)
      return anyFloat(random);
    auto bits = static_cast<uint16_t>(random.next());
    float near = static_cast<float>(valueOfFloat16(bits));
    uint32_t moved = std::bit_cast<uint32_t>(near) + random.below(3) * 0x1000 + random.below(3) - 1;
    return std::bit_cast<float>(moved);
  };
  for (const TileKernels *kernels : allLevels())
    for (int round = 0; round < 50; ++round) {
      Tile tile = makeTile(value);
      Slot slot;
      stored(*kernels, DataFormat::Float16).pack(tile.data(), slot.data());
      for (int i = 0; i < kTileElements; ++i) {
        uint16_t datum;
        std::memcpy(&datum, slot.data() + 2 * i, 2);
        ASSERT_EQ(datum, nearestFloat16(tile[i])) << std::hexfloat << tile[i];
      }
    }
}

//===--------------------------------------------------------------------------===//
// Block floats
//===--------------------------------------------------------------------------===//

struct BlockFormat {
  DataFormat format;
  int bits; // the width of a datum
};
constexpr BlockFormat kBlockFormats[] = {{DataFormat::Bfp8_b, 8}, {DataFormat::Bfp4_b, 4}};

int exponentField(float value) { return std::bit_cast<uint32_t>(value) >> 23 & 255; }

// Returns the sign and the magnitude of element `i` of a stored tile.
std::pair<bool, int> datumOf(const Slot &slot, int i, int bits) {
  int byte = std::to_integer<int>(slot[64 + i * bits / 8]);
  int datum = bits == 8 ? byte : byte >> (i % 2 * 4) & 15;
  return {datum >> (bits - 1), datum & ((1 << (bits - 1)) - 1)};
}

float finiteFloat(Random &random) {
  float value = anyFloat(random);
  return std::isfinite(value) ? value : 1.5f;
}

TEST(StorageFormats, BlockFloatsHaveTheirSizes) {
  EXPECT_EQ(tileBytes(DataFormat::Bfp8_b), 1088);
  EXPECT_EQ(tileBytes(DataFormat::Bfp4_b), 576);
}

TEST(StorageFormats, BlockFloatsRoundToTheirCommonExponent) {
  Random random(32);
  for (const TileKernels *kernels : allLevels())
    for (auto [format, bits] : kBlockFormats)
      for (int round = 0; round < 20; ++round) {
        Tile tile = makeTile([&] { return round % 2 ? finiteFloat(random) : random.unit(); });
        Slot slot;
        stored(*kernels, format).pack(tile.data(), slot.data());
        for (int i = 0; i < kTileElements; ++i) {
          int exponent = 0, first = i / 16 * 16;
          for (int k = first; k < first + 16; ++k)
            exponent = std::max(exponent, exponentField(tile[k]));
          ASSERT_EQ(std::to_integer<int>(slot[i / 16]), exponent);
          double unit = std::ldexp(1.0, exponent - 127 - (bits - 2));
          double largest = (1 << (bits - 1)) - 1;
          double expected = std::min(std::nearbyint(std::fabs(double(tile[i])) / unit), largest);
          auto [negative, magnitude] = datumOf(slot, i, bits);
          ASSERT_EQ(magnitude, expected) << std::hexfloat << tile[i] << " in 2^" << exponent;
          ASSERT_EQ(negative, magnitude != 0 && std::signbit(tile[i]));
        }
      }
}

TEST(StorageFormats, BlockFloatsUnpackExactly) {
  Random random(33);
  for (const TileKernels *kernels : allLevels())
    for (auto [format, bits] : kBlockFormats) {
      Slot slot;
      for (std::byte &byte : slot)
        byte = static_cast<std::byte>(random.next());
      Tile tile;
      stored(*kernels, format).unpack(slot.data(), tile.data());
      for (int i = 0; i < kTileElements; ++i) {
        auto [negative, magnitude] = datumOf(slot, i, bits);
        int exponent = std::to_integer<int>(slot[i / 16]);
        double value = std::ldexp(magnitude, exponent - 127 - (bits - 2));
        if (negative && magnitude == 0)
          value = std::numeric_limits<double>::infinity();
        ASSERT_EQ(observed(tile[i]), observed(static_cast<float>(negative ? -value : value)));
        ASSERT_EQ(observed(stored(*kernels, format).loadElement(slot.data(), i)),
                  observed(tile[i]));
      }
    }
}

TEST(StorageFormats, BlockFloatsKeepWhatTheyCanHold) {
  Random random(34);
  for (auto [format, bits] : kBlockFormats) {
    const FormatKernels &format_ = stored(tileKernels(), format);
    Tile tile = makeTile([&] { return finiteFloat(random); }), once, twice;
    Slot slot;
    format_.pack(tile.data(), slot.data());
    format_.unpack(slot.data(), once.data());
    format_.pack(once.data(), slot.data());
    format_.unpack(slot.data(), twice.data());
    EXPECT_EQ(std::memcmp(once.data(), twice.data(), sizeof(Tile)), 0);
  }
}

TEST(StorageFormats, BlockFloatsHaveInfinitiesAndNoNaN) {
  for (auto [format, bits] : kBlockFormats) {
    const FormatKernels &format_ = stored(tileKernels(), format);
    Tile tile{};
    tile[3] = std::numeric_limits<float>::infinity();
    tile[20] = -std::numeric_limits<float>::infinity();
    tile[40] = std::nanf("");
    Slot slot;
    format_.pack(tile.data(), slot.data());
    format_.unpack(slot.data(), tile.data());
    EXPECT_EQ(tile[3], std::numeric_limits<float>::infinity());
    EXPECT_EQ(tile[20], -std::numeric_limits<float>::infinity());
    EXPECT_EQ(tile[40], std::numeric_limits<float>::infinity());
    EXPECT_EQ(tile[0], 0.0f);
  }
}

TEST(StorageFormats, OneElementIsStoredWithItsRow) {
  for (auto [format, bits] : kBlockFormats) {
    const FormatKernels &format_ = stored(tileKernels(), format);
    Tile tile = makeTile([] { return 1.0f; });
    Slot slot;
    format_.pack(tile.data(), slot.data());
    format_.storeElement(slot.data(), 17, 4.0f);
    format_.unpack(slot.data(), tile.data());
    EXPECT_EQ(tile[17], 4.0f);
    EXPECT_EQ(tile[16], 1.0f);
    EXPECT_EQ(tile[15], 1.0f);
  }
}

//===--------------------------------------------------------------------------===//
// Integers
//===--------------------------------------------------------------------------===//

TEST(StorageFormats, IntegersMoveRawBits) {
  struct {
    DataFormat format;
    uint32_t mask;
  } const formats[] = {{DataFormat::Int32, ~0u},
                       {DataFormat::UInt32, ~0u},
                       {DataFormat::UInt16, 0xffff},
                       {DataFormat::UInt8, 0xff}};
  Random random(35);
  for (const TileKernels *kernels : allLevels())
    for (auto [format, mask] : formats) {
      auto any = [&] { return std::bit_cast<float>(static_cast<uint32_t>(random.next())); };
      Tile tile = makeTile(any), added = makeTile(any), back;
      Slot slot;
      stored(*kernels, format).pack(tile.data(), slot.data());
      stored(*kernels, format).packAccumulate(added.data(), slot.data());
      stored(*kernels, format).unpack(slot.data(), back.data());
      for (int i = 0; i < kTileElements; ++i) {
        uint32_t sum = std::bit_cast<uint32_t>(tile[i]) + std::bit_cast<uint32_t>(added[i]);
        ASSERT_EQ(std::bit_cast<uint32_t>(back[i]), sum & mask) << formatName(format);
      }
    }
}

//===--------------------------------------------------------------------------===//
// Arithmetic of integers
//===--------------------------------------------------------------------------===//

int32_t signedOf(uint32_t bits) { return static_cast<int32_t>(bits); }
uint32_t boolean(bool value) { return value ? 1 : 0; }

struct BinaryCase {
  TileOp op;
  uint32_t (*expected)(uint32_t, uint32_t);
};
using U = uint32_t;
const BinaryCase kBinary[] = {
    {TileOp::AddInt, [](U a, U b) { return a + b; }},
    {TileOp::SubInt, [](U a, U b) { return a - b; }},
    {TileOp::MulInt, [](U a, U b) { return a * b; }},
    {TileOp::MaxInt32, [](U a, U b) { return signedOf(a) > signedOf(b) ? a : b; }},
    {TileOp::MinInt32, [](U a, U b) { return signedOf(a) < signedOf(b) ? a : b; }},
    {TileOp::MaxUInt32, [](U a, U b) { return a > b ? a : b; }},
    {TileOp::MinUInt32, [](U a, U b) { return a < b ? a : b; }},
    {TileOp::EqInt, [](U a, U b) { return boolean(a == b); }},
    {TileOp::NeInt, [](U a, U b) { return boolean(a != b); }},
    {TileOp::LtInt32, [](U a, U b) { return boolean(signedOf(a) < signedOf(b)); }},
    {TileOp::LeInt32, [](U a, U b) { return boolean(signedOf(a) <= signedOf(b)); }},
    {TileOp::LtUInt32, [](U a, U b) { return boolean(a < b); }},
    {TileOp::LeUInt32, [](U a, U b) { return boolean(a <= b); }},
};

// Returns integers whose bits may be those of a NaN, an infinity, a zero or a denormal.
float anyInteger(Random &random) {
  constexpr uint32_t kSpecial[] = {0,          1,          0x7fffffff, 0x80000000,
                                   0xffffffff, 0x7f800001, 0xffc00000};
  uint32_t bits = random.below(3) ? static_cast<uint32_t>(random.next())
                                  : kSpecial[random.below(std::size(kSpecial))];
  return std::bit_cast<float>(bits);
}

TEST(IntegerLanes, Binary) {
  Random random(36);
  for (const TileKernels *kernels : allLevels())
    for (const BinaryCase &test : kBinary) {
      Tile a = makeTile([&] { return anyInteger(random); }), out;
      Tile b = makeTile([&] { return anyInteger(random); });
      kernels->binary(test.op, a.data(), b.data(), out.data());
      for (int i = 0; i < kTileElements; ++i)
        ASSERT_EQ(std::bit_cast<U>(out[i]),
                  test.expected(std::bit_cast<U>(a[i]), std::bit_cast<U>(b[i])))
            << factsOf(test.op).name;
    }
}

TEST(IntegerLanes, Where) {
  Random random(37);
  for (const TileKernels *kernels : allLevels()) {
    Tile c = makeTile([&] { return anyInteger(random); }), out;
    Tile a = makeTile([&] { return anyInteger(random); });
    Tile b = makeTile([&] { return anyInteger(random); });
    kernels->ternary(TileOp::WhereInt, c.data(), a.data(), b.data(), out.data());
    for (int i = 0; i < kTileElements; ++i)
      ASSERT_EQ(std::bit_cast<U>(out[i]),
                std::bit_cast<U>(std::bit_cast<U>(c[i]) != 0 ? a[i] : b[i]));
  }
}

uint32_t truncated(float x, double low, double high) {
  if (std::isnan(x))
    return 0;
  double bounded = std::min(std::max(std::trunc(double(x)), low), high);
  return static_cast<uint32_t>(static_cast<int64_t>(bounded));
}

TEST(IntegerLanes, Conversions) {
  Random random(38);
  for (const TileKernels *kernels : allLevels()) {
    auto scaled = [&] { return std::ldexp(anyFloat(random), random.below(40)); };
    Tile floats = makeTile(scaled), asSigned = floats, asUnsigned = floats;
    kernels->unary(TileOp::FloatToInt32, asSigned.data());
    kernels->unary(TileOp::FloatToUInt32, asUnsigned.data());
    Tile integers = makeTile([&] { return anyInteger(random); });
    Tile fromSigned = integers, fromUnsigned = integers, low16 = integers, low8 = integers;
    kernels->unary(TileOp::Int32ToFloat, fromSigned.data());
    kernels->unary(TileOp::UInt32ToFloat, fromUnsigned.data());
    kernels->unary(TileOp::ToUInt16, low16.data());
    kernels->unary(TileOp::ToUInt8, low8.data());
    for (int i = 0; i < kTileElements; ++i) {
      U bits = std::bit_cast<U>(integers[i]);
      ASSERT_EQ(std::bit_cast<U>(asSigned[i]), truncated(floats[i], -0x1p31, 0x1p31 - 1));
      ASSERT_EQ(std::bit_cast<U>(asUnsigned[i]), truncated(floats[i], 0, 0x1p32 - 1));
      ASSERT_EQ(fromSigned[i], static_cast<float>(signedOf(bits)));
      ASSERT_EQ(fromUnsigned[i], static_cast<float>(bits));
      ASSERT_EQ(std::bit_cast<U>(low16[i]), bits & 0xffff);
      ASSERT_EQ(std::bit_cast<U>(low8[i]), bits & 0xff);
    }
  }
}

TEST(IntegerLanes, RoundingToSixteenBitsIsThatOfTheFormat) {
  Random random(39);
  struct {
    TileOp op;
    DataFormat format;
  } const cases[] = {{TileOp::ToBFloat16, DataFormat::Float16_b},
                     {TileOp::ToFloat16, DataFormat::Float16}};
  for (const TileKernels *kernels : allLevels())
    for (auto [op, format] : cases) {
      Tile tile = makeTile([&] { return anyFloat(random); }), rounded = tile, expected;
      kernels->unary(op, rounded.data());
      Slot slot;
      stored(*kernels, format).pack(tile.data(), slot.data());
      stored(*kernels, format).unpack(slot.data(), expected.data());
      for (int i = 0; i < kTileElements; ++i)
        ASSERT_EQ(observed(rounded[i]), observed(expected[i]));
    }
}

} // namespace
