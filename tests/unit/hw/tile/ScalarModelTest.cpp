//===- ScalarModelTest.cpp - hw/tile against the second model -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares the card's arithmetic in hw/tile with ScalarModel.h on random operations, and shows that
// each planted deviation of the second model is found. TTJIT_RANDOM_OPERATIONS is the number of
// operations of each kind (20,000 without it).
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/ScalarModel.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/tile/DeviceFormats.h"
#include "hw/tile/Fpu.h"
#include "hw/tile/SfpuMath.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::hw;

namespace {

int numOperations() {
  const char *wanted = std::getenv("TTJIT_RANDOM_OPERATIONS");
  return wanted ? std::atoi(wanted) : 20000;
}

// A float with 11 bits of significand: near one, anywhere, or special.
uint32_t sourceDatum(Random &random) {
  uint32_t sign = static_cast<uint32_t>(random.below(2)) << 31;
  uint32_t fraction = static_cast<uint32_t>(random.below(1024)) << 13;
  if (random.below(2))
    fraction &= 0x7f0000; // a bf16
  switch (random.below(16)) {
  case 0:
    return sign;
  case 1:
    return sign | 0x7f800000 | fraction;
  case 2:
    return sign | static_cast<uint32_t>(random.below(256)) << 23 | fraction;
  default:
    return sign | static_cast<uint32_t>(117 + random.below(20)) << 23 | fraction;
  }
}

uint32_t dstDatum(Random &random, bool dst32) {
  uint32_t low = dst32 ? static_cast<uint32_t>(random.below(8192)) : 0;
  uint32_t bits = sourceDatum(random);
  return dst32 ? bits | low : bits & 0xffff0000;
}

template <bool isWormhole, bool dst32> struct Engine {
  static constexpr device::FpuMode kMode{isWormhole, dst32};

  static int32_t asInt(uint32_t x) { return static_cast<int32_t>(x); }
  static uint32_t dot16(const std::array<uint32_t, 16> &a, const std::array<uint32_t, 16> &b,
                        uint32_t dst, int phase) {
    auto left = [&](int i) { return device::factorA(asInt(a[i]), phase); };
    auto right = [&](int i) { return device::factorB(asInt(b[i]), phase); };
    return static_cast<uint32_t>(device::addDot16<kMode, int32_t>(left, right, asInt(dst), phase));
  }
  static uint32_t product(uint32_t a, uint32_t b, uint32_t dst, int phase) {
    return static_cast<uint32_t>(
        device::addProduct<kMode, int32_t>(asInt(a), asInt(b), asInt(dst), phase));
  }
  static uint32_t sum(uint32_t a, uint32_t b, uint32_t dst) {
    return static_cast<uint32_t>(device::addSum<kMode, int32_t>(asInt(a), asInt(b), asInt(dst)));
  }
  static uint32_t mad(uint32_t x, uint32_t y, uint32_t z) {
    return isWormhole ? device::mad<device::Wormhole>(x, y, z)
                      : device::mad<device::Blackhole>(x, y, z);
  }
  static uint32_t packed(uint32_t value) {
    return static_cast<uint32_t>(device::packedBf16<dst32>(asInt(value)));
  }
  template <int width> static uint32_t blockFloat(uint32_t value, int shared) {
    return static_cast<uint32_t>(device::blockFloatDatum<width, int32_t>(asInt(value), shared));
  }
};

// All NaN count as one.
uint32_t withOneNaN(uint32_t x) { return (x & 0x7fffffff) > 0x7f800000 ? kCanonicalNaN : x; }

uint32_t anyBits(Random &random) { return std::bit_cast<uint32_t>(anyFloat(random)); }

// z near -x * y, so that the sum cancels.
uint32_t cancelling(Random &random, uint32_t x, uint32_t y) {
  float product = std::bit_cast<float>(x) * std::bit_cast<float>(y);
  uint32_t bits = std::bit_cast<uint32_t>(product) ^ 0x80000000;
  return bits + static_cast<uint32_t>(random.below(9)) - 4;
}

// Returns how many of so many random operations give different bits.
template <typename Engine> int differences(const scalar::Model &model, int count) {
  Random random(7 + static_cast<uint64_t>(model.isWormhole) + 2 * model.dst32);
  int found = 0;
  for (int i = 0; i < count; ++i) {
    std::array<uint32_t, 16> a, b;
    for (int k = 0; k < 16; ++k) {
      a[k] = sourceDatum(random);
      b[k] = sourceDatum(random);
    }
    uint32_t dst = dstDatum(random, model.dst32);
    int phase = random.below(4);
    found += Engine::dot16(a, b, dst, phase) != model.dot16(a, b, dst, phase);
    found += Engine::product(a[0], b[0], dst, phase) != model.product(a[0], b[0], dst, phase);
    found += Engine::sum(a[1], b[1], dst) != model.sum(a[1], b[1], dst);
    // A sum that nearly cancels the element of DST, and a product that nearly vanishes.
    uint32_t opposite = a[2] ^ (0x80000000 | (model.dst32 ? 1 : 0));
    found += Engine::sum(a[2], 0, opposite) != model.sum(a[2], 0, opposite);
    uint32_t tiny = (a[3] & 0x807fffff) | static_cast<uint32_t>(64 + random.below(8)) << 23;
    found += Engine::product(tiny, tiny ^ 0x80000000, 0, phase) !=
             model.product(tiny, tiny ^ 0x80000000, 0, phase);
    uint32_t x = anyBits(random), y = anyBits(random);
    uint32_t z = random.below(2) ? anyBits(random) : cancelling(random, x, y);
    found += withOneNaN(Engine::mad(x, y, z)) != withOneNaN(model.mad(x, y, z));
    uint32_t value =
        anyBits(random) & (model.dst32 ? random.below(2) ? ~0u : 0xffff8000 : 0xffff0000);
    found += Engine::packed(value) != model.packed(value);
    uint32_t datum = sourceDatum(random) & 0xffff0000;
    int shared = static_cast<int>(datum >> 23 & 255) + random.below(10);
    found += Engine::template blockFloat<8>(datum, shared) != model.blockFloat(datum, 8, shared);
    found += Engine::template blockFloat<4>(datum, shared) != model.blockFloat(datum, 4, shared);
  }
  return found;
}

int differences(const scalar::Model &model, int count) {
  if (model.isWormhole)
    return model.dst32 ? differences<Engine<true, true>>(model, count)
                       : differences<Engine<true, false>>(model, count);
  return model.dst32 ? differences<Engine<false, true>>(model, count)
                     : differences<Engine<false, false>>(model, count);
}

TEST(ScalarModel, AgreesOnRandomOperations) {
  for (bool isWormhole : {true, false})
    for (bool dst32 : {true, false})
      EXPECT_EQ(differences({isWormhole, dst32}, numOperations()), 0)
          << (isWormhole ? "wormhole" : "blackhole") << (dst32 ? ", fp32 DST" : ", 16-bit DST");
}

TEST(ScalarModel, FindsEveryPlantedDeviation) {
  for (int i = 1; i <= scalar::kNumDeviations; ++i) {
    auto deviation = static_cast<scalar::Deviation>(i);
    int found = 0;
    for (bool dst32 : {true, false})
      found += differences({true, dst32, deviation}, 20000);
    EXPECT_GT(found, 0) << "deviation " << i;
  }
}

} // namespace
