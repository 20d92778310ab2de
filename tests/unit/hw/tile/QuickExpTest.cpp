//===- QuickExpTest.cpp - exponentials on the host's instructions -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares the rows of hw/tile/QuickExp.h with the steps of the vector engine in hw/tile/SfpuExp.h,
// which other tests compare with a second implementation. TTJIT_ALL_FLOATS=1 tries all 2^32
// arguments, which takes some minutes for each chip and width of DST.
//===--------------------------------------------------------------------------===//

#include "hw/facts/Numerics.h"
#include "hw/tile/SfpuExp.h"
#include "hw/tile/TileMath.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

using namespace ttjit::hw;

namespace {

using Tile = std::array<float, kTileElements>;

template <typename Arch, bool dst32> uint32_t engine(uint32_t bits) {
  uint32_t result = device::sfpu::exp<device::SfpuConfig<Arch, dst32, false>>(bits);
  return device::stored<dst32 ? device::DstKind::Fp32 : device::DstKind::Bf16>(result);
}

template <typename Arch, bool dst32> void compareTile(const Tile &arguments) {
  Tile expected;
  for (size_t i = 0; i < expected.size(); ++i)
    expected[i] = floatOf(engine<Arch, dst32>(bitsOf(arguments[i])));
  NumericConfig config{NumericMode::Device, Arch::isWormhole, dst32};
  for (IsaLevel level : {IsaLevel::V2, IsaLevel::V3, IsaLevel::V4}) {
    const TileKernels *tiles = tileKernels(config, level);
    if (!tiles)
      continue;
    Tile found = arguments;
    tiles->unary(TileOp::Exp, found.data());
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(bitsOf(found[i]), bitsOf(expected[i]))
          << "exp of " << arguments[i] << " at level v" << static_cast<int>(level) + 2;
  }
}

template <bool dst32> void compare(const Tile &arguments) {
  Tile stored = arguments;
  for (float &value : stored)
    value = floatOf(bitsOf(value) & (dst32 ? ~0u : 0xffff0000));
  compareTile<device::Wormhole, dst32>(stored);
  compareTile<device::Blackhole, dst32>(stored);
}

void compareAll(const std::vector<float> &arguments) {
  for (size_t first = 0; first < arguments.size(); first += kTileElements) {
    Tile tile{};
    for (size_t i = 0; i < tile.size() && first + i < arguments.size(); ++i)
      tile[i] = arguments[first + i];
    compare<true>(tile);
    compare<false>(tile);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

} // namespace

TEST(QuickExpTest, OrdinaryArguments) {
  std::mt19937 random(11);
  std::vector<float> arguments;
  for (float limit : {0.01f, 1.0f, 8.0f, 30.0f, 88.0f, 120.0f})
    for (int i = 0; i < 16 * kTileElements; ++i)
      arguments.push_back(std::uniform_real_distribution<float>(-limit, limit)(random));
  compareAll(arguments);
}

// Few elements of these tiles are not ordinary: they take the engine's steps, the others do not.
TEST(QuickExpTest, ArgumentsWhoseReductionCancels) {
  std::vector<float> arguments;
  for (int whole = -130; whole <= 130; ++whole)
    for (int step = -40; step <= 40; ++step) {
      float multiple = std::nextafter(static_cast<float>(whole * 0.6931471805599453), 0.0f);
      arguments.push_back(floatOf(bitsOf(multiple) + static_cast<uint32_t>(step)));
      arguments.push_back(static_cast<float>((whole + 0.5) * 0.6931471805599453) *
                          (1 + 1e-7f * step));
    }
  compareAll(arguments);
  std::shuffle(arguments.begin(), arguments.end(), std::mt19937(3));
  compareAll(arguments);
}

TEST(QuickExpTest, EveryExponentSignAndSpecialValue) {
  std::mt19937 random(12);
  std::vector<float> arguments;
  for (uint32_t upper = 0; upper < 1u << 16; ++upper)
    arguments.push_back(floatOf(upper << 16 | (random() & 0xffff)));
  compareAll(arguments);
}

TEST(QuickExpTest, AllFloats) {
  if (!std::getenv("TTJIT_ALL_FLOATS"))
    GTEST_SKIP() << "TTJIT_ALL_FLOATS is not set";
  for (uint64_t first = 0; first < uint64_t{1} << 32; first += kTileElements) {
    Tile tile;
    for (size_t i = 0; i < tile.size(); ++i)
      tile[i] = floatOf(static_cast<uint32_t>(first + i));
    compare<true>(tile);
    if (HasFatalFailure())
      return;
  }
}
