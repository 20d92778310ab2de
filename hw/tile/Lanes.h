//===- Lanes.h - one element of each tile operation -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The lane function of every row of hw/facts/TileOps.def. Branch-free and
// without calls: IEEE + - * / sqrt, compare and select, integer operations. The
// transcendental ones work in double (plain multiply and add, so that no target
// gains or loses bits by fma) and round once at the end. Denormals are kept.
//
// "ulp" below is the largest distance to the exact value, measured over all 2^32
// floats, in units of the result's last place; 0.5 is correct rounding. The bits
// of a NaN result are unspecified.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_LANES_H
#define TTJIT_HW_TILE_LANES_H

#include "hw/tile/Fma.h"
#include "hw/tile/Target.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

//===--------------------------------------------------------------------------===//
// Pieces
//===--------------------------------------------------------------------------===//

namespace detail {

/// exp(x) for |x| <= 400, NaN for NaN; relative error 2^-34.
TTJIT_TILE_INLINE double expCore(double x) {
  constexpr double kInvLn2 = 0x1.71547652b82fep+0;
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  // Adding 1.5 * 2^52 leaves the nearest integer in the low bits; 1023 more make
  // it the biased exponent of 2^n.
  constexpr double kRound = 0x1.8p+52 + 1023;
  double rounded = x * kInvLn2 + kRound;
  double n = rounded - kRound;
  double r = x - n * kLn2;
  // Minimax over |r| <= ln2 / 2 of (exp(r) - 1 - r) / r^2.
  double q = 0x1.9f08a52193cf2p-13;
  q = q * r + 0x1.6d8cf3f26e682p-10;
  q = q * r + 0x1.1112708e563f1p-7;
  q = q * r + 0x1.55548dd8a28e2p-5;
  q = q * r + 0x1.55555443669e4p-3;
  q = q * r + 0x1.0000003a1ac77p-1;
  double power = doubleOf(bitsOf(rounded) << 52);
  return (1.0 + (r + r * r * q)) * power;
}

/// x moved into [low, high]; NaN stays NaN.
TTJIT_TILE_INLINE float clamp(float x, float low, float high) {
  float bounded = x < low ? low : x;
  return bounded > high ? high : bounded;
}

/// log(x) for positive finite normal x; relative error 2^-37.
TTJIT_TILE_INLINE double logCore(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  // x = 2^n * m with m in [sqrt(1/2), sqrt(2)). The offset keeps n positive: only
  // unsigned shifts exist for 64 bits everywhere.
  uint64_t offset = bitsOf(x) - kSqrtHalf + (uint64_t(1024) << 52);
  uint64_t biased = offset >> 52;
  double n = doubleOf(biased | 0x4330000000000000) - (0x1p+52 + 1024);
  double m = doubleOf((offset & 0x000fffffffffffff) + kSqrtHalf);
  double f = m - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  // log(m) = 2 atanh(s); minimax over z of (atanh(s) / s - 1) / z.
  double q = 0x1.e2f66425f1492p-4;
  q = q * z + 0x1.2438d79122c8dp-3;
  q = q * z + 0x1.999a7a8affd97p-3;
  q = q * z + 0x1.555554fd9ca9dp-2;
  return n * kLn2 + (s + s) * (1.0 + z * q);
}

} // namespace detail

//===--------------------------------------------------------------------------===//
// One operand
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float abs(float x) { return floatOf(bitsOf(x) & 0x7fffffff); }

TTJIT_TILE_INLINE float neg(float x) { return floatOf(bitsOf(x) ^ 0x80000000); }

/// 0.5008 ulp.
TTJIT_TILE_INLINE float exp(float x) {
  // Beyond these, float has only zero and infinity.
  return float(detail::expCore(detail::clamp(x, -104.0f, 89.0f)));
}

/// 0.5001 ulp. log(±0) = -inf, of negative numbers NaN.
TTJIT_TILE_INLINE float log(float x) {
  float inside = float(detail::logCore(x));
  float edge = x == 0.0f ? -__builtin_inff() : x < 0.0f ? __builtin_nanf("") : x;
  bool regular = (x > 0.0f) & (x < __builtin_inff());
  return regular ? inside : edge;
}

/// Correctly rounded.
TTJIT_TILE_INLINE float recip(float x) { return 1.0f / x; }

/// +0 for every x <= 0 (also -0); NaN for NaN.
TTJIT_TILE_INLINE float relu(float x) { return x <= 0.0f ? 0.0f : x; }

/// Correctly rounded. rsqrt(±0) = ±inf, of negative numbers NaN.
TTJIT_TILE_INLINE float rsqrt(float x) { return float(1.0 / __builtin_sqrt(double(x))); }

/// 0.5008 ulp.
TTJIT_TILE_INLINE float sigmoid(float x) {
  return float(1.0 / (1.0 + detail::expCore(detail::clamp(-x, -104.0f, 104.0f))));
}

/// Correctly rounded. sqrt(-0) = -0.
TTJIT_TILE_INLINE float sqrt(float x) { return __builtin_sqrtf(x); }

/// Correctly rounded.
TTJIT_TILE_INLINE float square(float x) { return x * x; }

/// 0.5049 ulp. Odd, also on ±0.
TTJIT_TILE_INLINE float tanh(float x) {
  float a = abs(x);
  double power = detail::expCore(2.0 * detail::clamp(a, 0.0f, 20.0f));
  float large = float(1.0 - 2.0 / (power + 1.0));
  // Where the subtraction would cancel, two terms of the series are enough.
  float small = a - a * (a * a) * (1.0f / 3.0f);
  float magnitude = a < 0x1p-8f ? small : large;
  return floatOf(bitsOf(magnitude) | (bitsOf(x) & 0x80000000));
}

//===--------------------------------------------------------------------------===//
// Two operands
//===--------------------------------------------------------------------------===//

TTJIT_TILE_INLINE float add(float a, float b) { return a + b; }
TTJIT_TILE_INLINE float sub(float a, float b) { return a - b; }
TTJIT_TILE_INLINE float mul(float a, float b) { return a * b; }
TTJIT_TILE_INLINE float div(float a, float b) { return a / b; }

/// NaN if either is NaN; +0 is greater than -0.
TTJIT_TILE_INLINE float max(float a, float b) {
  float ordered = a > b ? a : b; // b if either is NaN
  float zero = floatOf(bitsOf(a) & bitsOf(b));
  float result = a == b ? zero : ordered;
  return a != a ? a : result;
}

/// NaN if either is NaN; -0 is less than +0.
TTJIT_TILE_INLINE float min(float a, float b) {
  float ordered = a < b ? a : b;
  float zero = floatOf(bitsOf(a) | bitsOf(b));
  float result = a == b ? zero : ordered;
  return a != a ? a : result;
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANES_H
