//===- ScalarModelTest.cpp - hw/tile against the second model -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares the card's arithmetic in hw/tile with ScalarModel.h on random operations, and shows that
// each deviation of the second model is found. TTJIT_RANDOM_OPERATIONS is the number of operations
// for each primitive, chip, width of DST and kind of operands (default: 4,000).
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/ScalarModel.h"
#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/tile/DeviceProduct.h"
#include "hw/tile/SfpuTrig.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace ttjit;
using namespace ttjit::hw;

namespace {

int numOperations() {
  const char *wanted = std::getenv("TTJIT_RANDOM_OPERATIONS");
  return wanted ? std::atoi(wanted) : 4000;
}

//===--------------------------------------------------------------------------===//
// Random operands
//===--------------------------------------------------------------------------===//

uint32_t below(Random &random, int bound) { return static_cast<uint32_t>(random.below(bound)); }

// Returns a float with 11 bits of significand: near one, of any size, or special.
uint32_t wideDatum(Random &random) {
  uint32_t sign = below(random, 2) << 31, fraction = below(random, 1024) << 13;
  if (random.below(2))
    fraction &= 0x7f0000; // makes it a bf16
  switch (random.below(16)) {
  case 0:
    return sign;
  case 1:
    return sign | 0x7f800000 | fraction;
  case 2:
    return sign | below(random, 256) << 23 | fraction;
  default:
    return sign | (117 + below(random, 20)) << 23 | fraction;
  }
}

// Returns an element of a source register of this model. An fp16 has an exponent from 1 to 31.
uint32_t sourceDatum(const scalar::Model &model, Random &random) {
  if (!model.halves)
    return wideDatum(random);
  uint32_t sign = below(random, 2) << 31, fraction = below(random, 1024) << 13;
  if (random.below(16) == 0)
    return sign;
  uint32_t exponent = random.below(2) ? 1 + below(random, 31) : 11 + below(random, 8);
  return sign | (112 + exponent) << 23 | fraction;
}

uint32_t dstDatum(const scalar::Model &model, Random &random) {
  if (!model.dst32)
    return sourceDatum(model, random) & (model.halves ? ~0u : 0xffff0000);
  return wideDatum(random) | below(random, 8192);
}

uint32_t anyBits(Random &random) { return std::bit_cast<uint32_t>(anyFloat(random)); }

// Returns bits near the limits of fp16, of bf16 or of integers, or any bits.
uint32_t anyNumber(Random &random) {
  uint32_t bits = anyBits(random);
  switch (random.below(4)) {
  case 0:
    return (bits & 0x807fffff) | (108 + below(random, 40)) << 23;
  case 1:
    return bits & 0xffff8000;
  default:
    return bits;
  }
}

// Returns a number near -x * y, so that the sum with x * y cancels.
uint32_t cancelling(Random &random, uint32_t x, uint32_t y) {
  float product = std::bit_cast<float>(x) * std::bit_cast<float>(y);
  return (std::bit_cast<uint32_t>(product) ^ 0x80000000) + below(random, 9) - 4;
}

std::array<uint32_t, 16> sources(const scalar::Model &model, Random &random) {
  std::array<uint32_t, 16> data;
  for (uint32_t &datum : data)
    datum = sourceDatum(model, random);
  return data;
}

// Returns x, with the same bits for every NaN.
uint32_t withOneNaN(uint32_t x) { return (x & 0x7fffffff) > 0x7f800000 ? kCanonicalNaN : x; }

int32_t asInt(uint32_t x) { return static_cast<int32_t>(x); }
uint32_t asWord(int32_t x) { return static_cast<uint32_t>(x); }

//===--------------------------------------------------------------------------===//
// Primitives of the matrix engine
//
// Each function computes one random operation in both ways and returns whether the bits are the
// same. `mode` is the engine's configuration.
//===--------------------------------------------------------------------------===//

using device::FpuMode;

template <FpuMode mode> bool dotProduct(const scalar::Model &model, Random &random) {
  auto a = sources(model, random), b = sources(model, random);
  uint32_t dst = dstDatum(model, random);
  int phase = random.below(4);
  auto left = [&](int i) { return device::factorA(device::fields<mode>(asInt(a[i])), phase); };
  auto right = [&](int i) { return device::factorB(device::fields<mode>(asInt(b[i])), phase); };
  auto sum =
      device::addDot16<mode, int32_t>(left, right, device::fieldsOfDst<mode>(asInt(dst)), phase);
  return asWord(device::floatsOfDst<mode>(sum)) == model.dot16(a, b, dst, phase);
}

template <FpuMode mode>
bool isSameProduct(const scalar::Model &model, uint32_t a, uint32_t b, uint32_t dst, int phase) {
  auto product = device::addProduct<mode, int32_t>(device::fields<mode>(asInt(a)),
                                                   device::fields<mode>(asInt(b)),
                                                   device::fieldsOfDst<mode>(asInt(dst)), phase);
  return asWord(device::floatsOfDst<mode>(product)) == model.product(a, b, dst, phase);
}
template <FpuMode mode> bool product(const scalar::Model &model, Random &random) {
  uint32_t a = sourceDatum(model, random), b = sourceDatum(model, random);
  return isSameProduct<mode>(model, a, b, dstDatum(model, random), random.below(4));
}
// Computes a product of two tiny numbers.
template <FpuMode mode> bool tinyProduct(const scalar::Model &model, Random &random) {
  uint32_t first = model.halves ? 113 : 64;
  uint32_t tiny = (sourceDatum(model, random) & 0x807fffff) | (first + below(random, 8)) << 23;
  return isSameProduct<mode>(model, tiny, tiny ^ 0x80000000, 0, random.below(4));
}

template <FpuMode mode>
bool isSameSum(const scalar::Model &model, uint32_t a, uint32_t b, uint32_t dst) {
  auto sum =
      device::addSum<mode, int32_t>(device::fields<mode>(asInt(a)), device::fields<mode>(asInt(b)),
                                    device::fieldsOfDst<mode>(asInt(dst)));
  return asWord(device::floatsOfDst<mode>(sum)) == model.sum(a, b, dst);
}
template <FpuMode mode> bool sum(const scalar::Model &model, Random &random) {
  uint32_t a = sourceDatum(model, random), b = sourceDatum(model, random);
  return isSameSum<mode>(model, a, b, dstDatum(model, random));
}
// Computes a sum that nearly cancels an element of DST.
template <FpuMode mode> bool cancellingSum(const scalar::Model &model, Random &random) {
  uint32_t a = sourceDatum(model, random) | (model.halves ? 0x38800000 : 0);
  a &= model.halves ? 0xbfffffff : ~0u;
  return isSameSum<mode>(model, a, 0, a ^ (0x80000000 | (model.dst32 ? 1 : 0)));
}

template <FpuMode> bool bytes(const scalar::Model &model, Random &random) {
  std::array<uint32_t, 16> a, b;
  alignas(64) float left[kTileElements] = {}, right[kTileElements] = {}, acc[kTileElements] = {};
  int32_t dst =
      random.below(4) ? asInt(below(random, 1 << 20)) : INT32_MAX - asInt(below(random, 1 << 18));
  for (int k = 0; k < 16; ++k) {
    a[k] = below(random, 256); // is in SrcA
    b[k] = below(random, 256);
    right[elementIndex(k, 3)] = floatOf(a[k]);
    left[elementIndex(2, k)] = floatOf(b[k]);
  }
  acc[elementIndex(2, 3)] = floatOf(asWord(dst));
  int phases = 1 + random.below(4);
  device::addProductOfBytes(left, right, acc, phases);
  for (int phase = 0; phase < phases; ++phase)
    dst = model.bytes16(a, b, dst, phase);
  return bitsOf(acc[elementIndex(2, 3)]) == asWord(dst);
}

//===--------------------------------------------------------------------------===//
// Primitives of the unpackers and the packer
//===--------------------------------------------------------------------------===//

template <FpuMode> bool unpackedFloats(const scalar::Model &model, Random &random) {
  uint32_t x = anyNumber(random);
  return asWord(device::truncatedToTf32(asInt(x))) == model.asTf32(x) &&
         asWord(device::truncatedToBf16(asInt(x))) == model.asBf16(x) &&
         asWord(device::truncatedToFp16(asInt(x))) == model.asFp16(x);
}
template <FpuMode> bool unpackedHalves(const scalar::Model &model, Random &random) {
  uint32_t datum = below(random, 0x10000);
  return asWord(device::unpackedFp16(asInt(datum))) == model.ofFp16(datum);
}
template <FpuMode> bool unpackedBlocks(const scalar::Model &model, Random &random) {
  int width = 2 << random.below(3), shared = random.below(256);
  uint32_t datum = below(random, 1 << width);
  int32_t found = device::unpackedBlockFloat(asInt(datum << (8 - width)), shared);
  return asWord(found) == model.ofBlockFloat(datum, width, shared);
}

// Returns an element of DST as the packer may read it.
uint32_t packedDatum(const scalar::Model &model, Random &random) {
  uint32_t x = anyNumber(random);
  return model.dst32 ? x : model.halves ? model.storedFp16(x) : x & 0xffff0000;
}
template <FpuMode mode> bool packedBf16(const scalar::Model &model, Random &random) {
  uint32_t x = model.dst32 ? anyNumber(random) : anyNumber(random) & 0xffff0000;
  return asWord(device::packedBf16<mode.dst32>(asInt(x))) == model.packed(x);
}
template <FpuMode mode> bool packedHalf(const scalar::Model &model, Random &random) {
  scalar::Model exact = model; // without a deviation, it gives a number that DST can hold
  exact.deviation = scalar::Deviation::None;
  uint32_t x = packedDatum(exact, random);
  int32_t source = !mode.wideExponents && !mode.dst32 ? device::flushed(asInt(x))
                                                      : device::packedBf16<mode.dst32>(asInt(x));
  return asWord(device::packedFp16(source)) == model.packedFp16(x);
}
template <FpuMode mode> bool packedBlockSource(const scalar::Model &model, Random &random) {
  uint32_t x = model.dst32 ? anyNumber(random) : anyNumber(random) & 0xffff0000;
  return asWord(device::packedForBlockFloat<mode.dst32>(asInt(x))) == model.packedForBlocks(x);
}
template <FpuMode> bool packedBlocks(const scalar::Model &model, Random &random) {
  uint32_t x = wideDatum(random) & 0xffff0000;
  int shared = static_cast<int>(x >> 23 & 255) + random.below(10);
  return asWord(device::blockFloatDatum<8>(asInt(x), shared)) == model.blockFloat(x, 8, shared) &&
         asWord(device::blockFloatDatum<4>(asInt(x), shared)) == model.blockFloat(x, 4, shared) &&
         asWord(device::blockFloatDatum<2>(asInt(x), shared)) == model.blockFloat(x, 2, shared);
}
template <FpuMode> bool accumulation(const scalar::Model &model, Random &random) {
  uint32_t a = anyNumber(random), b = random.below(4) ? anyNumber(random) : a ^ 0x80000000;
  uint32_t ah = a & 0xffff0000, bh = b & 0xffff0000, a16 = a >> 16, b16 = b >> 16;
  return device::accumulatedFp32(a, b) == model.accumulatedFp32(a, b) &&
         device::accumulatedBf16(ah, bh) == model.accumulatedBf16(ah, bh) &&
         device::accumulatedFp16(a16, b16) == model.accumulatedFp16(a16, b16);
}

//===--------------------------------------------------------------------------===//
// Primitives of the vector engine
//===--------------------------------------------------------------------------===//

template <FpuMode mode>
using Arch = std::conditional_t<mode.isWormhole, device::Wormhole, device::Blackhole>;

template <FpuMode mode> bool multiplyAdd(const scalar::Model &model, Random &random) {
  uint32_t x = anyBits(random), y = anyBits(random);
  uint32_t z = random.below(2) ? anyBits(random) : cancelling(random, x, y);
  return withOneNaN(device::mad<Arch<mode>>(x, y, z)) == withOneNaN(model.mad(x, y, z));
}
template <FpuMode> bool stores(const scalar::Model &model, Random &random) {
  uint32_t x = anyNumber(random);
  return device::storedFp16(x) == model.storedFp16(x);
}
template <FpuMode> bool roundings(const scalar::Model &model, Random &random) {
  uint32_t x = anyNumber(random);
  return device::roundedTo16(x) == model.roundedAway(x) &&
         device::roundedEven16(x) == model.roundedEven(x);
}
template <FpuMode> bool casts(const scalar::Model &model, Random &random) {
  uint32_t x = anyNumber(random);
  x = random.below(2) ? x : bitsOf(static_cast<float>(random.below(1 << 18)) / 2);
  return device::roundedToUInt16(x) == model.toInteger(x, 65535) &&
         device::roundedToUInt8(x) == model.toInteger(x, 255) &&
         device::roundedToInt8(x) == model.toInteger(x, 127) &&
         (device::roundedToInt16(x) & 0x7fff) == model.toInteger(x, 32767) &&
         device::castToFloat(x) == model.toFloat(x);
}
template <FpuMode> bool estimates(const scalar::Model &model, Random &random) {
  uint32_t x = anyBits(random);
  return device::reciprocalEstimate(x) == model.estimate(x);
}
template <FpuMode mode> bool functions(const scalar::Model &model, Random &random) {
  using Sfpu = device::SfpuConfig<Arch<mode>, mode.dst32, false>;
  uint32_t x = anyNumber(random), y = random.below(8) ? anyNumber(random) : x;
  if (withOneNaN(x) == kCanonicalNaN) // rounded to 16 bits, a NaN becomes an infinity of its sign
    return true;
  return withOneNaN(device::sfpu::cbrt<Sfpu>(x)) == withOneNaN(model.cubeRoot(x)) &&
         withOneNaN(device::sfpu::atan2<Sfpu>(y, x)) == withOneNaN(model.angle(y, x));
}

//===--------------------------------------------------------------------------===//
// Comparing
//===--------------------------------------------------------------------------===//

struct Primitive {
  const char *name;
  bool (*agrees)(const scalar::Model &model, Random &random);
};

template <FpuMode mode>
const Primitive kPrimitives[] = {{"dot product", dotProduct<mode>},
                                 {"product", product<mode>},
                                 {"tiny product", tinyProduct<mode>},
                                 {"sum", sum<mode>},
                                 {"cancelling sum", cancellingSum<mode>},
                                 {"products of bytes", bytes<mode>},
                                 {"unpacked float32", unpackedFloats<mode>},
                                 {"unpacked float16", unpackedHalves<mode>},
                                 {"unpacked block float", unpackedBlocks<mode>},
                                 {"packed bfloat16", packedBf16<mode>},
                                 {"packed float16", packedHalf<mode>},
                                 {"packer's source of block floats", packedBlockSource<mode>},
                                 {"packed block float", packedBlocks<mode>},
                                 {"accumulation in L1", accumulation<mode>},
                                 {"multiply-add", multiplyAdd<mode>},
                                 {"store to a DST of float16", stores<mode>},
                                 {"roundings to 16 bits", roundings<mode>},
                                 {"casts", casts<mode>},
                                 {"estimate of a reciprocal", estimates<mode>},
                                 {"cbrt, atan2", functions<mode>}};

std::span<const Primitive> primitivesOf(const scalar::Model &model) {
  if (model.isWormhole) {
    if (model.halves)
      return model.dst32 ? std::span(kPrimitives<FpuMode{true, true, false}>)
                         : std::span(kPrimitives<FpuMode{true, false, false}>);
    return model.dst32 ? std::span(kPrimitives<FpuMode{true, true, true}>)
                       : std::span(kPrimitives<FpuMode{true, false, true}>);
  }
  if (model.halves)
    return model.dst32 ? std::span(kPrimitives<FpuMode{false, true, false}>)
                       : std::span(kPrimitives<FpuMode{false, false, false}>);
  return model.dst32 ? std::span(kPrimitives<FpuMode{false, true, true}>)
                     : std::span(kPrimitives<FpuMode{false, false, true}>);
}

// Returns the number of the first random operation, below `count`, that gives different bits; -1 if
// there is none.
int firstDifference(const scalar::Model &model, const Primitive &primitive, int count) {
  Random random(7 + static_cast<uint64_t>(model.isWormhole) + 2 * model.dst32);
  for (int i = 0; i < count; ++i)
    if (!primitive.agrees(model, random))
      return i;
  return -1;
}

TEST(ScalarModel, AgreesOnRandomOperations) {
  using scalar::Deviation;
  for (bool isWormhole : {true, false})
    for (bool dst32 : {true, false})
      for (bool halves : {false, true}) {
        scalar::Model model{isWormhole, dst32, Deviation::None, halves};
        for (const Primitive &primitive : primitivesOf(model))
          EXPECT_EQ(firstDifference(model, primitive, numOperations()), -1)
              << primitive.name << (isWormhole ? ", wormhole" : ", blackhole")
              << (dst32 ? ", fp32 DST" : ", 16-bit DST") << (halves ? ", float16" : "");
      }
}

bool isFound(scalar::Deviation deviation) {
  for (bool dst32 : {true, false})
    for (bool halves : {false, true}) {
      scalar::Model model{true, dst32, deviation, halves};
      for (const Primitive &primitive : primitivesOf(model))
        if (firstDifference(model, primitive, 20000) >= 0)
          return true;
    }
  return false;
}

TEST(ScalarModel, FindsEveryPlantedDeviation) {
  for (int i = 1; i <= scalar::kNumDeviations; ++i)
    EXPECT_TRUE(isFound(static_cast<scalar::Deviation>(i))) << "deviation " << i;
}

} // namespace
