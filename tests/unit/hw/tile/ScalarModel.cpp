//===- ScalarModel.cpp - a second model of the card's arithmetic --------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/ScalarModel.h"

#include "tests/unit/hw/tile/ScalarFields.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace ttjit::scalar;

//===--------------------------------------------------------------------------===//
// The matrix engine
//===--------------------------------------------------------------------------===//

// Exponents of fp16 have 5 bits and their own bias.
int Model::operandExponent(uint32_t x) const {
  return halves && exponentOf(x) ? exponentOf(x) - 112 : exponentOf(x);
}
int Model::dstExponent(uint32_t x) const { return dst32 ? exponentOf(x) : operandExponent(x); }

// Returns the exponent of a product of two numbers with exponents of 0.
int Model::biasOf(int phase) const {
  int bias = !halves ? -127 : dst32 ? 97 : -15;
  return bias - (phase % 2) * 5 - (phase / 2) * 7;
}

// Rounds magnitude * 2^(exponent - 150) to DST.
uint32_t Model::rounded(bool negative, int64_t magnitude, int exponent) const {
  uint32_t sign = negative ? kSign : 0;
  uint32_t zero = has(Deviation::KeepsMinusZero) ? sign : 0;
  if (negative && magnitude == 1 && isWormhole && dst32 && !has(Deviation::NoNormaliserFault)) {
    magnitude = 0x800000; // as if the lowest bit were 27 places higher
    exponent += 4;
  }
  int kept = dst32 ? 24 : halves ? 11 : 8;
  int64_t limit = powerOf2(kept);
  int places = 0;
  while (magnitude >> places >= limit)
    ++places;
  magnitude =
      divided(magnitude, places, has(Deviation::DstRoundsToEven) ? Halves::Even : Halves::Away);
  exponent += places;
  if (magnitude == limit) {
    magnitude /= 2;
    ++exponent;
  }
  while (magnitude < limit / 2) {
    magnitude *= 2;
    --exponent;
  }
  magnitude *= powerOf2(24 - kept); // makes a significand of 24 bits
  exponent -= 24 - kept;
  if (exponent <= 0)
    return zero;
  if (hasHalfDst() && exponent >= 32)
    return sign + 0x47ffe000;
  if (hasHalfDst())
    exponent += 112;
  if (exponent >= 255)
    return sign + kInfinity;
  return sign + static_cast<uint32_t>(exponent) * 0x800000 +
         static_cast<uint32_t>(magnitude - 0x800000);
}

uint32_t Model::accumulate(Term first, Term second, uint32_t dst) const {
  int own = dstExponent(dst), largest = std::max({first.exponent, second.exponent, own});
  if (largest <= 0)
    return 0;
  Halves halves = has(Deviation::SumsRoundAway) ? Halves::Away : Halves::Up;
  int64_t sums[3] = {divided(first.value, largest - first.exponent, halves),
                     divided(second.value, largest - second.exponent, halves),
                     divided(significandOf(dst), largest - own, Halves::Up)};
  if (!dst32 && !has(Deviation::NoCutTo11Bits))
    for (int64_t &sum : sums)
      sum = divided(sum, 13, halves) * 8192;
  int64_t total = sums[0] + sums[1] + (isNegative(dst) ? -sums[2] : sums[2]);
  return total == 0 ? 0 : rounded(total < 0, std::abs(total), largest);
}

Model::Parts Model::productOf(uint32_t a, uint32_t b, int phase) const {
  if (!exponentOf(a) || !exponentOf(b))
    return {0, has(Deviation::ZeroTermsVanish) ? 0 : std::max(biasOf(phase), 0), true};
  int64_t left = significandOf(a) / 8192, right = significandOf(b) / 8192; // 11 bits
  int low = has(Deviation::UsesLastBit) ? 0 : 1;
  if (has(Deviation::SwappedParts))
    std::swap(left, right);
  left = phase % 2 ? left / (1 << low) % 32 : left / 64;
  right = phase / 2 ? right % 16 * 8 : right / 16;
  int64_t sign = isNegative(a) == isNegative(b) ? 1 : -1;
  int exponent = operandExponent(a) + operandExponent(b) + biasOf(phase);
  return {sign * left * right, exponent, false};
}

