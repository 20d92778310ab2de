//===- LanePieces.h - helpers of lane functions ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// exp and log in double, accurate enough that a result rounded once to float is within
// 0.51 ulp. They use plain multiply and add, so that every target gives the same bits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_LANEPIECES_H
#define TTJIT_HW_TILE_LANEPIECES_H

#include "hw/tile/Fma.h"
#include "hw/tile/Target.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {
namespace detail {

/// Evaluates the polynomial with these coefficients. The highest power comes first.
template <typename... Coefficients>
TTJIT_TILE_INLINE double horner(double x, double highest, Coefficients... others) {
  double sum = highest;
  ((sum = sum * x + others), ...);
  return sum;
}

/// Represents exp(x) as (1 + rest) * power, where power is 2^n.
struct ExpParts {
  double rest, power;
};

/// Returns the parts of exp(x), for |x| <= 400; their error relative to exp(x) is at most
/// 2^-34. Returns NaN for NaN.
TTJIT_TILE_INLINE ExpParts expParts(double x) {
  constexpr double kInvLn2 = 0x1.71547652b82fep+0;
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  // Adding 1.5 * 2^52 leaves the nearest integer in the low bits. Adding 1023 more
  // makes that integer the biased exponent of 2^n.
  constexpr double kRound = 0x1.8p+52 + 1023;
  double rounded = x * kInvLn2 + kRound;
  double n = rounded - kRound;
  double r = x - n * kLn2;
  // Minimax polynomial for (exp(r) - 1 - r) / r^2 over |r| <= ln2 / 2.
  double q = horner(r, 0x1.9f08a52193cf2p-13, 0x1.6d8cf3f26e682p-10, 0x1.1112708e563f1p-7,
                    0x1.55548dd8a28e2p-5, 0x1.55555443669e4p-3, 0x1.0000003a1ac77p-1);
  double power = doubleOf(bitsOf(rounded) << 52);
  return {r + r * r * q, power};
}

/// Returns exp(x), with the range and error of expParts.
TTJIT_TILE_INLINE double expCore(double x) {
  ExpParts parts = expParts(x);
  return (1.0 + parts.rest) * parts.power;
}

/// Returns exp(x) - 1, with the range and error of expParts, also where the result is small.
TTJIT_TILE_INLINE double expm1Core(double x) {
  ExpParts parts = expParts(x);
  return parts.rest * parts.power + (parts.power - 1.0);
}

/// Returns the number in [low, high] that is nearest to x; NaN stays NaN.
TTJIT_TILE_INLINE float clamp(float x, float low, float high) {
  float bounded = x < low ? low : x;
  return bounded > high ? high : bounded;
}

/// log(x) for positive, finite, normal x; the relative error is at most 2^-37.
TTJIT_TILE_INLINE double logCore(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  constexpr uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  // Split x = 2^n * m with m in [sqrt(1/2), sqrt(2)). The offset keeps n positive,
  // because only unsigned 64-bit shifts exist on every target.
  uint64_t offset = bitsOf(x) - kSqrtHalf + (uint64_t(1024) << 52);
  uint64_t biased = offset >> 52;
  double n = doubleOf(biased | 0x4330000000000000) - (0x1p+52 + 1024);
  double m = doubleOf((offset & 0x000fffffffffffff) + kSqrtHalf);
  double f = m - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  // log(m) = 2 atanh(s). Minimax polynomial in z for (atanh(s) / s - 1) / z.
  double q = horner(z, 0x1.e2f66425f1492p-4, 0x1.2438d79122c8dp-3, 0x1.999a7a8affd97p-3,
                    0x1.555554fd9ca9dp-2);
  return n * kLn2 + (s + s) * (1.0 + z * q);
}

/// log(1 + t) for -1 < t < 2^300, with the error of logCore, also where t is small.
TTJIT_TILE_INLINE double log1pCore(double t) {
  double u = 1.0 + t;
  return logCore(u) + (t - (u - 1.0)) / u;
}

TTJIT_TILE_INLINE double clamp(double x, double low, double high) {
  double bounded = x < low ? low : x;
  return bounded > high ? high : bounded;
}

/// Returns `magnitude` with the sign of `x`.
TTJIT_TILE_INLINE float withSignOf(float magnitude, float x) {
  return floatOf((bitsOf(magnitude) & 0x7fffffff) | (bitsOf(x) & 0x80000000));
}

} // namespace detail

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANEPIECES_H
