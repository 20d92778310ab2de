//===- ScalarFormats.cpp - conversions and functions of the second model ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/ScalarFields.h"
#include "tests/unit/hw/tile/ScalarModel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

using namespace ttjit::scalar;

namespace {

// The largest fp16 datum as a float.
constexpr uint32_t kLargestHalf = 0x47ffe000, kNaN = 0x7fc00000;

uint32_t bitsOf(double exact) { return std::bit_cast<uint32_t>(static_cast<float>(exact)); }
double numberOf(uint32_t x) { return std::bit_cast<float>(x); }
bool isNaN(uint32_t x) { return magnitudeOf(x) > kInfinity; }
uint32_t withoutDenormals(uint32_t x) { return exponentOf(x) ? x : signOf(x); }
uint32_t withoutLast(uint32_t x, int places) {
  return x - static_cast<uint32_t>(x % powerOf2(places));
}
uint32_t withExponent(uint32_t x, int exponent) {
  return x - static_cast<uint32_t>(exponentOf(x)) * 0x800000 +
         static_cast<uint32_t>(exponent) * 0x800000;
}

} // namespace

//===--------------------------------------------------------------------------===//
// Unpackers
//===--------------------------------------------------------------------------===//

uint32_t Model::asTf32(uint32_t datum) const { return withoutLast(datum, 13); }
uint32_t Model::asBf16(uint32_t datum) const { return withoutLast(withoutDenormals(datum), 16); }

uint32_t Model::asFp16(uint32_t datum) const {
  int exponent = exponentOf(datum) - 112;
  if (exponent <= 0) // what reads the register takes an exponent of 0 as zero
    return signOf(datum);
  return exponent > 31 ? signOf(datum) + kLargestHalf : withoutLast(datum, 13);
}

uint32_t Model::ofFp16(uint32_t datum) const {
  uint32_t sign = datum / 0x8000 * kSign, exponent = datum / 1024 % 32;
  return exponent ? sign + (exponent + 112) * 0x800000 + datum % 1024 * 8192 : sign;
}

uint32_t Model::ofBlockFloat(uint32_t datum, int width, int shared) const {
  auto half = static_cast<uint32_t>(powerOf2(width - 1));
  uint32_t sign = datum >= half ? kSign : 0, magnitude = datum % half;
  if (!magnitude)
    return sign && !has(Deviation::MinusZeroIsZero) ? kSign + kInfinity : 0;
  magnitude *= static_cast<uint32_t>(powerOf2(9 - width)); // 8 bits; the first one stands for 1
  while (magnitude < 128) {
    magnitude *= 2;
    shared = (shared + 255) % 256;
  }
  return sign + static_cast<uint32_t>(shared) * 0x800000 + magnitude % 128 * 0x10000;
}

//===--------------------------------------------------------------------------===//
// The vector engine
//===--------------------------------------------------------------------------===//

uint32_t Model::storedFp16(uint32_t value) const {
  int exponent = exponentOf(value);
  if (exponent <= 112)
    return signOf(value);
  if (exponent > 143)
    return signOf(value) + (has(Deviation::HalvesOverflow) ? 0x48000000 : kLargestHalf);
  if (has(Deviation::HalvesRound))
    value = static_cast<uint32_t>(divided(value, 13, Halves::Even)) * 8192;
  return withoutLast(value, 13);
}

uint32_t Model::roundedAway(uint32_t value) const {
  if (exponentOf(value) == 0)
    return 0;
  if (exponentOf(value) == 255)
    return signOf(value) + kInfinity;
  int64_t rounded = divided(magnitudeOf(value), 16, Halves::Up) * 0x10000;
  return signOf(value) + static_cast<uint32_t>(rounded);
}

// Rounds the bits as an integer, modulo 2^32.
uint32_t Model::roundedEven(uint32_t value) const {
  return static_cast<uint32_t>(divided(value, 16, Halves::Even) * 0x10000);
}

uint32_t Model::toInteger(uint32_t value, uint32_t limit) const {
  if (exponentOf(value) == 255)
    return limit;
  double exact = std::fabs(numberOf(value));
  double rounded = has(Deviation::IntegersRoundToEven) ? std::nearbyint(exact) : std::round(exact);
  return rounded > limit ? limit : static_cast<uint32_t>(rounded);
}

uint32_t Model::toFloat(uint32_t integer) const {
  return signOf(integer) + bitsOf(static_cast<double>(magnitudeOf(integer)));
}

