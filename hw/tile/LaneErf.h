//===- LaneErf.h - the error function and gelu ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Error functions and gelu, as lane functions. hw/tile/Lanes.h explains lane functions and "ulp".
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_LANEERF_H
#define TTJIT_HW_TILE_LANEERF_H

#include "hw/tile/LanePieces.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

namespace detail {

/// erf(a) for 0 <= a <= 1, with a relative error of at most 2^-34.
TTJIT_TILE_INLINE double erfCore(double a) {
  double z = a * a;
  double q = horner(z, -0x1.437d458d5555fp-17, 0x1.d823c72e5ff29p-14, -0x1.bcbe269d9db77p-11,
                    0x1.5628e49777a2fp-8, -0x1.b829a6dc5fbcep-6, 0x1.ce2f07900f095p-4,
                    -0x1.8127465f8d82fp-2, 0x1.20dd7504002cap+0);
  return a * q;
}

/// erfc(a) = exp(-square) * (polynomial in (a - 3) / (a + 3)) / (1 + 2 a) for 0 <= a <=
/// 10.6, where `square` is a^2. The relative error is at most 2^-34.
TTJIT_TILE_INLINE double erfcCore(double a, double square) {
  double u = (a - 3.0) / (a + 3.0);
  double q = horner(u, 0x1.c6c3648fe1662p-14, -0x1.a99cc3f34bddap-14, -0x1.95dfe64bad1eep-11,
                    0x1.eed422808ada8p-10, 0x1.4b6865b220f28p-9, -0x1.85742a2c54198p-6,
                    0x1.17ca3d744237cp-4, -0x1.e88b828bf994fp-4, 0x1.0983664646825p-3,
                    -0x1.85a15c3ebf131p-5, -0x1.15c084baa4f3cp-3, 0x1.40c522d7e3df6p+0);
  return expCore(-square) * q / (1.0 + 2.0 * a);
}

} // namespace detail

/// erf is odd: erf(-0) = -0.
TTJIT_TILE_INLINE float erf(float x) {
  float magnitude = floatOf(bitsOf(x) & 0x7fffffff);
  double a = detail::clamp(magnitude, 0.0f, 10.6f);
  double value = a < 1.0 ? detail::erfCore(a) : 1.0 - detail::erfcCore(a, a * a);
  return detail::withSignOf(float(value), x);
}

/// 1 - erf(x), accurate also where the result is small.
TTJIT_TILE_INLINE float erfc(float x) {
  float magnitude = floatOf(bitsOf(x) & 0x7fffffff);
  double a = detail::clamp(magnitude, 0.0f, 10.6f);
  double small = detail::erfCore(a), large = detail::erfcCore(a, a * a);
  bool negative = x < 0.0f;
  double near = 1.0 + (negative ? small : -small);
  double far = negative ? 2.0 - large : large;
  return float(a < 1.0 ? near : far);
}

/// x * (1 + erf(x / sqrt(2))) / 2. gelu(-inf) = -0.
TTJIT_TILE_INLINE float gelu(float x) {
  constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
  float bounded = x < -14.9f ? -14.9f : x;
  double a = detail::clamp(floatOf(bitsOf(bounded) & 0x7fffffff), 0.0f, 14.9f);
  double scaled = a * kSqrtHalf;
  double small = detail::erfCore(scaled), large = detail::erfcCore(scaled, 0.5 * a * a);
  bool negative = x < 0.0f;
  double near = 1.0 + (negative ? -small : small);
  double far = negative ? large : 2.0 - large;
  return float(0.5 * bounded * (scaled < 1.0 ? near : far));
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_LANEERF_H
