//===- Fma.h - fused multiply-add on every target -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// lane::fma: a * b + c, rounded once to nearest even. It uses the instruction if the target has
// one; otherwise it computes the same bits (except those of NaN) in other steps.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_TILE_FMA_H
#define TTJIT_HW_TILE_FMA_H

#include "hw/tile/Target.h"

namespace ttjit::hw::inline TTJIT_TILE_ISA::lane {

/// Computes fma without the instruction. The product of two floats is exact in double. The sum with
/// c is rounded to odd: if it is inexact, it becomes the neighbouring double whose last bit is set.
/// Since 53 bits are at least 24 + 2, rounding this double to float gives the same result as a
/// single rounding (Boldo and Melquiond 2008), also in the denormal range. No intermediate double
/// overflows or underflows.
TTJIT_TILE_INLINE float fmaByOddSum(float a, float b, float c) {
  double product = double(a) * double(b);
  double addend = c;
  double sum = product + addend;
  // The rounding error of the sum (Knuth's two-sum); NaN if the sum is infinite or NaN.
  double shadow = sum - product;
  double lost = (product - (sum - shadow)) + (addend - shadow);
  uint64_t bits = bitsOf(sum);
  // Round to odd: an inexact sum whose last bit is even moves by one bit in the direction of the
  // error.
  bool outward = (lost > 0) == (sum > 0);
  uint64_t odd = outward ? (bits | 1) : (bits - (~bits & 1));
  bool inexact = (lost > 0) | (lost < 0);
  return float(doubleOf(inexact ? odd : bits));
}

TTJIT_TILE_INLINE float fma(float a, float b, float c) {
#if TTJIT_TILE_HAS_FMA
  return __builtin_fmaf(a, b, c);
#else
  return fmaByOddSum(a, b, c);
#endif
}

} // namespace ttjit::hw::inline TTJIT_TILE_ISA::lane

#endif // TTJIT_HW_TILE_FMA_H