uint32_t Model::estimate(uint32_t value) const {
  int exponent = 253 - exponentOf(value), steps = has(Deviation::EstimateOf6Bits) ? 64 : 128;
  if (exponentOf(value) == 0)
    return signOf(value) + kInfinity;
  if (exponent <= 0)
    return signOf(value);
  auto index = std::floor(static_cast<double>(fractionOf(value)) / (0x800000 / steps));
  double inverse = 2 / (1 + (index + 0.5) / steps) - 1;
  auto fraction = static_cast<uint32_t>(std::min(127.0, std::floor(steps * inverse + 0.5)));
  return signOf(value) + static_cast<uint32_t>(exponent) * 0x800000 + fraction * 0x10000;
}

//===--------------------------------------------------------------------------===//
// The packer
//===--------------------------------------------------------------------------===//

// The packer rounds to bf16 unless DST holds fp16. An exponent of 112 is kept, as a denormal.
uint32_t Model::packedFp16(uint32_t value) const {
  value = hasHalfDst() ? (exponentOf(value) ? value : 0) : packed(value);
  uint32_t sign = value / kSign * 0x8000;
  int exponent = exponentOf(value) - 112;
  if (exponent < 0)
    return sign;
  if (exponent > 31)
    return sign + 0x7fff;
  return sign + static_cast<uint32_t>(exponent) * 1024 +
         static_cast<uint32_t>(fractionOf(value) / 8192);
}

// Keeps 6 bits of fraction, after the upper half of an fp32 is rounded.
uint32_t Model::packedForBlocks(uint32_t value) const {
  if (isNaN(value))
    value = signOf(value) + kInfinity;
  int64_t rounded = divided(magnitudeOf(value) / 0x10000, 1, Halves::Up) * 0x20000;
  auto magnitude = static_cast<uint32_t>(rounded);
  return exponentOf(magnitude) ? signOf(value) + magnitude : 0;
}

uint32_t Model::accumulatedFp32(uint32_t datum, uint32_t value) const {
  double exact = numberOf(withoutDenormals(datum)) + numberOf(withoutDenormals(value));
  uint32_t sum = withoutDenormals(bitsOf(exact));
  return isNaN(sum) ? kNaN : sum;
}

uint32_t Model::accumulatedBf16(uint32_t datum, uint32_t value) const {
  if (magnitudeOf(datum) == kInfinity && (datum ^ value) == kSign)
    return kNaN;
  if (magnitudeOf(value) == kInfinity)
    return value;
  if (exponentOf(datum) == 255)
    return signOf(datum) + kInfinity;
  uint32_t a = withoutDenormals(datum), b = withoutDenormals(value);
  // A NaN counts as a number with an ordinary exponent.
  double exact = numberOf(a) + (isNaN(b) ? 2 * numberOf(withExponent(b, 254)) : numberOf(b));
  if (exact == 0)
    return signOf(a) && signOf(b) ? kSign : 0;
  int exponent = std::ilogb(exact);
  double places = std::ldexp(std::fabs(exact), 7 - exponent); // in [128, 256)
  double rounded = has(Deviation::AccumulationCuts) ? std::floor(places) : std::nearbyint(places);
  double sum = std::ldexp(rounded, exponent - 7);
  uint32_t sign = exact < 0 ? kSign : 0;
  if (exponent < -126)
    return sign;
  return sign + (sum >= 0x1p128 ? kInfinity : bitsOf(sum));
}

uint32_t Model::accumulatedFp16(uint32_t datum, uint32_t value) const {
  double exact = numberOf(ofFp16(datum)) + numberOf(ofFp16(value));
  uint32_t sign = bitsOf(exact) / kSign * 0x8000;
  if (exact == 0)
    return sign + (datum / 1024 % 32 >= 30 ? 0x7fff : 0);
  int exponent = std::ilogb(exact) + 15;
  if (exponent <= 0)
    return sign + (exponent < 0 ? 0x7fff : 0);
  double places = std::ldexp(std::fabs(exact), 25 - exponent); // in [1024, 2048)
  auto rounded = static_cast<uint32_t>(has(Deviation::AccumulationCuts) ? std::floor(places)
                                                                        : std::nearbyint(places));
  uint32_t sum = static_cast<uint32_t>(exponent) * 1024 + rounded - 1024;
  return sign + std::min(sum, 0x7fffu);
}

//===--------------------------------------------------------------------------===//
// Integers of 8 bits
//===--------------------------------------------------------------------------===//