Model::Term Model::sumOf(const uint32_t *a, const uint32_t *b, int count, int phase) const {
  Parts parts[16];
  int largest = 0;
  for (int i = 0; i < count; ++i) {
    parts[i] = productOf(a[i], b[i], phase);
    largest = std::max(largest, parts[i].exponent);
  }
  Term term;
  if (largest <= 0)
    return term;
  Halves halves = has(Deviation::ProductsRoundUp) ? Halves::Up : Halves::Away;
  for (int i = 0; i < count; ++i)
    if (!parts[i].isZero)
      term.value += divided(parts[i].magnitude, largest - parts[i].exponent, halves);
  return {term.value * 8192, largest};
}

uint32_t Model::dot16(const std::array<uint32_t, 16> &a, const std::array<uint32_t, 16> &b,
                      uint32_t dst, int phase) const {
  if (has(Deviation::InfinityIsSpecial))
    for (int i = 0; i < 16; ++i)
      if (exponentOf(a[i]) == 255 || exponentOf(b[i]) == 255)
        return kInfinity;
  if (has(Deviation::OneGroup))
    return accumulate(sumOf(a.data(), b.data(), 16, phase), {}, dst);
  return accumulate(sumOf(a.data(), b.data(), 8, phase),
                    sumOf(a.data() + 8, b.data() + 8, 8, phase), dst);
}

uint32_t Model::product(uint32_t a, uint32_t b, uint32_t dst, int phase) const {
  Parts parts = productOf(a, b, phase);
  bool isZero = parts.isZero || parts.exponent <= 0;
  Term zero{0, parts.isZero ? parts.exponent : std::max(biasOf(phase), 0)};
  return accumulate(isZero ? zero : Term{parts.magnitude * 8192, parts.exponent}, {}, dst);
}

uint32_t Model::sum(uint32_t a, uint32_t b, uint32_t dst) const {
  int64_t x = significandOf(a) / 8192, y = significandOf(b) / 8192;
  int ex = operandExponent(a), ey = operandExponent(b), largest = std::max(ex, ey);
  int extra = has(Deviation::SumOf12Bits) ? 1 : 0;
  x = divided(x * (1 << extra), largest - ex, Halves::Up);
  y = divided(y * (1 << extra), largest - ey, Halves::Up);
  int64_t total = (isNegative(a) ? -x : x) + (isNegative(b) ? -y : y);
  if (halves && dst32)
    largest = largest ? largest + 112 : 97;
  return accumulate({total * (8192 >> extra), largest}, {}, dst);
}

//===--------------------------------------------------------------------------===//
// The vector engine
//===--------------------------------------------------------------------------===//

namespace {

// A number with a significand of 27 bits, and its exponent.
struct Wide {
  int64_t bits;
  int exponent;
};

int64_t alignedTo(const Wide &number, int exponent, bool keepsSticky) {
  int places = std::min(exponent - number.exponent, 40);
  int64_t kept = number.bits / powerOf2(places);
  bool isExact = kept * powerOf2(places) == number.bits;
  return kept || keepsSticky ? kept + (kept % 2 == 0 && !isExact) : 0;
}

bool isNaN(uint32_t x) { return magnitudeOf(x) > kInfinity; }
bool isInfinite(uint32_t x) { return magnitudeOf(x) == kInfinity; }

} // namespace

