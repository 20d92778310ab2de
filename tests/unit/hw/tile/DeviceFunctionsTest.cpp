//===- DeviceFunctionsTest.cpp - functions of C++ kernels on the card ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Tests the functions of hw/facts/VectorOp.h in device numerics, over all bf16 inputs: against
// hashes, formulas, other functions of the engine, and the second model (ScalarModel.h).
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/DeviceHashes.h"
#include "tests/unit/hw/tile/ScalarModel.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/TileOps.h"
#include "hw/facts/VectorOp.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::hw;

namespace {

constexpr uint32_t kInf = 0x7f800000, kSign = 0x80000000, kOne = 0x3f800000;

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
float number(uint32_t x) { return std::bit_cast<float>(x); }
uint32_t truth(bool value) { return value ? kOne : 0; }
bool isDenormal(uint32_t x) { return (x & kInf) == 0 && (x & ~kSign) != 0; }

std::vector<NumericConfig> configs() {
  std::vector<NumericConfig> all;
  for (bool isWormhole : {true, false})
    for (bool dst32 : {false, true})
      all.push_back({.mode = NumericMode::Device, .isWormhole = isWormhole, .dst32 = dst32});
  return all;
}
std::string nameOf(const NumericConfig &config) {
  return fmt::format("{}, {} DST", config.isWormhole ? "Wormhole" : "Blackhole",
                     config.dst32 ? "fp32" : "16-bit");
}

Tile computed(const TileKernels &kernels, VectorOp op, const Tile &x, float word) {
  Tile second = makeTile([&] { return word; }), result;
  kernels.vectorOps[static_cast<int>(op)](x.data(), second.data(), result.data());
  return result;
}

// Calls `compare` with tiles that together hold all bf16 numbers.
template <typename Compare> void forAllInputs(Compare compare) {
  for (uint32_t begin = 0; begin < 0x10000; begin += kTileElements) {
    uint32_t next = begin;
    compare(makeTile([&] { return number(next++ << 16); }));
  }
}

uint32_t stored(const NumericConfig &config, uint32_t x) {
  x = isDenormal(x) || (x & kInf) == 0 ? x & kSign : x;
  return config.dst32 ? x : x & 0xffff0000;
}

struct Rule {
  VectorOp op;
  float word;
  uint32_t (*expected)(uint32_t x, float word);
};

// Each rule gives the element before it is stored. The number 0.3 has bits that a 16-bit DST
// cuts.
const Rule kRules[] = {
    {VectorOp::Heaviside, 0.3f,
     [](uint32_t x, float word) { return x & kSign ? 0
                                         : x == 0  ? bits(word)
                                                   : kOne; }},
    {VectorOp::LogicalNot, 0, [](uint32_t x, float) { return truth(x == 0); }},
    {VectorOp::IsPosInf, 0, [](uint32_t x, float) { return truth(x == kInf); }},
    {VectorOp::IsNegInf, 0, [](uint32_t x, float) { return truth(x == (kSign | kInf)); }},
    {VectorOp::IsFinite, 0, [](uint32_t x, float) { return truth(std::isfinite(number(x))); }},
    {VectorOp::Identity, 0, [](uint32_t x, float) { return x; }},
    {VectorOp::SoftShrink, 0.3f,
     [](uint32_t x, float word) {
       float a = number(x);
       return a > word ? bits(a - word) : a < -word ? bits(a + word) : 0;
     }},
    {VectorOp::HardShrink, 0.3f,
     [](uint32_t x, float word) { return std::fabs(number(x)) > word ? x : 0; }},
};

TEST(DeviceFunctions, FollowTheirRules) {
  for (const NumericConfig &config : configs())
    for (const Rule &rule : kRules)
      forAllInputs([&](const Tile &x) {
        Tile found = computed(tileKernels(config), rule.op, x, rule.word);
        for (int i = 0; i < kTileElements; ++i) {
          uint32_t in = bits(x[i]);
          bool subtracts = rule.op == VectorOp::SoftShrink || rule.op == VectorOp::HardShrink;
          if (isDenormal(in) || (subtracts && std::isnan(x[i])))
            continue;
          ASSERT_EQ(bits(found[i]), stored(config, rule.expected(in, rule.word)))
              << nameOf(config) << ": VectorOp " << static_cast<int>(rule.op) << " of " << std::hex
              << in;
        }
      });
}

TEST(DeviceFunctions, VariantsHaveTheirHashes) {
  for (const NumericConfig &config : configs())
    EXPECT_EQ(failureOfVariants(config), "") << nameOf(config);
}

// With math_approx_mode the result is the estimate, which no step improves.
TEST(DeviceFunctions, EstimateOfAReciprocal) {
  for (NumericConfig config : configs()) {
    config.approximate = true;
    const scalar::Model model{config.isWormhole, config.dst32};
    forAllInputs([&](const Tile &x) {
      Tile found = computed(tileKernels(config), VectorOp::AccurateRecip, x, 0);
      Tile quotient = computed(tileKernels(config), VectorOp::RDiv, x, 1);
      for (int i = 0; i < kTileElements; ++i) {
        float exact = 1 / x[i];
        if (!std::isnormal(x[i]) || std::fabs(x[i]) >= 0x1p125f)
          continue;
        ASSERT_NEAR(found[i], exact, std::fabs(exact) * 0x1p-6f) << nameOf(config);
        ASSERT_EQ(bits(quotient[i]), bits(found[i])) << nameOf(config);
        if (!config.isWormhole) {
          ASSERT_EQ(bits(found[i]), model.estimate(bits(x[i])));
        }
      }
    });
  }
}

TEST(DeviceFunctions, QuotientOfANumber) {
  for (const NumericConfig &config : configs())
    forAllInputs([&](const Tile &x) {
      Tile plain = computed(tileKernels(config), VectorOp::RDiv, x, 10);
      Tile trunc = computed(tileKernels(config), VectorOp::RDivTrunc, x, 10);
      Tile floor = computed(tileKernels(config), VectorOp::RDivFloor, x, 10);
      for (int i = 0; i < kTileElements; ++i) {
        float exact = 10 / x[i];
        if (!std::isnormal(x[i]) || std::fabs(x[i]) >= 0x1p125f || !std::isfinite(exact))
          continue;
        ASSERT_NEAR(plain[i], exact, std::fabs(exact) * (config.dst32 ? 0x1p-22f : 0x1p-6f));
        if (config.dst32) { // a 16-bit DST would cut the quotient, but after it is rounded
          ASSERT_EQ(trunc[i], std::trunc(plain[i])) << nameOf(config) << ": " << x[i];
          ASSERT_EQ(floor[i], std::floor(plain[i])) << nameOf(config) << ": " << x[i];
        }
      }
    });
}

// With a factor of 1 the results are those of the rows; a factor that is a power of two is exact.
TEST(DeviceFunctions, LogarithmAndExponentialWithAFactor) {
  for (const NumericConfig &config : configs())
    forAllInputs([&](const Tile &x) {
      const TileKernels &kernels = tileKernels(config);
      Tile log = x, exp = x, half = x;
      for (float &value : half)
        value *= 0.5f;
      kernels.unary(TileOp::Log, log.data());
      kernels.unary(TileOp::Exp, exp.data());
      kernels.unary(TileOp::Exp, half.data());
      Tile log1 = computed(kernels, VectorOp::LogWithBase, x, 1);
      Tile exp1 = computed(kernels, VectorOp::ExpScaled, x, 1);
      Tile log2 = computed(kernels, VectorOp::LogWithBase, x, 2);
      Tile exp2 = computed(kernels, VectorOp::ExpScaled, x, 0.5f);
      for (int i = 0; i < kTileElements; ++i) {
        if (std::fabs(x[i]) < 0x1p-100f || std::isnan(x[i]))
          continue;
        ASSERT_EQ(observed(log1[i]), observed(log[i])) << nameOf(config) << ": " << x[i];
        ASSERT_EQ(observed(exp1[i]), observed(exp[i])) << nameOf(config) << ": " << x[i];
        ASSERT_EQ(observed(log2[i]), observed(2 * log[i])) << nameOf(config) << ": " << x[i];
        ASSERT_EQ(observed(exp2[i]), observed(half[i])) << nameOf(config) << ": " << x[i];
      }
    });
}

// The product is rounded once: rounding twice would give other bits for some numbers.
TEST(DeviceFunctions, LogarithmWithABaseIsRoundedOnce) {
  int differ = 0;
  const TileKernels &kernels = tileKernels(configs()[0]);
  forAllInputs([&](const Tile &x) {
    constexpr float scale[] = {1.442695f};
    Tile twice = x, once = computed(kernels, VectorOp::LogWithBase, x, scale[0]);
    kernels.unary(TileOp::Log, twice.data());
    kernels.unaryParam(TileOp::MulUnary, twice.data(), scale);
    for (int i = 0; i < kTileElements; ++i)
      if (std::isnormal(x[i]) && x[i] > 0) {
        ASSERT_NEAR(once[i], std::log2(x[i]), std::fabs(std::log2(x[i])) * 0x1p-7f + 1e-4f);
        differ += observed(once[i]) != observed(twice[i]);
      }
  });
  EXPECT_GT(differ, 1000);
}

TEST(DeviceFunctions, SumsDownColumns) {
  for (const NumericConfig &config : configs()) {
    const scalar::Model model{config.isWormhole, config.dst32};
    Random random(21);
    std::array<float, kTileDim> sums{};
    std::array<uint32_t, kTileDim> expected{};
    for (int tile = 0; tile < 3; ++tile) {
      Tile x = makeTile([&] { return number(bits(random.unit() * 100) & 0xffff0000); }), found = x;
      tileKernels(config).sumDown(found.data(), sums.data());
      for (int row = 0; row < kTileDim; ++row)
        for (int column = 0; column < kTileDim; ++column) {
          int i = elementIndex(row, column);
          expected[column] = model.mad(kOne, expected[column], bits(x[i]));
          ASSERT_EQ(bits(found[i]), stored(config, expected[column])) << nameOf(config);
        }
    }
  }
}

//===--------------------------------------------------------------------------===//
// Integers
//===--------------------------------------------------------------------------===//

// Uses 64 bits. Of a distance outside 0..31, the card's second shift takes only the lowest 5 bits.
uint32_t shiftedRight(int64_t x, int64_t distance) {
  constexpr uint64_t ones = 0xffffffff;
  if (distance >= 0 && distance < 32)
    return static_cast<uint32_t>(x >> distance);
  if (distance >= 32)
    return x < 0 ? static_cast<uint32_t>(ones >> ((distance - 32) & 31)) : 0;
  uint64_t by = -distance & 31;
  return static_cast<uint32_t>(static_cast<uint64_t>(x) << by | (x < 0 ? ones << by : 0));
}

TEST(DeviceFunctions, ShiftsHaveAllDistances) {
  Random random(4);
  for (const NumericConfig &config : configs())
    for (int32_t distance : {0, 1, 5, 31, 32, 33, 63, 64, 100, -1, -5, -31, -32, -33}) {
      Tile x = makeTile([&] { return number(static_cast<uint32_t>(random.next())); });
      x[0] = number(kSign);
      Tile found = computed(tileKernels(config), VectorOp::ShiftRightSigned, x,
                            number(static_cast<uint32_t>(distance)));
      for (int i = 0; i < kTileElements; ++i)
        ASSERT_EQ(bits(found[i]), shiftedRight(static_cast<int32_t>(bits(x[i])), distance))
            << std::hex << bits(x[i]) << " by " << std::dec << distance;
    }
}

struct IntegerRule {
  VectorOp op;
  uint32_t (*expected)(int32_t x, int32_t word);
};
const IntegerRule kIntegerRules[] = {
    {VectorOp::EqInt, [](int32_t x, int32_t word) { return uint32_t{x == word}; }},
    {VectorOp::NeInt, [](int32_t x, int32_t word) { return uint32_t{x != word}; }},
    {VectorOp::LtzInt, [](int32_t x, int32_t) { return uint32_t{x < 0}; }},
    {VectorOp::LezInt, [](int32_t x, int32_t) { return uint32_t{x <= 0}; }},
    {VectorOp::GtzInt, [](int32_t x, int32_t) { return uint32_t{x > 0}; }},
    {VectorOp::GezInt, [](int32_t x, int32_t) { return uint32_t{x >= 0}; }},
    {VectorOp::ShiftRightSignedByWord,
     [](int32_t x, int32_t word) { return static_cast<uint32_t>(x >> word); }},
};

// Wormhole treats the smallest integer as zero.
TEST(DeviceFunctions, ComparisonsOfIntegers) {
  for (const NumericConfig &config : configs())
    for (const IntegerRule &rule : kIntegerRules)
      for (int32_t word : {0, 3}) {
        int32_t next = -512;
        Tile x = makeTile([&] { return std::bit_cast<float>(next++); });
        x[0] = number(kSign);
        Tile found = computed(tileKernels(config), rule.op, x, std::bit_cast<float>(word));
        for (int i = 0; i < kTileElements; ++i) {
          auto in = std::bit_cast<int32_t>(x[i]);
          in = in == INT32_MIN && config.isWormhole ? 0 : in;
          ASSERT_EQ(bits(found[i]), rule.expected(in, word)) << nameOf(config) << ": " << in;
        }
      }
}

//===--------------------------------------------------------------------------===//
// The table
//===--------------------------------------------------------------------------===//

TEST(DeviceFunctions, EveryLevelGivesTheSameBits) {
  Random random(5);
  Tile x = makeTile([&] { return anyFloat(random); });
  for (const NumericConfig &config : configs())
    for (int op = 0; op < kNumVectorOps; ++op) {
      if (!tileKernels(config).vectorOps[op])
        continue;
      Tile expected = computed(tileKernels(config), static_cast<VectorOp>(op), x, 0.75f);
      for (const TileKernels *level : allLevels()) {
        Tile found =
            computed(*tileKernels(config, level->level), static_cast<VectorOp>(op), x, 0.75f);
        for (int i = 0; i < kTileElements; ++i)
          ASSERT_EQ(bits(found[i]), bits(expected[i])) << op;
      }
    }
}

} // namespace