int32_t Model::bytes16(const std::array<uint32_t, 16> &a, const std::array<uint32_t, 16> &b,
                       int32_t dst, int phase) const {
  int64_t sum = dst;
  for (size_t i = 0; i < 16; ++i)
    sum += int64_t{phase % 2 ? a[i] % 32 : a[i] - a[i] % 32} *
           (phase / 2 ? b[i] % 16 : b[i] - b[i] % 16);
  int64_t limit = powerOf2(31) - 1;
  return static_cast<int32_t>(has(Deviation::BytesWrap) ? sum : std::clamp(sum, -limit, limit));
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

// Takes the steps of tt-metal's calculate_cube_root.
uint32_t Model::cubeRoot(uint32_t a) const {
  auto mul = [this](uint32_t x, uint32_t y) { return mad(x, y, 0); };
  uint32_t x = isNaN(a) && isNegative(a) ? a : magnitudeOf(a);
  uint32_t start = mad(toFloat(x), bitsOf(-0x1.555556p-10), bitsOf(13929516));
  uint32_t y = static_cast<uint32_t>(start * int64_t{256}); // wraps modulo 2^32
  uint32_t first = bitsOf(0x1.c09806p0), second = bitsOf(-0x1.403e6cp0),
           third = bitsOf(0x1.04cdb2p-1), factor;
  if (dst32) {
    uint32_t c = mul(mul(x, y), mul(y, y));
    y = mul(y, mad(c, mad(third, c, second), first));
    uint32_t rest = mad(mul(x, mul(y, y)), y, bitsOf(-1));
    factor = mad(rest, bitsOf(-0x1.555556p-2), bitsOf(1));
  } else {
    uint32_t c = mul(mul(x, mul(y, y)), y);
    factor = mad(c, mad(third, c, second), first);
  }
  uint32_t root = magnitudeOf(mul(x, mul(y, y))) + signOf(a);
  uint32_t result = mul(root, mul(factor, factor));
  return dst32 ? result : roundedAway(result);
}

// Computes a reciprocal inside of functions, in the steps of either chip's sfpu_reciprocal_iter.
uint32_t Model::inverse(uint32_t x, int steps) const {
  uint32_t one = bitsOf(1);
  if (!isWormhole) {
    uint32_t y = estimate(x), first = y;
    for (int i = 0; i < steps; ++i) {
      uint32_t t = mad(x, y, bitsOf(-2));
      if (!isNegative(t) && i == 0)
        return first;
      y = mad(y, t ^ kSign, kSign);
    }
    return y;
  }
  uint32_t n = bitsOf(-1) + static_cast<uint32_t>(fractionOf(x));
  uint32_t y = mad(mad(0x3ea57ebb, n, 0x3fba2e90), n, 0x4007c1f2);
  for (int i = 0; i < std::max(steps, 1); ++i)
    y = mad(y, mad(n, y, one), y);
  auto scale = static_cast<uint32_t>(255 - exponentOf(x)) * 0x800000;
  return magnitudeOf(mad(y, mad(scale, bitsOf(0.5), 0), 0)) + signOf(x);
}

// Returns a - b. Wormhole multiplies b by -1 and adds a.
uint32_t Model::difference(uint32_t a, uint32_t b) const {
  return isWormhole ? mad(b, bitsOf(-1), a) : mad(bitsOf(1), a, b ^ kSign);
}

// Takes the steps of tt-metal's _sfpu_atan2_.
uint32_t Model::angle(uint32_t y, uint32_t x) const {
  uint32_t low = std::min(magnitudeOf(x), magnitudeOf(y)),
           high = std::max(magnitudeOf(x), magnitudeOf(y));
  if (isNaN(high))
    return kNaN;
  uint32_t halfPi = bitsOf(0x1.921fb6p0), a = mad(low, inverse(high, dst32 ? 2 : 0), 0);
  static constexpr double longSeries[] = {0x1.01cp-8, -0x1.4bcp-6, 0x1.93p-5,     -0x1.48cp-4,
                                          0x1.bd4p-4, -0x1.24p-3,  0x1.99938ap-3, -0x1.555558p-2};
  static constexpr double shortSeries[] = {-0x1.de8p-5, 0x1.668p-3, -0x1.54p-2};
  const double *series = dst32 ? longSeries : shortSeries;
  uint32_t square = mad(a, a, 0), sum = bitsOf(series[0]);
  for (int i = 1; i < (dst32 ? 8 : 3); ++i)
    sum = mad(sum, square, bitsOf(series[i]));
  uint32_t angle = mad(mad(sum, square, 0), a, a);
  if (magnitudeOf(y) >= magnitudeOf(x))
    angle = difference(halfPi, angle);
  if (low == high)
    angle = low ? withExponent(halfPi, 126) : 0;
  if (isNegative(x))
    angle = difference(withExponent(halfPi, 128), angle);
  return magnitudeOf(dst32 ? angle : roundedAway(angle)) + signOf(y);
}