// Where the architectures differ in their NaN, operands and results must be finite: the caller only
// compares classes of NaN.
uint32_t Model::mad(uint32_t x, uint32_t y, uint32_t z) const {
  bool negative = isNegative(x) != isNegative(y);
  uint32_t sign = negative ? kSign : 0;
  if (has(Deviation::FusedMultiplyAdd)) {
    auto value = [](uint32_t w) {
      return std::ldexp(double(significandOf(w)), exponentOf(w) - 150);
    };
    double exact =
        std::fma(negative ? -value(x) : value(x), value(y), isNegative(z) ? -value(z) : value(z));
    float result = static_cast<float>(exact);
    return std::fpclassify(result) == FP_NORMAL ? __builtin_bit_cast(uint32_t, result) : 0;
  }
  int64_t exact = significandOf(x) * significandOf(y), unit = powerOf2(20);
  Wide product{exact / unit, exponentOf(x) + exponentOf(y) - 127};
  if (product.bits * unit != exact && product.bits % 2 == 0)
    ++product.bits;
  Wide addend{significandOf(z) * 8, exponentOf(z)};
  bool xInf = isInfinite(x), yInf = isInfinite(y), tooLarge = product.exponent >= 255;
  if (isNaN(x) || isNaN(y) || isNaN(z) || (xInf && !significandOf(y)) ||
      (yInf && !significandOf(x)))
    return 0x7fc00000;
  if (isInfinite(z))
    return (xInf || yInf || (isWormhole && tooLarge)) && signOf(z) != sign ? 0x7fc00000 : z;
  if (xInf || yInf || tooLarge)
    return sign + kInfinity;
  uint32_t zero = isWormhole ? 0 : (negative && isNegative(z) ? kSign : 0);
  if (!product.bits || product.exponent < 0)
    return addend.bits ? z : zero;

  int exponent = std::max(product.exponent, addend.exponent);
  bool keeps = has(Deviation::StickyStays);
  int64_t p = alignedTo(product, exponent, keeps), a = alignedTo(addend, exponent, keeps);
  int64_t total = (negative ? -p : p) + (isNegative(z) ? -a : a);
  if (!total)
    return zero;
  uint32_t signOfTotal = total < 0 ? kSign : 0;
  int64_t bits = std::abs(total);
  int places = 0;
  while (bits >> places >= powerOf2(27))
    ++places;
  while (places <= 0 && bits << -places < powerOf2(26))
    --places;
  exponent += places;
  if (exponent >= 255)
    return signOfTotal + kInfinity;
  if (isWormhole && exponent < 0)
    return 0;
  if (!isWormhole && exponent <= 0) {
    ++places;
    exponent = 0;
  }
  if (places > 0) {
    // Only some of the lost bits set the last bit.
    bool lost = isWormhole || places == 1 ? bits % 2 : bits % 4;
    bits = bits / powerOf2(places);
    bits += lost && bits % 2 == 0;
  } else {
    bits = bits * powerOf2(-places);
  }
  int64_t fraction = divided(bits % powerOf2(26), 3, Halves::Even);
  uint32_t result = static_cast<uint32_t>(exponent) * 0x800000 + static_cast<uint32_t>(fraction);
  if (result < 0x800000)
    return isWormhole ? 0 : signOfTotal;
  return signOfTotal + result;
}

//===--------------------------------------------------------------------------===//
// The packer
//===--------------------------------------------------------------------------===//

uint32_t Model::packed(uint32_t value) const {
  uint32_t sign = signOf(value), magnitude = magnitudeOf(value);
  if (isNaN(value))
    return sign + kInfinity;
  if (dst32) {
    Halves halves = has(Deviation::PackRoundsToEven) ? Halves::Even : Halves::Up;
    magnitude = static_cast<uint32_t>(divided(magnitude, 16, halves)) * 0x10000;
  }
  return exponentOf(magnitude) ? sign + magnitude : 0;
}

uint32_t Model::blockFloat(uint32_t value, int width, int shared) const {
  int64_t significand = significandOf(value) / 65536; // 8 bits
  int places = shared - exponentOf(value) + 1, cut = 8 - width;
  int64_t magnitude = 0;
  if (has(Deviation::BlockFloatRoundsLate))
    magnitude = std::min(divided(significand, places + cut, Halves::Up), powerOf2(width - 1) - 1);
  else
    magnitude = std::min<int64_t>(divided(significand, places, Halves::Up), 127) / powerOf2(cut);
  return static_cast<uint32_t>(magnitude ? magnitude + (isNegative(value) ? powerOf2(width - 1) : 0)
                                         : 0);
}
